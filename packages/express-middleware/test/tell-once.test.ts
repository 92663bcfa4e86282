/** What a handler does is done once, and in order: across processes that die, fail, race and are late. */
import { memoryStore, type ReceivedOutcome, type Store, StoreError } from '@tillkit/protocol'
import { decodeForm } from '@tillkit/signing'
import { createFakeClock, type FakeClock } from '@tillkit/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { type CallbackReceiverOptions, callbackReceiver, type OnOutcome } from '../src/core.js'
import { callbackQuery, controlKey, statusReply } from './callback-desk.js'
import { keepPayment, partialReturn, paymentsIn } from './kept-payments.js'
import { until } from './serve-desk.js'

const lease = 30_000
const never = () => new Promise<never>(() => undefined)

let clock: FakeClock
let status: ReturnType<typeof statusReply>
beforeEach(() => {
  clock = createFakeClock({ base: () => 1_800_000_000_000 })
  status = statusReply()
})

/** One process of the merchant on a store. @returns What takes a callback about order `o-1`, and its answer. */
function processOn<Transaction>(
  store: Store<Transaction>,
  onOutcome: OnOutcome<Transaction>,
  own: Partial<CallbackReceiverOptions<undefined, Transaction>> = {},
) {
  const reports: string[] = []
  const client = { status: async () => status, payments: paymentsIn(store) }
  const receiver = callbackReceiver<undefined, Transaction>({
    merchant: { controlKeys: controlKey, client },
    store,
    onOutcome,
    onReport: ({ kind }) => void reports.push(kind),
    interval: 0,
    lease,
    clock: clock.now,
    wait: clock.wait,
    ...own,
  })
  const deliver = async (merchantOrder = 'o-1') =>
    (await receiver.receive(decodeForm(callbackQuery({ merchant_order: merchantOrder })))).kind
  return { receiver, deliver, reports }
}

/** How a commit fails: before it, or with its answer lost. */
type Fault = 'before' | 'refused' | 'after'

/** A store with transactions. What a handler puts into one is in `rows` once it is committed with our document. */
function committingStore() {
  const kept = memoryStore({ clock: clock.now })
  const rows: string[] = []
  const faults: Fault[] = []
  let commits = 0
  const store: Store<string[]> = {
    ...kept,
    async commit(key, work, finish) {
      const transaction: string[] = []
      await work(transaction)
      const fault = faults.shift()
      if (fault === 'before') throw new Error('the connection is lost')
      if (fault === 'refused') throw new StoreError('ERR_STORE_REFUSED', 'The disk is full.')
      const { at, stored } = await kept.read(key)
      const entry = finish(stored)
      if (entry === undefined) return { kind: 'conflict', current: stored, at }
      commits += 1
      const written = await kept.write(key, entry, { after: stored?.writeId, id: `commit:${commits}` })
      if (written.kind === 'written') rows.push(...transaction)
      if (fault === 'after') throw new Error('the connection is lost')
      return written
    },
  }
  return { store, rows, faults }
}

/** A handler that writes into its transaction what it was told. */
const writes: OnOutcome<string[]> = ({ kind, reference }, { transaction }) =>
  void transaction.push(`${reference} ${kind}`)

describe('a handler on a store with transactions', () => {
  it('has done its work once, however many processes and deliveries there are', async () => {
    const { store, rows } = committingStore()
    await keepPayment(paymentsIn(store))
    const processes = [processOn(store, writes), processOn(store, writes)]
    const answers = Promise.all(processes.flatMap(({ deliver }) => [deliver(), deliver(), deliver()]))
    await until(() => rows.length > 0)
    // Those that found it claimed look again.
    for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate)
    await clock.advance(250)
    expect(new Set(await answers)).toEqual(new Set(['told', 'known']))
    expect(rows).toEqual(['o-1 paid'])
  })

  it('has done it once where the answer to the commit is lost', async () => {
    const { store, rows, faults } = committingStore()
    await keepPayment(paymentsIn(store))
    faults.push('after')
    const { deliver } = processOn(store, writes)
    expect([await deliver(), await deliver()]).toEqual(['failed', 'known'])
    expect(rows).toEqual(['o-1 paid'])
  })

  it('does it again after the lease where the connection was lost before the commit', async () => {
    const { store, rows, faults } = committingStore()
    await keepPayment(paymentsIn(store))
    faults.push('before')
    const { deliver } = processOn(store, writes)
    expect([await deliver(), rows]).toEqual(['failed', []])
    await clock.advance(lease)
    expect([await deliver(), rows]).toEqual(['told', ['o-1 paid']])
  })

  it.each<[string, Fault | undefined]>([
    ['the store refuses the commit', 'refused'],
    ['the handler throws', undefined],
  ])('does it again with the next delivery where %s', async (_case, fault) => {
    const { store, rows, faults } = committingStore()
    await keepPayment(paymentsIn(store))
    if (fault !== undefined) faults.push(fault)
    let isDown = fault === undefined
    const { deliver } = processOn<string[]>(store, (outcome, context) => {
      void writes(outcome, context)
      if (isDown) throw new Error('the stock is away')
    })
    expect([await deliver(), rows]).toEqual(['handler-failed', []])
    isDown = false
    expect([await deliver(), rows]).toEqual(['told', ['o-1 paid']])
  })

  it('has done nothing where it is late and another process is at it', async () => {
    const { store, rows } = committingStore()
    await keepPayment(paymentsIn(store))
    const goOn: (() => void)[] = []
    const slow: OnOutcome<string[]> = async (outcome, context) => {
      await new Promise<void>(resolve => goOn.push(resolve))
      await writes(outcome, context)
    }
    const [late, next] = [processOn(store, slow, { budget: 2 * lease }), processOn(store, slow)]
    const first = late.deliver()
    await until(() => goOn.length === 1)
    await clock.advance(lease)
    expect(await first).toBe('busy')
    const second = next.deliver()
    await until(() => goOn.length === 2)
    goOn[0]?.()
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate)
    expect(rows).toEqual([])
    goOn[1]?.()
    expect([await second, await late.deliver(), rows]).toEqual(['told', 'known', ['o-1 paid']])
  })

  it('keeps its work where a callback comes while it runs', async () => {
    const { store, rows } = committingStore()
    await keepPayment(paymentsIn(store))
    let goOn = (): void => undefined
    let runs = 0
    const { deliver } = processOn<string[]>(store, async (outcome, context) => {
      runs += 1
      await new Promise<void>(resolve => {
        goOn = resolve
      })
      await writes(outcome, context)
    })
    const first = deliver()
    await until(() => runs === 1)
    const stored = processOn(store, writes, { acknowledge: 'after-stored' })
    expect(await stored.deliver()).toBe('stored')
    goOn()
    expect(await first).toBe('told')
    expect([runs, rows]).toEqual([1, ['o-1 paid']])
  })
})

