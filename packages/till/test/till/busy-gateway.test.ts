/** A gateway that is too busy, and questions that are equal: counted in the gateway's calls, by its clock. */
import { defineProfile } from '@tillkit/protocol'
import { createFakeClock, createFakeGateway, type FakeGateway } from '@tillkit/testing'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { memoryStore } from '../../src/store/memory-store.js'
import type { DocumentStore, Store } from '../../src/store/store.js'
import { passUntil } from './pass-until.js'
import { readyAccount } from './ready-account.js'
import { byCard, openShop, type Shop } from './shop.js'

const [second, minute] = [1_000, 60_000]

/** A shop whose time is the gateway's, which stands still until a test moves it. */
async function stillShop({
  jump = () => 0,
  statusPerSecond = 5,
  listens = false,
  ...options
}: {
  /** How far the clock of the store is ahead, in milliseconds. */
  readonly jump?: () => number
  /** Whether the gateway is reached through a socket. */
  readonly listens?: boolean
  readonly statusPerSecond?: number
  readonly retries?: number
} = {}) {
  vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
  const now = Date.now()
  const profile = defineProfile({ orderNeverSeen: '4711' })
  const gateway = createFakeGateway({ profile, clock: createFakeClock({ base: () => now }) })
  const { wait } = gateway.clock
  if (listens) await gateway.listen()
  const store = memoryStore({ clock: () => gateway.clock.now() + jump() })
  const reads: string[] = []
  const read: DocumentStore['read'] = key => {
    reads.push(key)
    return store.read(key)
  }
  const shop = await openShop({
    gateway,
    store: { ...store, read } as DocumentStore as Store<never>,
    accounts: [{ ...readyAccount(gateway), wait, ...options }],
    wait,
    statusPerSecond,
  })
  // A call that a failed test leaves under way ends as time goes on.
  onTestFinished(() => passUntil(gateway, shop.close()))
  return { gateway, shop, reads, asked: () => gateway.calls('status').length }
}

/** Card payments whose callbacks got lost. */
async function unheardOf({ gateway, till }: Shop, ...references: readonly string[]) {
  gateway.faults.arm({ fault: 'callback-never', times: references.length })
  for (const reference of references) await till.pay({ ...byCard, reference })
}

const many = (name: string, count: number) => Array.from({ length: count }, (_, nth) => `${name}-${nth}`)

/** The orders that status was asked about, one after the other, and how long after the first question each was, in milliseconds. */
const questions = (gateway: FakeGateway, from: number): readonly (readonly [order: string, after: number])[] => {
  const calls = gateway.calls('status').slice(from)
  return calls.map(({ fields, at }) => [
    fields.find(([name]) => name === 'client_orderid')?.[1] ?? '',
    at - Number(calls[0]?.at),
  ])
}

const settled = async () => {
  for (let turn = 0; turn < 50; turn += 1) await new Promise(resolve => setImmediate(resolve))
}

describe('a gateway that answers that it is too busy, and when to come again', () => {
  it('is asked nothing until then by anybody, and everything that was due is asked about then', async () => {
    const { gateway, shop, asked } = await stillShop()
    const { till } = shop
    await unheardOf(shop, ...many('basket', 8))
    // An order of that age is asked about again hours later, if it was asked about.
    await gateway.clock.advance(600 * minute)
    const before = asked()
    // HTTP 503, and Retry-After: 300. Five are asked together.
    gateway.faults.arm({ fault: 'maintenance-page', operation: 'status', times: 5 })
    await passUntil(gateway, till.tick())
    expect(asked() - before).toBe(5)
    for (let waited = 0; waited < 4; waited += 1) {
      await gateway.clock.advance(minute)
      expect((await till.ask('basket-7')).state).toBe('open')
      await expect(till.client.status({ clientOrderId: 'basket-3' })).rejects.toMatchObject({
        code: 'ERR_NOT_SENT',
        message: expect.stringContaining('was not asked'),
      })
      await passUntil(gateway, till.tick())
    }
    expect([asked() - before, shop.told]).toEqual([5, []])
    await gateway.clock.advance(minute)
    await passUntil(gateway, till.tick())
    expect(shop.told.sort()).toEqual(many('basket', 8).map(each => `${each} paid 10.00`))
    expect(asked() - before).toBe(13)
  })
})

