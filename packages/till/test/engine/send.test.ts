/** One request by the engine's driver, over real HTTP, with stores that fail and processes that die. Counted in the gateway's books. */
import { createClient } from '@tillkit/client'
import { defaultProfile, operations } from '@tillkit/protocol'
import { createFakeClock, createFakeGateway } from '@tillkit/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createAdvance } from '../../src/engine/advance.js'
import { type DriveOptions, drive, type RecordedStep } from '../../src/engine/driver.js'
import { createNews } from '../../src/engine/news.js'
import { type Ended, newRun } from '../../src/engine/run.js'
import { createTurns } from '../../src/engine/turns.js'
import { type SendResult, send } from '../../src/intents/send.js'
import { readDocument } from '../../src/rules/kept/entry.js'
import { paymentOf } from '../../src/rules/pay/payment.js'
import { documentKey } from '../../src/store/keys.js'
import { memoryStore } from '../../src/store/memory-store.js'
import { type DocumentStore, StoreError } from '../../src/store/store.js'
import { dyingStore } from '../till/dying-store.js'
import { sale } from './sale.js'

const patience = 30_000
const key = documentKey({ clientOrderId: 'basket-7' }, { name: 'merchant', environment: 'test' })

async function openShop() {
  const clock = createFakeClock({ base: () => Date.UTC(2026, 0, 5) })
  const gateway = createFakeGateway({ clock })
  await gateway.listen()
  const client = createClient(gateway.clientOptions)
  onTestFinished(async () => {
    await client.close()
    await gateway.close()
  })
  const store = memoryStore({ clock: clock.now })
  const closed = new AbortController()
  const { description } = client.prepare(operations.sale, sale)
  if (description === undefined) throw new Error('A sale is described.')
  const next = send({ attempt: { ...description, attemptId: 'basket-7' }, timeout: patience })
  let runs = 0
  /** A process presses the button. */
  const press = (options: Partial<DriveOptions<SendResult>> = {}) => {
    runs += 1
    const prepared = client.prepare(operations.sale, sale)
    return drive({
      id: `run-${runs}`,
      key,
      next,
      store,
      send: async (_, startWithin) => (await prepared.send({ startWithin })).end ?? { kind: 'unknown', at: 0 },
      patience,
      clocks: { system: clock.now, monotonic: clock.now },
      profileOf: () => defaultProfile,
      turns: createTurns(),
      news: createNews(),
      ask: async question => ({ kind: 'no-answer', question, askedAt: 0, answeredAt: 0 }),
      // Pauses pass at once; a caller waits by the clock.
      wait: (milliseconds, signal) =>
        signal === closed.signal ? new Promise(resolve => setImmediate(resolve)) : clock.wait(milliseconds, signal),
      closed: closed.signal,
      ...options,
    })
  }
  const kept = async () => {
    const { stored } = await store.read(key)
    if (stored === undefined) return []
    const { timeline } = paymentOf(readDocument(stored), { reference: 'basket-7', at: 0, profile: defaultProfile })
    return timeline.map(each => (each.kind === 'answered' ? `answered ${each.ended}` : each.kind))
  }
  return { gateway, clock, store, next, press, kept, closed, books: () => gateway.orders.list().length }
}

const accepted = { kind: 'done', result: { kind: 'ended', end: { kind: 'accepted' } } }
const notSent = { kind: 'done', result: { kind: 'ended', end: { kind: 'not-sent' } } }

const wasAccepted = (ended: Ended<SendResult>): boolean =>
  ended.kind === 'done' && ended.result.kind === 'ended' && ended.result.end.kind === 'accepted'

/** A store that fails at some calls of `write`, counted from 0. @param isDone Whether it writes all the same. */
function failingStore(
  store: DocumentStore,
  fails: (call: number) => Error | undefined | Promise<Error | undefined>,
  isDone = false,
) {
  let calls = 0
  return {
    ...store,
    async write(...given: Parameters<DocumentStore['write']>) {
      calls += 1
      const error = await fails(calls - 1)
      if (error === undefined) return store.write(...given)
      if (isDone) await store.write(...given)
      throw error
    },
    calls: () => calls,
  }
}