describe('a process that dies between its handler and the mark that it has run', () => {
  it('is followed by one that tells the outcome again, under the same key and a higher token', async () => {
    const store = memoryStore({ clock: clock.now })
    await keepPayment(paymentsIn(store))
    const told: { readonly key: string; readonly token: number }[] = []
    const notes: OnOutcome = (_outcome, { idempotencyKey: key, fencingToken: token }) => void told.push({ key, token })
    // What it would write after the handler is never written.
    const dying = {
      ...store,
      write: (...all: Parameters<Store['write']>) => (told.length > 0 ? never() : store.write(...all)),
    }
    void processOn(dying, notes).deliver()
    await until(() => told.length === 1)
    const next = processOn(store, notes)
    expect(await next.receiver.resume()).toBe(0)
    await clock.advance(lease)
    expect(await next.receiver.resume()).toBe(1)
    await until(() => next.reports.length === 1)
    const [first, second] = told
    expect([told.length, second?.key]).toEqual([2, first?.key])
    expect(second?.token).toBeGreaterThan(first?.token ?? Number.POSITIVE_INFINITY)
    await clock.advance(lease)
    expect([await next.receiver.resume(), await next.deliver(), told.length]).toEqual([0, 'known', 2])
  })
})

describe('outcomes of one payment', () => {
  const returns = [partialReturn('sn-a', '3.00'), partialReturn('sn-b', '2.00')]
  const replies = [
    statusReply(),
    ...returns.map(({ amount = '', end }) =>
      statusReply({
        transactionType: 'reversal',
        amount,
        ...(end?.serialNumber === undefined ? {} : { byRequestSn: end.serialNumber }),
      }),
    ),
  ]

  it('are told in the order in which they became known, and one that fails holds back the others', async () => {
    const store = memoryStore({ clock: clock.now })
    await keepPayment(paymentsIn(store), [{}, ...returns], replies)
    const told: (string | undefined)[] = []
    let isDown = true
    const { deliver } = processOn(store, ({ stage: { amount } }: ReceivedOutcome) => {
      told.push(amount)
      if (isDown && amount === '3.00') throw new Error('the stock is away')
    })
    expect([await deliver(), await deliver()]).toEqual(['handler-failed', 'handler-failed'])
    expect(told).toEqual(['10.00', '3.00', '3.00'])
    isDown = false
    expect([await deliver(), told.slice(3)]).toEqual(['told', ['3.00', '2.00']])
  })

  it('hold back no other payment', async () => {
    const store = memoryStore({ clock: clock.now })
    for (const clientOrderId of ['o-1', 'o-2', 'o-3']) {
      const own = { ...statusReply(), clientOrderId }
      await keepPayment(paymentsIn(store), [{ clientOrderId }], [own])
    }
    const told: string[] = []
    const { receiver, reports } = processOn(store, ({ reference }: ReceivedOutcome) => {
      if (reference === 'o-1') throw new Error('the stock is away')
      if (reference === 'o-2') return never()
      told.push(reference)
    })
    status = { ...statusReply(), clientOrderId: 'o-3' }
    expect(await receiver.resume()).toBe(3)
    await until(() => told.length === 1 && reports.length === 2)
    expect([told, reports.sort()]).toEqual([['o-3'], ['handler-failed', 'told']])
  })
})