it('a gateway that is too busy for a payment is asked about it at once', async () => {
  const { gateway, shop, asked } = await stillShop()
  gateway.faults.arm({ fault: 'maintenance-page', operation: 'sale' })
  expect((await shop.till.pay(byCard)).kind).toBe('wait')
  const before = asked()
  await shop.till.ask('basket-7')
  expect(asked() - before).toBe(1)
})

describe('a gateway that answers that it is too busy, and nothing more', () => {
  /** It says so to so many questions. */
  const isBusy = (gateway: FakeGateway, count: number) => {
    let left = count
    gateway.handle({
      status() {
        left -= 1
        return left < 0 ? undefined : { httpStatus: 429, type: 'error', errorMessage: 'Too many requests' }
      },
    })
  }

  it('is asked by those who wait first, one after the other, and then by the background', async () => {
    const { gateway, shop, asked } = await stillShop({ statusPerSecond: 1 })
    const { till } = shop
    await unheardOf(shop, ...many('basket', 8))
    await gateway.clock.advance(10 * minute)
    await unheardOf(shop, ...many('caller', 4))
    const before = asked()
    isBusy(gateway, 1)
    const round = till.tick()
    await vi.waitFor(() => expect(asked() - before).toBe(1))
    await settled()
    const callers = Promise.all(many('caller', 4).map(each => till.ask(each)))
    await passUntil(gateway, Promise.all([round, callers]))
    await passUntil(gateway, till.tick())
    expect(new Set((await callers).map(({ state }) => state))).toEqual(new Set(['paid']))
    const [refused, ...rest] = questions(gateway, before)
    // The question that was refused is put again by whoever put it: it was under way.
    const others = rest.map(([order]) => order).filter(order => order !== refused?.[0])
    expect(others.slice(0, 4)).toEqual(many('caller', 4))
    expect(others.slice(4).every(order => order.startsWith('basket'))).toBe(true)
    const times = rest.map(([, after]) => after)
    for (const [nth, at] of times.entries()) expect(at - (times[nth - 1] ?? 0)).toBeGreaterThanOrEqual(second - 50)
    expect(shop.told).toHaveLength(12)
  })

  it('is asked by a caller before the background, however long that has waited', async () => {
    const { gateway, shop, asked } = await stillShop({ retries: 0 })
    const { till } = shop
    await unheardOf(shop, ...many('basket', 20), 'caller')
    await gateway.clock.advance(10 * minute)
    const busyTimes = 5
    isBusy(gateway, busyTimes)
    for (let times = 0; times < busyTimes; times += 1) {
      await expect(till.client.status({ clientOrderId: 'caller' })).rejects.toThrow('HTTP 429')
      if (times < busyTimes - 1) await gateway.clock.advance(second * 2 ** times)
    }
    // Nothing is asked for sixteen seconds.
    const before = asked()
    const round = till.tick()
    for (let passed = 0; passed < 10; passed += 1) {
      await settled()
      await gateway.clock.advance(second)
    }
    expect(asked()).toBe(before)
    const caller = till.ask('caller')
    await passUntil(gateway, Promise.all([round, caller]))
    expect((await caller).state).toBe('paid')
    expect(questions(gateway, before)[0]?.[0]).toBe('caller')
    await gateway.clock.advance(minute)
    await passUntil(gateway, till.tick())
    expect(shop.told).toHaveLength(21)
  })

  it('is asked ever less often while it goes on saying so, however many wait', async () => {
    const { gateway, shop, asked } = await stillShop()
    const { till } = shop
    await unheardOf(shop, ...many('basket', 30))
    const before = asked()
    isBusy(gateway, Number.POSITIVE_INFINITY)
    const waiting = Promise.all(many('basket', 30).map(each => till.wait(each, { timeout: minute })))
    await passUntil(gateway, waiting)
    // Five at once, and then a few after 1, 3, 7, 15 and 31 seconds.
    expect(asked() - before).toBeLessThanOrEqual(20)
    expect(new Set((await waiting).map(({ state }) => state))).toEqual(new Set(['open']))
  })
})

