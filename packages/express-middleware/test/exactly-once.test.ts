/** A store with transactions: whatever goes wrong, what the handler writes is there once. Counted in the merchant's rows. */
import { setImmediate } from 'node:timers/promises'
import { entryOf, memoryStore, readDocument, type Store, StoreError, tombstoneOf } from '@tillkit/protocol'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type CallbackReceiverOptions, callbackReceiver } from '../src/core.js'
import { callbackDesk, callbackQuery, controlKey, statusReply } from './callback-desk.js'
import { keepPayment, paymentOf, paymentsIn } from './kept-payments.js'

beforeEach(() => void vi.spyOn(process, 'emitWarning').mockReturnValue())
afterEach(() => vi.restoreAllMocks())

const minute = 60_000
const key = 'payment/test/merchant/o-1'

/** What a handler writes its rows with. */
interface Transaction {
  insert(row: string): void
}

const settled = async () => {
  for (let turn = 0; turn < 50; turn += 1) await setImmediate()
}

/** Time goes on, in steps in which everything happens that takes no time. */
async function pass(clock: Kept['clock'], milliseconds: number): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed += 250) {
    await settled()
    await clock.advance(250)
  }
  await settled()
}

/** How a commit fails: `lost` was made, and its answer is lost; `cut` was not made. */
type Failure = 'lost' | 'cut'

/** A store whose commit writes the merchant's rows together with the document, or neither; and the rows. */
async function committingStore() {
  const { clock } = callbackDesk()
  const kept = memoryStore({ clock: clock.now })
  await keepPayment(paymentsIn(kept))
  const rows: string[] = []
  const failures: Failure[] = []
  let commits = 0
  const commit: NonNullable<Store<Transaction>['commit']> = async (of, work, finish) => {
    const mine: string[] = []
    await work({ insert: row => void mine.push(row) })
    const failure = failures.shift()
    commits += 1
    const id = `commit:${commits}`
    if (failure === 'cut') throw new StoreError('ERR_STORE_UNKNOWN', 'The connection was cut at COMMIT.')
    for (;;) {
      const { stored, at } = await kept.read(of)
      const entry = finish(stored)
      if (entry === undefined) return { kind: 'conflict', current: stored, at }
      const written = await kept.write(of, entry, { after: stored?.writeId, id })
      if (written.kind === 'conflict') continue
      rows.push(...mine)
      if (failure === 'lost') throw new StoreError('ERR_STORE_UNKNOWN', 'The connection was lost after COMMIT.')
      return written
    }
  }
  const store: Store<Transaction> = { ...kept, commit }
  return { store, kept, rows, failures, clock }
}

const withoutCommit = ({ commit: _, ...store }: Store<Transaction>): Store => store

type Kept = Awaited<ReturnType<typeof committingStore>>

/** One process of the merchant's. */
function processOn({ store, clock }: Kept, own: Partial<CallbackReceiverOptions<undefined, Transaction>> = {}) {
  const desk = callbackDesk({ store: withoutCommit(store), clock: clock.now, wait: clock.wait })
  const client = { ...desk.client, payments: paymentsIn(store) }
  const seen: string[] = []
  const receiver = callbackReceiver<undefined, Transaction>({
    merchant: { controlKeys: controlKey, client },
    store,
    onOutcome: ({ kind }, { transaction, idempotencyKey }) => {
      seen.push(idempotencyKey)
      transaction.insert(kind)
    },
    onReport: () => undefined,
    clock: clock.now,
    wait: clock.wait,
    interval: 0,
    ...own,
  })
  const callback = async () => (await receiver.receive([...new URLSearchParams(callbackQuery())])).kind
  return { ...desk, client, receiver, callback, seen }
}

describe('a commit whose answer is lost', () => {
  it('was made: the outcome is not told again', async () => {
    const kept = await committingStore()
    kept.failures.push('lost')
    const { callback, seen } = processOn(kept)
    expect([await callback(), await callback()]).toEqual(['failed', 'known'])
    expect([kept.rows, seen.length]).toEqual([['paid'], 1])
  })

  it('was not made: the outcome is told again once the lease is over, and not before', async () => {
    const kept = await committingStore()
    kept.failures.push('cut')
    const { callback, seen } = processOn(kept)
    expect(await callback()).toBe('failed')
    const early = callback()
    await pass(kept.clock, 29_500)
    expect([await early, kept.rows]).toEqual(['busy', []])
    await pass(kept.clock, 1_000)
    expect(await callback()).toBe('known')
    expect([kept.rows, seen.length, new Set(seen).size]).toEqual([['paid'], 2, 1])
  })

  it.each<Failure>(['lost', 'cut'])('is taken up by the next process where this one dies: %s', async failure => {
    const kept = await committingStore()
    kept.failures.push(failure)
    await processOn(kept).callback()
    await kept.clock.advance(2 * minute)
    const next = processOn(kept)
    await next.receiver.resume()
    await settled()
    expect(kept.rows).toEqual(['paid'])
  })
})

