/** Outcomes that visits, callbacks and other processes may all bring: told once, from whichever comes first. */
import { defaultProfile, memoryStore, type StatusResponse } from '@tillkit/protocol'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { callbackReceiver, type OnOutcome, tellOutcomes } from '../src/core.js'
import { visitSettler } from '../src/customer-return/visit.js'
import { visitLedger } from '../src/outcomes/ledger.js'
import { callbackQuery, controlKey, statusReply } from './callback-desk.js'
import { keepPayment, paymentsIn } from './kept-payments.js'

/** Processes of a merchant on one store, which one handler is told in. */
async function merchant(onOutcome: OnOutcome = () => undefined) {
  const handler = vi.fn(onOutcome)
  const store = memoryStore()
  const payments = paymentsIn(store)
  await keepPayment(payments)
  const warned: string[] = []
  let says: Partial<StatusResponse> | Error = {}
  const client = {
    payments,
    status: vi.fn(async () => {
      if (says instanceof Error) throw says
      return statusReply(says)
    }),
  }
  /** One more process. @returns Its visits of the order. */
  const process = () => {
    const settle = visitSettler(
      { client, polling: { attempts: 1, interval: 0 } },
      visitLedger({ store, onOutcome: handler }),
      { profile: defaultProfile, warn: (code, { explanation }) => warned.push(`${code} ${explanation}`) },
    )
    return () => settle({ clientOrderId: 'o-1', onUnknown: () => undefined })
  }
  return {
    handler,
    warned,
    store,
    client,
    process,
    kinds: () => handler.mock.calls.map(([{ kind }]) => kind),
    statusSays: (reply: typeof says) => {
      says = reply
    },
  }
}

describe('an outcome that a visit brings', () => {
  it('is told once, however many visits of however many processes race', async () => {
    const { handler, process } = await merchant()
    const visits = Array.from({ length: 4 }, () => process())
    const settled = await Promise.all(Array.from({ length: 20 }, (_each, at) => visits[at % 4]?.()))
    expect(settled.map(each => each?.settlement.kind)).toEqual(Array(20).fill('approved'))
    expect(handler).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ kind: 'paid', isExpected: true, login: 'merchant' }),
      expect.objectContaining({ idempotencyKey: expect.stringContaining('o-1') }),
    )
  })

  it('is shown to a customer for whom a callback in another process brought it first, and not told again', async () => {
    const { handler, process, store, client, kinds } = await merchant()
    const receiver = callbackReceiver({ merchant: { controlKeys: controlKey, client }, store, onOutcome: handler })
    expect(await receiver.receive([...new URLSearchParams(callbackQuery())])).toMatchObject({ kind: 'told' })
    expect(await process()()).toMatchObject({ settlement: { kind: 'approved' } })
    expect(kinds()).toEqual(['paid'])
  })

  it('is told as something to look at where the amount was not expected', async () => {
    const { handler, process, statusSays } = await merchant()
    statusSays({ amount: '1.00' })
    await process()()
    expect(handler.mock.calls[0]?.[0]).toMatchObject({ kind: 'disputed', reason: 'amount-differs' })
  })

  it('is none where the payment is not over, or nobody answers', async () => {
    const { process, statusSays, kinds } = await merchant()
    statusSays({ status: 'processing' })
    expect(await process()()).toMatchObject({ settlement: { kind: 'not-final' } })
    statusSays(new Error('no answer'))
    expect(await process()()).toMatchObject({ settlement: { kind: 'no-answer' } })
    expect(kinds()).toEqual([])
  })

  it('is told again after the handler has failed, which the process is warned of and the customer does not see', async () => {
    const { handler, process, kinds, warned } = await merchant()
    handler.mockRejectedValueOnce(new Error('no database'))
    expect(await process()()).toMatchObject({ settlement: { kind: 'approved' } })
    expect(warned).toEqual([
      'WARN_HANDLER_FAILED Your handler failed for payment "o-1": Error: no database. It is told again; a till lists it under "failing" of till.report().',
    ])
    await process()()
    expect(kinds()).toEqual(['paid', 'paid'])
  })
})

describe('a handler that takes longer than a customer waits', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('lets the customer go on, and is done afterwards', async () => {
    let finish = (): void => undefined
    const { process, client, store, handler, kinds } = await merchant(
      () =>
        new Promise<void>(resolve => {
          finish = resolve
        }),
    )
    const visit = process()()
    await vi.advanceTimersByTimeAsync(5_000)
    expect(await visit).toMatchObject({ settlement: { kind: 'approved' } })
    finish()
    await vi.advanceTimersByTimeAsync(0)
    expect(await tellOutcomes('o-1', { client, store, onOutcome: handler })).toBe('nothing')
    expect(kinds()).toEqual(['paid'])
  })

  it('is told again where it fails afterwards', async () => {
    let fail = (_cause: Error): void => undefined
    const { process, client, store, handler, kinds, warned } = await merchant()
    handler.mockImplementationOnce(
      () =>
        new Promise<void>((_resolve, reject) => {
          fail = reject
        }),
    )
    const visit = process()()
    await vi.advanceTimersByTimeAsync(5_000)
    await visit
    fail(new Error('no database'))
    await vi.advanceTimersByTimeAsync(0)
    expect(warned).toEqual([expect.stringContaining('no database')])
    expect(await tellOutcomes('o-1', { client, store, onOutcome: handler })).toBe('told')
    expect(kinds()).toEqual(['paid', 'paid'])
  })
})
