/** The shop is killed at random while customers pay; then everything is compared with the books of the gateway. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { createFakeGateway, payAsCustomer } from '@tillkit/testing'
import { it } from 'vitest'
import { freePort } from '../../../../express-middleware/test/listening.js'
import { programOf, removeProgram } from '../../bundle.js'
import { firstMessage, randomFrom } from '../../kills/campaign.js'
import { type Engine, type Ground, postgresEngine, sqliteEngine } from '../../kills/engines.js'
import type { ShopOfALife } from './shop.js'
import { expectToldOnce } from './told-once.js'

const [payments, kills] = [8, 25]

/** A shop that is started again each time that it is killed. */
async function openShop(program: string, options: ShopOfALife) {
  let child: ChildProcess | undefined
  const start = async () => {
    child = fork(program, [JSON.stringify(options)], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
    // Warnings of a store that is away, and of callbacks that come again, are what is to be expected here.
    child.stderr?.resume()
    await firstMessage(child)
  }
  await start()
  return {
    async kill() {
      const killed = child === undefined ? undefined : once(child, 'exit')
      child?.kill('SIGKILL')
      await killed
      await start()
    },
    async end() {
      const killed = child === undefined ? undefined : once(child, 'exit')
      child?.kill('SIGKILL')
      await killed
    },
  }
}

type Gateway = ReturnType<typeof createFakeGateway>

interface Buying {
  readonly gateway: Gateway
  readonly random: () => number
  readonly isOver: () => boolean
}

/** A customer who presses Pay until the order is paid: some cards are declined, some forms are left, some buttons pressed twice. */
async function buy(order: string, { gateway, random, isOver }: Buying) {
  while (!isOver()) {
    try {
      if ((await (await fetch(order)).text()) === 'paid') return
      const press = () => fetch(`${order}/pay`, { method: 'POST', redirect: 'manual' })
      const [answer] = await Promise.all(random() < 0.3 ? [press(), press()] : [press()])
      if (random() < 0.2) continue
      await payAsCustomer(answer, { gateway, cvv2: random() < 0.4 ? '101' : '123' })
    } catch {
      // The shop was killed, or the form is over: the customer tries again.
    }
    await pause(Math.floor(200 * random()))
  }
}

async function campaign(engine: Engine, ground: Ground, seed: number) {
  const random = randomFrom(seed)
  const gateway = createFakeGateway({ seed })
  await gateway.listen()
  const { baseUrl, endpointId, login, controlKey } = gateway.clientOptions
  const port = await freePort()
  const program = await programOf(new URL('shop.ts', import.meta.url))
  const shop = await openShop(program, {
    store: ground.store,
    gateway: { baseUrl: baseUrl.href, endpointId, login, controlKey },
    port,
  })
  const references = Array.from({ length: payments }, (_, nth) => `list-${engine.name}-${nth}`)
  let isOver = false
  const killing = (async () => {
    for (let killed = 0; killed < kills && !isOver; killed += 1) {
      await pause(Math.floor(1_200 * random() ** 2))
      await shop.kill()
    }
  })()
  const customers = references.map(async (reference, nth) => {
    await pause(nth * 400)
    await buy(`http://127.0.0.1:${port}/orders/${reference}`, { gateway, random, isOver: () => isOver })
  })
  try {
    await Promise.all([...customers, killing])
    // Callbacks that nobody took come again, until everything was told.
    const told = async () => {
      await gateway.clock.advance(60 * 60_000)
      await gateway.callbacks.idle()
      return Promise.all(references.map(reference => ground.told(reference)))
    }
    const final = () => gateway.orders.list().filter(({ stages }) => stages.some(({ final }) => final))
    while ((await told()).flat().length < final().length) await pause(250)
    return { rows: await told(), orders: gateway.orders.list(), references }
  } finally {
    isOver = true
    await shop.end()
    await gateway.close()
    removeProgram(program)
  }
}

it.each([
  ['sqlite', sqliteEngine],
  ['postgres', postgresEngine],
] as const)('on %s each order is told once, and each payment is charged once', async (_, open) => {
  const engine = await open()
  const ground = await engine.open()
  try {
    expectToldOnce(await campaign(engine, ground, 7))
  } finally {
    await ground.end()
    await engine.end()
  }
})