describe('a handler', () => {
  it('that outstays its lease writes nothing once the outcome is told elsewhere', async () => {
    const kept = await committingStore()
    const ends: (() => void)[] = []
    const slow = (row: string): Partial<CallbackReceiverOptions<undefined, Transaction>> => ({
      onOutcome: async (_, { transaction }) => {
        await new Promise<void>(resolve => ends.push(resolve))
        transaction.insert(row)
      },
    })
    const first = processOn(kept, slow('first')).callback()
    await settled()
    await pass(kept.clock, 31_000)
    expect(await first).toBe('busy')
    const second = processOn(kept, slow('second')).callback()
    await settled()
    ends[0]?.()
    await settled()
    expect([ends.length, kept.rows]).toEqual([2, []])
    ends[1]?.()
    expect([await second, kept.rows]).toEqual(['told', ['second']])
  })

  it('that hears of a correction while it runs is told of it after, once', async () => {
    const kept = await committingStore()
    const process = processOn(kept, {
      onOutcome: async ({ kind }, { transaction }) => {
        transaction.insert(kind)
        if (kind !== 'paid') return
        await kept.clock.advance(1_000)
        process.desk.status = () => statusReply({ status: 'declined' })
        await settled()
        void process.callback()
        await settled()
      },
    })
    await process.callback()
    await settled()
    await kept.clock.advance(1_000)
    await settled()
    await process.callback()
    expect(kept.rows).toEqual(['paid', 'disputed'])
    expect((await paymentOf(paymentsIn(kept.store)))?.orders[0]?.stages[0]).toMatchObject({ told: 2 })
  })

  it('of eight processes runs once', async () => {
    const kept = await committingStore()
    const all = Promise.all(Array.from({ length: 8 }, () => processOn(kept).callback()))
    await pass(kept.clock, 5_000)
    await all
    expect(kept.rows).toEqual(['paid'])
  })
})

describe('a claim whose write lands late', () => {
  it('is no permission to tell, and is over with its lease', async () => {
    const kept = await committingStore()
    let land = async (): Promise<unknown> => undefined
    const write: Store['write'] = async (of, entry, options) => {
      if (readDocument({ key: of, version: 1, writeId: options.id, body: entry.body }).telling === undefined)
        return kept.kept.write(of, entry, options)
      land = () => kept.kept.write(of, entry, options)
      throw new StoreError('ERR_STORE_UNKNOWN', 'The connection was cut at COMMIT.')
    }
    const dying = processOn({ ...kept, store: { ...kept.store, write } })
    void dying.callback()
    await pass(kept.clock, 10_000)
    await land()
    await pass(kept.clock, 10_000)
    expect([kept.rows, dying.seen]).toEqual([[], []])
    const next = processOn(kept)
    const early = next.callback()
    await pass(kept.clock, 9_000)
    expect([await early, kept.rows]).toEqual(['busy', []])
    await pass(kept.clock, 2_000)
    await next.callback()
    expect([kept.rows, dying.seen]).toEqual([['paid'], []])
  })
})

describe('a payment that is purged', () => {
  it('while status is asked is not told of again', async () => {
    const kept = await committingStore()
    const process = processOn(kept)
    process.desk.status = async () => {
      const { stored, at } = await kept.kept.read(key)
      if (stored !== undefined) {
        const entry = entryOf(tombstoneOf(readDocument(stored), at))
        await kept.kept.write(key, entry, { after: stored.writeId, id: 'purged' })
      }
      return statusReply()
    }
    await process.callback()
    expect(kept.rows).toEqual([])
    expect(await process.callback()).toBe('unmatched')
  })
})

describe('an id that no store can have a payment under', () => {
  it('is kept as unmatched and answered 200', async () => {
    const kept = await committingStore()
    const { receiver, client, asked } = processOn(kept)
    const named = { ...client, payments: { ...client.payments, name: 'n'.repeat(120) } }
    const other = processOn(kept, { merchant: { controlKeys: controlKey, client: named } })
    for (const [each, merchant_order] of [
      [other.receiver, '商'.repeat(128)],
      [receiver, '../../payment/test/merchant/o-1'],
    ] as const) {
      const result = await each.receive([...new URLSearchParams(callbackQuery({ merchant_order }))])
      expect(result).toMatchObject({ kind: 'unmatched', status: 200 })
    }
    expect((await kept.store.list({ list: 'unmatched', limit: 10 })).total).toBe(2)
    expect([asked, kept.rows]).toEqual([[], []])
  })
})
