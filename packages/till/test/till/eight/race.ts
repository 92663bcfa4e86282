/** A race of eight processes on one store, in which customers press, pay and come back in several tabs, and processes may be killed. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { type Call, createFakeGateway, payAsCustomer } from '@tillkit/testing'
import { freePort } from '../../../../express-middleware/test/listening.js'
import type { Stored } from '../../../src/store/store.js'
import { programOf, removeProgram } from '../../bundle.js'
import { firstMessage, randomFrom } from '../../kills/campaign.js'
import type { Engine } from '../../kills/engines.js'
import type { ShopOfALife } from '../kills/shop.js'
import type { ToldPayments } from '../kills/told-once.js'

const [processes, clicks] = [8, 4]

/** A race that is over. */
export interface Raced extends ToldPayments {
  readonly calls: readonly Call[]
  readonly kept: readonly Stored[]
}

export interface RaceOptions extends Pick<ShopOfALife, 'traces'> {
  readonly seed?: number
  /** How many payments are made at once. */
  readonly payments?: number
  /** How many processes are killed meanwhile, and started again. Default: none. */
  readonly kills?: number
  /** How long a request is waited for, in milliseconds. */
  readonly timeout?: number
}

/** Runs a race. */
export async function race(engine: Engine, options: RaceOptions = {}): Promise<Raced> {
  const { seed = 3, payments = 8, kills = 0, timeout = 10_000, traces } = options
  const random = randomFrom(seed)
  const gateway = createFakeGateway({ seed, processingTime: 5, maxCalls: 100_000 })
  await gateway.listen()
  const { baseUrl, endpointId, login, controlKey } = gateway.clientOptions
  const program = await programOf(new URL('../kills/shop.ts', import.meta.url))
  const ground = await engine.open()
  const children = new Map<number, ChildProcess>()
  const start = async (port: number): Promise<void> => {
    const shop: ShopOfALife = {
      store: ground.store,
      gateway: { baseUrl: baseUrl.href, endpointId, login, controlKey },
      port,
      timeout,
      ...(traces === undefined ? {} : { traces }),
    }
    const child = fork(program, [JSON.stringify(shop)], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
    // Warnings of callbacks that come again are what is to be expected here.
    child.stderr?.resume()
    children.set(port, child)
    await firstMessage(child)
  }
  try {
    const ports = await Promise.all(Array.from({ length: processes }, freePort))
    await Promise.all(ports.map(start))
    const anyPort = (): number => ports[Math.floor(random() * ports.length)] ?? 0
    const anyShop = (): string => `http://127.0.0.1:${anyPort()}`
    const references = Array.from({ length: payments }, (_, nth) => `race-${engine.name}-${nth}`)
    /** A customer with several tabs, each of which may be served by another process, and who pays on every form that opens. */
    const buyOnce = async (reference: string, isFirst: boolean): Promise<boolean> => {
      const state = await (await fetch(`${anyShop()}/orders/${reference}`)).text()
      if (state === 'paid') return true
      const press = () => fetch(`${anyShop()}/orders/${reference}/pay`, { method: 'POST', redirect: 'manual' })
      const answers = await Promise.all(Array.from({ length: clicks }, press))
      const forms = new Set(
        answers.flatMap(({ headers }) => headers.get('location') ?? []).filter(to => to.startsWith(baseUrl.origin)),
      )
      const cvv2 = isFirst && random() < 0.5 ? '101' : '123'
      // Two tabs press the button of the form at the same moment.
      const tabs = [...forms].flatMap(form => [form, form])
      await Promise.all(tabs.map(form => payAsCustomer(form, { gateway, cvv2 }).catch(() => undefined)))
      return false
    }
    const buy = async (reference: string): Promise<void> => {
      for (let isFirst = true; ; isFirst = false) {
        const once = buyOnce(reference, isFirst)
        // A shop that was killed answers nobody: the customer tries again.
        if (await (kills === 0 ? once : once.catch(() => false))) return
        if (kills > 0) await pause(Math.floor(400 * random()))
      }
    }
    const killing = async (): Promise<void> => {
      for (let killed = 0; killed < kills; killed += 1) {
        await pause(Math.floor(600 * random()))
        const port = anyPort()
        await kill(children.get(port))
        await start(port)
      }
    }
    await Promise.all([...references.map(buy), killing()])
    const final = () => gateway.orders.list().filter(({ stages }) => stages.some(({ final }) => final)).length
    const told = async () => Promise.all(references.map(reference => ground.told(reference)))
    while ((await told()).flat().length < final()) await Promise.all([gateway.callbacks.idle(), pause(20)])
    const rows = await told()
    await Promise.all([...children.values()].map(kill))
    const { items: kept } = await ground.look(store => store.list({ limit: 1000 }))
    return { rows, orders: gateway.orders.list(), references, calls: gateway.calls(), kept }
  } finally {
    await Promise.all([...children.values()].map(kill))
    await ground.end()
    await gateway.close()
    removeProgram(program)
  }
}

async function kill(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}
