/** How fast the work in the background asks status, in all processes together: counted in the gateway's calls, by its clock. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createFakeClock, createFakeGateway, type FakeGateway } from '@tillkit/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createTill, type Till } from '../../src/index.js'
import { sqliteStore } from '../../src/sqlite.js'
import { memoryStore } from '../../src/store/memory-store.js'
import type { DocumentStore, Store } from '../../src/store/store.js'
import { passUntil } from './pass-until.js'
import { readyAccount } from './ready-account.js'
import { basket, card } from './shop.js'

const minute = 60_000

/** A gateway whose clock stands still until a test moves it. */
function stillGateway(): FakeGateway {
  const now = Date.now()
  const gateway = createFakeGateway({ clock: createFakeClock({ base: () => now }) })
  onTestFinished(() => gateway.close())
  return gateway
}

/** Another process of the merchant: a till of its own, whose waiting takes the gateway's time. */
function process(
  gateway: FakeGateway,
  store: Store<never>,
  { told = [], statusPerSecond = 5 }: { readonly told?: string[]; readonly statusPerSecond?: number } = {},
): Till {
  const till = createTill({
    account: readyAccount(gateway),
    store,
    address: 'https://shop.example/payments',
    returnTo: () => '/',
    onOutcome: ({ kind, payment }) => void told.push(`${payment.reference} ${kind}`),
    statusPerSecond,
    clock: gateway.clientOptions.clock,
    wait: gateway.clock.wait,
  })
  onTestFinished(() => till.close())
  return till
}

/** Card payments whose callbacks got lost. */
async function unheardOf(gateway: FakeGateway, till: Till, count: number, name = 'basket') {
  gateway.faults.arm({ fault: 'callback-never', times: count })
  for (let index = 0; index < count; index += 1) await till.pay({ ...basket, ...card, reference: `${name}-${index}` })
}

/** A store, and whether it is being asked anything: the gateway's time must not pass while a disk is at work. */
function watched(store: DocumentStore) {
  const under = new Set<Promise<unknown>>()
  const watch =
    <Parameters extends unknown[], Result>(call: (...parameters: Parameters) => Promise<Result>) =>
    (...parameters: Parameters) => {
      const made = call(...parameters).finally(() => under.delete(made))
      under.add(made)
      return made
    }
  const { read, write, postpone, take } = store
  const calls = { read: watch(read), write: watch(write), postpone: watch(postpone), take: watch(take) }
  return { under, store: { ...store, ...calls } as DocumentStore as Store<never> }
}

/** Most questions that came within any stretch of so many milliseconds. */
function mostWithin(gateway: FakeGateway, from: number, milliseconds: number): number {
  const times = gateway
    .calls('status')
    .slice(from)
    .map(({ at }) => at)
  return Math.max(...times.map(start => times.filter(at => at >= start && at < start + milliseconds).length))
}

const engines = [
  ['memory', (clock: () => number) => () => memoryStore({ clock })],
  [
    'a file of SQLite, which each opens for itself',
    (clock: () => number) => {
      const folder = mkdtempSync(join(tmpdir(), 'tillkit-'))
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
      return () => {
        const store = sqliteStore(join(folder, 'shop.db'), { clock })
        onTestFinished(() => store.close())
        return store
      }
    },
  ],
] as const

describe('the work in the background of two processes', () => {
  it.each(engines)('asks no more in a second than was said, together, on %s', async (name, engine) => {
    const gateway = stillGateway()
    const open = engine(gateway.clock.now)
    const shared = watched(open())
    const second = name === 'memory' ? shared : watched(open())
    const told: string[] = []
    const count = name === 'memory' ? 20 : 14
    const one = process(gateway, shared.store, { told })
    const other = process(gateway, second.store, { told })
    await unheardOf(gateway, one, count)
    await gateway.clock.advance(10 * minute)
    const before = gateway.calls('status').length
    await passUntil(gateway, Promise.all([one.tick(), other.tick()]), () => [...shared.under, ...second.under])
    expect(told.sort()).toEqual(Array.from({ length: count }, (_, index) => `basket-${index} paid`).sort())
    // On a busy machine a disk takes so much of the gateway's time that a payment is asked about again.
    if (name === 'memory') expect(gateway.calls('status').length - before).toBe(count)
    for (const seconds of [1, 2, 5])
      expect(mostWithin(gateway, before, seconds * 1_000)).toBeLessThanOrEqual(5 * (seconds + 2))
    // It does not go much slower either.
    const times = gateway.calls('status').map(({ at }) => at)
    expect(Number(times.at(-1)) - Number(times.at(before))).toBeLessThan(10_000)
  })
})

describe('a question that somebody waits for', () => {
  it('is asked at once, and the background makes way for it', async () => {
    const gateway = stillGateway()
    const store = memoryStore({ clock: gateway.clientOptions.clock }) as DocumentStore as Store<never>
    const till = process(gateway, store)
    await unheardOf(gateway, till, 20)
    await gateway.clock.advance(10 * minute)
    const before = gateway.calls('status').length
    const round = till.tick()
    // Twelve callers come at once.
    const waiting = Array.from({ length: 12 }, (_, index) =>
      till.ask(`basket-${19 - index}`).then(({ state }) => state),
    )
    const all = Promise.all(waiting)
    await passUntil(gateway, Promise.all([all, round]))
    expect(new Set(await all)).toEqual(new Set(['paid']))
    const times = gateway
      .calls('status')
      .slice(before)
      .map(({ at }) => at - Number(gateway.calls('status').at(before)?.at))
    expect(times.filter(each => each === 0).length).toBeGreaterThanOrEqual(12)
    // The next question of the background is two seconds later, which is as far as it makes way.
    expect(times.find(each => each > 0)).toBeGreaterThanOrEqual(1_500)
    expect(times.at(-1)).toBeLessThan(8_000)
  })
})

