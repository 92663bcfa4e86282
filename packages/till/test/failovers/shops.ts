/**
 * The processes that take payments, and the customers who pay at any of them.
 *
 * @module
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { type createFakeGateway, payAsCustomer } from '@tillkit/testing'
import { freePort } from '../../../express-middleware/test/listening.js'
import type { ShopOfALife } from '../till/kills/shop.js'
import type { WriteEnd } from './ledger.js'

type Gateway = ReturnType<typeof createFakeGateway>

/** A process that takes payments. */
export interface Shop {
  readonly address: string
  /** How its writes ended, so far. */
  readonly ends: WriteEnd[]
  /** Resolves once every write that has ended is among them. */
  flush(): Promise<void>
  close(): Promise<void>
}

/** Starts a process, and waits until it takes payments. */
export async function openShop(program: string, options: Omit<ShopOfALife, 'port' | 'tellsWrites'>): Promise<Shop> {
  const port = await freePort()
  const all: ShopOfALife = { ...options, port, tellsWrites: true }
  const child = fork(program, [JSON.stringify(all)], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  // Warnings of a store that is away, and of callbacks that come again, are what is to be expected here.
  child.stderr?.resume()
  const ends: WriteEnd[] = []
  child.on('message', message => {
    if (isWriteEnd(message)) ends.push(message)
  })
  await started(child)
  return {
    address: `http://127.0.0.1:${port}`,
    ends,
    async flush() {
      const answered = new Promise<void>(resolve => {
        const hear = (message: unknown) => {
          if (message !== 'flush') return
          child.off('message', hear)
          resolve()
        }
        child.on('message', hear)
      })
      child.send('flush')
      await answered
    },
    async close() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    },
  }
}

/** Its first writes may come before its first word. @throws Error when it ends before that. */
function started(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.on('message', message => {
      if (message === 'started') resolve()
    })
    child.once('exit', (code, signal) => {
      reject(new Error(`The process ended before it took payments, with ${code ?? signal}.`))
    })
  })
}

const isWriteEnd = (message: unknown): message is WriteEnd => typeof message === 'object'

/** Customers of one round. */
export interface Market {
  readonly shops: readonly Shop[]
  readonly gateway: Gateway
  readonly random: () => number
  /** Whether nobody waits any more. */
  readonly isOver: () => boolean
}

/**
 * How long a customer waits for a page at first, in milliseconds. On a busy machine those who go too soon, and press again, would never
 * be served: each waits longer the next time.
 */
const patience = 3_000

/**
 * A customer who presses Pay at any shop, sometimes at two at once, until the payment is paid; who pays on every form that opens, and has
 * two tabs of each.
 */
export async function buy(reference: string, { shops, gateway, random, isOver }: Market): Promise<void> {
  const { origin } = gateway.clientOptions.baseUrl as URL
  const order = () => `${shops[Math.floor(random() * shops.length)]?.address}/orders/${reference}`
  let waits = patience
  const page = (path = '', method = 'GET') =>
    fetch(order() + path, { method, redirect: 'manual', signal: AbortSignal.timeout(waits) }).catch(() => {
      waits = Math.min(2 * waits, 60_000)
    })
  for (let cvv2 = random() < 0.4 ? '101' : '123'; !isOver(); ) {
    const shown = await page()
    if (shown?.status === 200 && (await shown.text()) === 'paid') return
    const answers = await Promise.all(Array.from({ length: random() < 0.5 ? 2 : 1 }, () => page('/pay', 'POST')))
    const places = answers.flatMap(answer => answer?.headers.get('location') ?? [])
    const forms = new Set(places.filter(place => place.startsWith(origin)))
    // The customer's way back ends if the shop cannot look into its store.
    const tabs = [...forms].flatMap(form => [form, form])
    await Promise.all(tabs.map(form => payAsCustomer(form, { gateway, cvv2 }).catch(() => undefined)))
    if (forms.size > 0) cvv2 = '123'
    else await pause(50)
  }
}