describe('a request by the driver', () => {
  it('is written down, sent, and its end written down, before the caller hears of it', async () => {
    const shop = await openShop()
    expect(await shop.press().result).toMatchObject(accepted)
    expect([shop.books(), await shop.kept()]).toEqual([1, ['opened', 'requested', 'answered accepted']])
    expect(await shop.press().result).toMatchObject({
      kind: 'done',
      result: { kind: 'refused', why: { kind: 'already-sent' } },
    })
    expect(shop.books()).toBe(1)
  })

  it.each([0, 1, 2, 3])('is sent once where another process presses at call %d of the store', async at => {
    const shop = await openShop()
    let calls = 0
    let other: Promise<Ended<SendResult>> | undefined
    const between = async (): Promise<void> => {
      if (calls === at) other = shop.press().result
      calls += 1
      await (calls === at + 1 ? other : undefined)
    }
    const store: Pick<DocumentStore, 'read' | 'write'> = {
      read: async each => {
        await between()
        return shop.store.read(each)
      },
      write: async (...given) => {
        await between()
        return shop.store.write(...given)
      },
    }
    const mine = await shop.press({ store }).result
    const ends = [mine, await other].filter(each => each !== undefined)
    expect(shop.books()).toBe(1)
    expect(ends.map(wasAccepted).filter(Boolean)).toHaveLength(1)
  })

  it.each([0, 1, 2].flatMap(at => (['before', 'after'] as const).map(when => ({ at, when }))))(
    'is not sent again where its process dies $when call $at of the store, and another one presses',
    async death => {
      const shop = await openShop()
      const dying = dyingStore(shop.store, death)
      void shop.press({ store: dying.store }).result
      await dying.died
      const again = await shop.press().result
      // Only a process that died before its request was written down has sent nothing.
      const wasWritten = death.at > 1 || (death.at === 1 && death.when === 'after')
      expect(again).toMatchObject(wasWritten ? { result: { kind: 'refused' } } : accepted)
      expect(shop.books()).toBeLessThanOrEqual(1)
    },
  )

  it.each([0, 1])('is sent once where the answer of write %d is lost, whether it was written or not', async lost => {
    for (const isDone of [true, false]) {
      const shop = await openShop()
      const store = failingStore(shop.store, call => (call === lost ? new Error('the line broke') : undefined), isDone)
      expect(await shop.press({ store }).result).toMatchObject(accepted)
      expect([shop.books(), store.calls()]).toEqual([1, 3])
      expect(await shop.kept()).toEqual(['opened', 'requested', 'answered accepted'])
    }
  })

  it.each([true, false])('is given back where the store answers too late, written or not: %s', async isDone => {
    const shop = await openShop()
    const store = failingStore(
      shop.store,
      async call => {
        if (call > 2) return undefined
        await shop.clock.advance(20_000)
        return new Error('the line broke')
      },
      isDone,
    )
    const driven = shop.press({ store })
    expect(await driven.result).toMatchObject({ kind: 'failed' })
    await driven.over
    expect([shop.books(), (await shop.kept()).slice(-1)]).toEqual([0, ['answered not-sent']])
    expect(await shop.press().result).toMatchObject(accepted)
    expect(shop.books()).toBe(1)
  })

  it('is not sent where writing it down took the time in which it may start', async () => {
    const shop = await openShop()
    const store = {
      ...shop.store,
      async write(...given: Parameters<DocumentStore['write']>) {
        const written = await shop.store.write(...given)
        if (given[2].after === undefined) await shop.clock.advance(patience)
        return written
      },
    }
    expect(await shop.press({ store }).result).toMatchObject(notSent)
    expect([shop.books(), (await shop.kept()).slice(-1)]).toEqual([0, ['answered not-sent']])
  })

  it('may start for what is left of the time, counted from before the store was asked', async () => {
    const shop = await openShop()
    const store = {
      ...shop.store,
      async write(...given: Parameters<DocumentStore['write']>) {
        const written = await shop.store.write(...given)
        if (given[2].after === undefined) await shop.clock.advance(10_000)
        return written
      },
    }
    const left: number[] = []
    const dispatch = async (_: unknown, startWithin: number) => {
      left.push(startWithin)
      return { kind: 'not-sent', at: 0 } as const
    }
    await shop.press({ store, send: dispatch }).over
    expect(left).toEqual([20_000])
  })

  it.each([3_600_000, -3_600_000])('goes by both clocks where one is set by %d ms before it is sent', async by => {
    const shop = await openShop()
    let off = 0
    const store = {
      ...shop.store,
      async write(...given: Parameters<DocumentStore['write']>) {
        const written = await shop.store.write(...given)
        if (given[2].after === undefined) off = by
        return written
      },
    }
    const clocks = { system: () => shop.clock.now() + off, monotonic: shop.clock.now }
    const result = await shop.press({ store, clocks }).result
    // Set ahead, the time may be over: nothing is sent. Set back, the other clock says that it is not.
    expect(result).toMatchObject(by > 0 ? notSent : accepted)
    expect(shop.books()).toBe(by > 0 ? 0 : 1)
  })

  it('has its end written down once the tables of the store are right again', async () => {
    const shop = await openShop()
    const wrong = new StoreError('ERR_STORE_SCHEMA', 'the tables are of a later release')
    const store = failingStore(shop.store, call => (call > 0 && call < 5 ? wrong : undefined))
    expect(await shop.press({ store }).result).toMatchObject(accepted)
    expect(await shop.kept()).toEqual(['opened', 'requested', 'answered accepted'])
  })

  it('has its end written down once the disk of the store has room again', async () => {
    const shop = await openShop()
    const full = new StoreError('ERR_STORE_REFUSED', 'the disk is full')
    const store = failingStore(shop.store, call => (call > 0 && call < 5 ? full : undefined))
    expect(await shop.press({ store }).result).toMatchObject(accepted)
    expect(await shop.kept()).toEqual(['opened', 'requested', 'answered accepted'])
  })

  it('says how it ended where the store hangs, and writes that down once it answers', async () => {
    const shop = await openShop()
    let answers = () => {}
    const hangs = new Promise<undefined>(resolve => {
      answers = () => resolve(undefined)
    })
    const store = failingStore(shop.store, call => (call === 1 ? hangs : undefined))
    const driven = shop.press({ store })
    while (store.calls() < 2) await new Promise(resolve => setImmediate(resolve))
    await shop.clock.advance(5_000)
    const message = 'the store did not take it within 5000 ms; it is tried again until it does'
    const cause = new StoreError('ERR_STORE_UNKNOWN', message)
    expect(await driven.result).toMatchObject({ ...accepted, unwritten: { cause } })
    expect(await shop.kept()).toEqual(['opened', 'requested'])
    answers()
    await driven.over
    expect(await shop.kept()).toEqual(['opened', 'requested', 'answered accepted'])
  })

  it('is not sent where the caller leaves while the store hangs, and is given back once it answers', async () => {
    const shop = await openShop()
    const caller = new AbortController()
    let answers = () => {}
    const hangs = new Promise<undefined>(resolve => {
      answers = () => resolve(undefined)
    })
    const store = failingStore(shop.store, call => (call === 0 ? hangs : undefined))
    const driven = shop.press({ store, signal: caller.signal })
    while (store.calls() < 1) await new Promise(resolve => setImmediate(resolve))
    const cause = new Error('the customer has left')
    caller.abort(cause)
    expect(await driven.result).toEqual({ kind: 'failed', cause })
    answers()
    await driven.over
    expect([shop.books(), await shop.kept()]).toEqual([0, ['opened', 'requested', 'answered not-sent']])
  })

  it('says how it ended where everything is closed before that could be written down', async () => {
    const shop = await openShop()
    const store = failingStore(shop.store, call => {
      if (call === 3) shop.closed.abort()
      return call === 0 ? undefined : new Error('the line broke')
    })
    expect(await shop.press({ store }).result).toMatchObject({ ...accepted, unwritten: {} })
    expect(shop.books()).toBe(1)
  })

  it('takes its turn in its process: of eight at once one is sent, and none meets a write of another', async () => {
    const shop = await openShop()
    const [turns, kinds] = [createTurns(), new Set<string>()]
    const record = ({ event }: RecordedStep) => void kinds.add(event.kind)
    const all = await Promise.all(Array.from({ length: 8 }, () => shop.press({ turns, record }).result))
    expect(all.filter(wasAccepted)).toHaveLength(1)
    expect([shop.books(), kinds.has('conflict')]).toEqual([1, false])
  })

  it('holds nobody else up where the store hangs: another one is sent once its own caller has left', async () => {
    const shop = await openShop()
    const turns = createTurns()
    let answers = () => {}
    const hangs = new Promise<undefined>(resolve => {
      answers = () => resolve(undefined)
    })
    const store = failingStore(shop.store, call => (call === 0 ? hangs : undefined))
    const first = shop.press({ store, turns })
    const second = shop.press({ turns })
    while (store.calls() < 1) await new Promise(resolve => setImmediate(resolve))
    await shop.clock.advance(29_000)
    const third = shop.press({ turns })
    await shop.clock.advance(1_000)
    expect(await first.result).toMatchObject({ kind: 'failed' })
    expect(await second.result).toMatchObject({ kind: 'failed' })
    expect(await third.result).toMatchObject(accepted)
    answers()
    await first.over
    expect([shop.books(), await shop.kept()]).toEqual([1, ['opened', 'requested', 'answered accepted']])
  })

  it('sends nothing where the store is closed, or takes no request', async () => {
    for (const code of ['ERR_STORE_CLOSED', 'ERR_STORE_REFUSED', 'ERR_STORE_SCHEMA'] as const) {
      const shop = await openShop()
      const cause = new StoreError(code, 'it takes nothing')
      const store = failingStore(shop.store, () => cause)
      expect(await shop.press({ store }).result).toEqual({ kind: 'failed', cause })
      expect([shop.books(), await shop.kept()]).toEqual([0, []])
    }
  })

  it('stops where everything is closed while the store does not answer', async () => {
    const shop = await openShop()
    const store = failingStore(shop.store, call => {
      if (call === 3) shop.closed.abort()
      return new Error('the line broke')
    })
    const driven = shop.press({ store })
    expect(await driven.result).toMatchObject({ kind: 'failed' })
    await driven.over
    expect(shop.books()).toBe(0)
  })

  it('is recorded step by step, and the runner gives the same steps again', async () => {
    const shop = await openShop()
    const lines: RecordedStep[] = []
    const store = failingStore(shop.store, call => (call === 1 ? new Error('the line broke') : undefined))
    await shop.press({ store, record: line => lines.push(line) }).over
    const advance = createAdvance(shop.next, () => defaultProfile)
    let run = newRun<SendResult>('run-1', patience)
    const again = lines.map(({ event, at }) => {
      const after = advance(run, event, at)
      run = after.run
      return after.effect
    })
    expect(again).toEqual(lines.map(({ effect }) => effect))
    expect(lines.map(({ event }) => event.kind)).toEqual(['began', 'read', 'written', 'sent', 'unknown', 'written'])
  })
})