describe('a payment behind many that are due for longer', () => {
  it.each([
    [5, 12],
    [1, 5],
  ])('waits for a few of them, and they for it, at %s questions a second', async (statusPerSecond, count) => {
    const gateway = stillGateway()
    const store = memoryStore({ clock: gateway.clientOptions.clock }) as DocumentStore as Store<never>
    const told: string[] = []
    const till = process(gateway, store, { told, statusPerSecond })
    await unheardOf(gateway, till, count)
    await gateway.clock.advance(5 * minute)
    await unheardOf(gateway, till, 1, 'fresh')
    await gateway.clock.advance(10 * minute)
    await passUntil(gateway, till.tick())
    for (let rounds = 0; rounds < 40 && told.length <= count; rounds += 1) await passUntil(gateway, till.tick())
    expect(told).toHaveLength(count + 1)
    // The earliest first, it would be the last; the latest first, the oldest would be.
    expect(told.indexOf('fresh-0 paid')).toBeLessThan(count - 1)
    expect(told.indexOf('basket-0 paid')).toBeLessThan(count - 1)
  })
})

describe('a document that cannot be read', () => {
  it('is handed out once a minute, and holds up no payment', async () => {
    const gateway = stillGateway()
    const inner = memoryStore({ clock: gateway.clientOptions.clock })
    const { take } = inner
    const handed: string[] = []
    const store = {
      ...inner,
      async take(options: Parameters<typeof take>[0]) {
        const taken = await take(options)
        handed.push(...taken.items.map(({ key }) => key))
        return taken
      },
    } as DocumentStore as Store<never>
    const told: string[] = []
    const till = process(gateway, store, { told })
    await unheardOf(gateway, till, 9)
    const { items } = await store.list({ limit: 1 })
    const key = String(items[0]?.key).replace(/[^/]*$/, 'of-a-later-release')
    await gateway.clock.advance(10 * minute)
    const due = gateway.clock.now() - 1
    await store.write(key, { body: '{"v":99}', due, list: null }, { id: 'later-1' })
    for (let rounds = 0; rounds < 9 && told.length < 9; rounds += 1) await passUntil(gateway, till.tick())
    expect(told).toHaveLength(9)
    expect(handed.filter(each => each === key)).toHaveLength(1)
  })
})

it('works on what it took where the store fails when it takes the rest', async () => {
  const gateway = stillGateway()
  const inner = memoryStore({ clock: gateway.clientOptions.clock })
  const { take } = inner
  let takes = 0
  const store = {
    ...inner,
    async take(options: Parameters<typeof take>[0]) {
      takes += 1
      if (takes === 2) throw new Error('the store is away')
      return take(options)
    },
  } as DocumentStore as Store<never>
  const told: string[] = []
  const till = process(gateway, store, { told })
  await unheardOf(gateway, till, 6)
  await gateway.clock.advance(10 * minute)
  await passUntil(gateway, till.tick())
  expect(told.sort()).toEqual(Array.from({ length: 6 }, (_, index) => `basket-${index} paid`))
})

describe('what pacing costs', () => {
  it('is one write for all that a process asks in a second, and none while nothing is due', async () => {
    const gateway = stillGateway()
    const inner = memoryStore({ clock: gateway.clientOptions.clock })
    const written: string[] = []
    const store = {
      ...inner,
      write: (...parameters: Parameters<typeof inner.write>) => {
        written.push(parameters[0])
        return inner.write(...parameters)
      },
    } as DocumentStore as Store<never>
    const till = process(gateway, store)
    const ofPace = () => written.filter(key => key.startsWith('pace/'))
    await unheardOf(gateway, till, 10)
    await till.tick()
    expect(ofPace()).toEqual([])
    await gateway.clock.advance(10 * minute)
    await passUntil(gateway, till.tick())
    expect(ofPace().length).toBeLessThanOrEqual(10 / 5 + 1)
  })
})

it('refuses a pace that is none', () => {
  const gateway = stillGateway()
  for (const statusPerSecond of [0, -1, Number.NaN, Number.POSITIVE_INFINITY])
    expect(() =>
      createTill({
        account: readyAccount(gateway),
        store: memoryStore() as DocumentStore as Store<never>,
        address: 'https://shop.example/payments',
        returnTo: () => '/',
        onOutcome: () => {},
        statusPerSecond,
      }),
    ).toThrow(/"statusPerSecond" must be a number above 0/)
})

it('keeps no listener of each turn: Node.js would warn of a leak', async () => {
  const warned: Error[] = []
  const note = (warning: Error) => void warned.push(warning)
  globalThis.process.on('warning', note)
  onTestFinished(() => void globalThis.process.off('warning', note))
  const gateway = stillGateway()
  const store = memoryStore({ clock: gateway.clientOptions.clock }) as unknown as Store<never>
  const till = process(gateway, store, { statusPerSecond: 100 })
  await unheardOf(gateway, till, 20)
  await gateway.clock.advance(2 * minute)
  await passUntil(gateway, till.tick())
  await new Promise(resolve => setImmediate(resolve))
  expect(warned.filter(({ name }) => name === 'MaxListenersExceededWarning')).toEqual([])
})
