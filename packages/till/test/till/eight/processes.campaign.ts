/**
 * Eight processes on one store: clicks, callbacks, customers who come back and workers race. Then everything is compared with the books of
 * the gateway.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createFakeGateway, payAsCustomer } from '@tillkit/testing'
import { it } from 'vitest'
import { freePort } from '../../../../express-middleware/test/listening.js'
import { programOf, removeProgram } from '../../bundle.js'
import { firstMessage, randomFrom } from '../../kills/campaign.js'
import { type Engine, postgresEngine, sqliteEngine } from '../../kills/engines.js'
import type { ShopOfALife } from '../kills/shop.js'
import { expectToldOnce } from '../kills/told-once.js'

const [processes, payments, clicks] = [8, 8, 4]

async function race(engine: Engine) {
  const random = randomFrom(3)
  const gateway = createFakeGateway({ seed: 3, processingTime: 5, maxCalls: 100_000 })
  await gateway.listen()
  const { baseUrl, endpointId, login, controlKey } = gateway.clientOptions
  const program = await programOf(new URL('../kills/shop.ts', import.meta.url))
  const ground = await engine.open()
  const children: ChildProcess[] = []
  const open = async (): Promise<string> => {
    const port = await freePort()
    const options: ShopOfALife = {
      store: ground.store,
      gateway: { baseUrl: baseUrl.href, endpointId, login, controlKey },
      port,
      timeout: 10_000,
    }
    const child = fork(program, [JSON.stringify(options)], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
    // Warnings of callbacks that come again are what is to be expected here.
    child.stderr?.resume()
    children.push(child)
    await firstMessage(child)
    return `http://127.0.0.1:${port}`
  }
  try {
    const shops = await Promise.all(Array.from({ length: processes }, open))
    const anyShop = (): string => shops[Math.floor(random() * shops.length)] ?? ''
    const references = Array.from({ length: payments }, (_, nth) => `race-${engine.name}-${nth}`)
    /** A customer with several tabs, each of which may be served by another process, and who pays on every form that opens. */
    const buy = async (reference: string): Promise<void> => {
      for (let isFirst = true; ; isFirst = false) {
        const state = await (await fetch(`${anyShop()}/orders/${reference}`)).text()
        if (state === 'paid') return
        const press = () => fetch(`${anyShop()}/orders/${reference}/pay`, { method: 'POST', redirect: 'manual' })
        const answers = await Promise.all(Array.from({ length: clicks }, press))
        const forms = new Set(
          answers.flatMap(({ headers }) => headers.get('location') ?? []).filter(to => to.startsWith(baseUrl.origin)),
        )
        const cvv2 = isFirst && random() < 0.5 ? '101' : '123'
        // Two tabs press the button of the form at the same moment.
        const tabs = [...forms].flatMap(form => [form, form])
        await Promise.all(tabs.map(form => payAsCustomer(form, { gateway, cvv2 }).catch(() => undefined)))
      }
    }
    await Promise.all(references.map(buy))
    const final = () => gateway.orders.list().filter(({ stages }) => stages.some(({ final }) => final)).length
    const told = async () => Promise.all(references.map(reference => ground.told(reference)))
    while ((await told()).flat().length < final()) await gateway.callbacks.idle()
    return { rows: await told(), orders: gateway.orders.list(), references }
  } finally {
    for (const child of children) {
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    }
    await ground.end()
    await gateway.close()
    removeProgram(program)
  }
}

it.each([
  ['sqlite', sqliteEngine],
  ['postgres', postgresEngine],
] as const)('eight processes on %s charge each payment once, and tell each order once', async (_, open) => {
  const engine = await open()
  try {
    expectToldOnce(await race(engine))
  } finally {
    await engine.end()
  }
})