describe('a hundred callers who ask about one payment', () => {
  it('share three questions at most, and each hears the end', async () => {
    const { shop, asked } = await stillShop()
    await unheardOf(shop, 'basket-7')
    await shop.gateway.clock.advance(minute)
    const before = asked()
    const all = await Promise.all(Array.from({ length: 100 }, () => shop.till.ask('basket-7')))
    expect(new Set(all.map(({ state }) => state))).toEqual(new Set(['paid']))
    expect(asked() - before).toBeLessThanOrEqual(3)
    expect(shop.told).toEqual(['basket-7 paid 10.00'])
  })

  it('ask by till.client.status each for themselves', async () => {
    const { shop, asked } = await stillShop()
    await unheardOf(shop, 'basket-7')
    const before = asked()
    await Promise.all(Array.from({ length: 10 }, () => shop.till.client.status({ clientOrderId: 'basket-7' })))
    expect(asked() - before).toBe(10)
  })
})

describe('answers of absence, while the store’s clock is set on by an hour between two looks at a payment', () => {
  /** A sale whose money the gateway has taken, and whose answer was lost, a quarter of an hour ago. The first questions are held. */
  async function lostSale(heldQuestions: number, isSilent: boolean) {
    const clock = { jump: 0 }
    const still = await stillShop({ jump: () => clock.jump, retries: 0, listens: true })
    const { gateway, shop, reads } = still
    gateway.faults.arm({ fault: 'commit-then-drop', operation: 'sale' })
    gateway.faults.arm({ fault: 'callback-never', operation: 'sale' })
    expect((await shop.till.pay(byCard)).kind).toBe('wait')
    await gateway.clock.advance(16 * minute)
    gateway.faults.arm({ fault: 'status-never-seen', operation: 'status', times: 99 })
    const release: (() => void)[] = []
    let held = 0
    gateway.handle({
      async status() {
        held += 1
        if (held > heldQuestions) return undefined
        await new Promise<void>(resolve => release.push(resolve))
        return isSilent ? { httpStatus: 500, type: 'error', errorMessage: 'Try again' } : undefined
      },
    })
    return {
      ...still,
      clock,
      release,
      /** Somebody asks, and has looked at the payment. */
      async asks(questions: number) {
        const from = reads.length
        const asking = shop.till.ask('basket-7').then(({ state }) => state)
        await vi.waitFor(() => expect(reads.length - from).toBe(2))
        await settled()
        await vi.waitFor(() => expect(held).toBe(questions))
        return { asking }
      },
      /** Nobody takes the sale for one that did nothing: it is not sent again. */
      async isSentOnce() {
        const next = await shop.till.pay(byCard)
        expect(shop.books()).toEqual(['basket-7 sale approved'])
        expect(next.kind).toBe('wait')
        gateway.faults.clear()
        await shop.till.ask('basket-7')
        expect(shop.told).toEqual(['basket-7 paid 10.00'])
      },
    }
  }

  it('are one where two share it', async () => {
    const { asks, clock, release, isSentOnce, asked } = await lostSale(2, true)
    const before = asked()
    const [first, second] = [await asks(1), await asks(2)]
    // Two are under way, and two more share the next.
    const third = await asks(2)
    clock.jump = 60 * minute
    const fourth = await asks(2)
    for (const each of release) each()
    expect(await Promise.all([first, second, third, fourth].map(({ asking }) => asking))).toHaveLength(4)
    const questions = asked() - before
    await isSentOnce()
    // One of the two has the answer that they shared, and the other one asked for itself.
    expect(questions).toBe(4)
  })

  it.each([
    ['the first one first', [0, 1]],
    ['the second one first', [1, 0]],
  ])('are no two apart where their questions were under way together, and answered %s', async (_, order) => {
    const { asks, clock, release, isSentOnce } = await lostSale(2, false)
    const first = await asks(1)
    clock.jump = 60 * minute
    const second = await asks(2)
    const asking = [first.asking, second.asking]
    for (const nth of order) {
      release[nth]?.()
      await asking[nth]
    }
    await isSentOnce()
  })
})
