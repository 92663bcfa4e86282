/** Outcomes that a visit and a callback may both bring: told once, from whichever comes first. */
import { type AskedSettlement, emptyOrder, settle } from '@tillkit/protocol'
import { describe, expect, it, vi } from 'vitest'
import { memoryInbox } from '../src/callbacks/memory-inbox.js'
import { tellWhileCustomerWaits } from '../src/customer-return/visit.js'
import type { VisitOutcomes } from '../src/outcomes/tell.js'

const order = emptyOrder({ clientOrderId: 'order-1', orderId: '77' })
const expected = { stages: ['sale'], amount: '10.00', currency: 'EUR' } as const

function settlement(said: { status: string; amount?: string }): AskedSettlement {
  const reply = { clientOrderId: 'order-1', orderId: '77', transactionType: 'sale', currency: 'EUR', raw: {} }
  return settle({ order, expected, observation: { reply: { amount: '10.00', ...reply, ...said }, askedAt: 1 } })
}

function outcomes(onOutcome: VisitOutcomes['onOutcome'] = () => undefined) {
  const handler = vi.fn(onOutcome)
  return { handler, outcomes: { login: 'merchant', inbox: memoryInbox(), onOutcome: handler } }
}

describe('tellWhileCustomerWaits', () => {
  it('tells of an outcome once, however many visits race', async () => {
    const { handler, outcomes: told } = outcomes()
    const approved = settlement({ status: 'approved' })
    await Promise.all(Array.from({ length: 20 }, () => tellWhileCustomerWaits(approved, told)))
    expect(handler).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ kind: 'paid', isExpected: true, login: 'merchant' }),
      expect.objectContaining({ idempotencyKey: expect.stringContaining('order-1') }),
    )
  })

  it('tells of an amount that was not expected as something to look at', async () => {
    const { handler, outcomes: told } = outcomes()
    await tellWhileCustomerWaits(settlement({ status: 'approved', amount: '1.00' }), told)
    expect(handler.mock.calls[0]?.[0]).toMatchObject({ kind: 'disputed', reason: 'amount-differs' })
  })

  it('tells of nothing that is not over', async () => {
    const { handler, outcomes: told } = outcomes()
    await tellWhileCustomerWaits(settlement({ status: 'processing' }), told)
    const cause = new Error('no answer')
    await tellWhileCustomerWaits({ kind: 'no-answer', explanation: '', order, cause }, told)
    expect(handler).not.toHaveBeenCalled()
  })

  it('passes on what the handler throws, and tells it again', async () => {
    const { handler, outcomes: told } = outcomes()
    handler.mockRejectedValueOnce(new Error('no database'))
    const approved = settlement({ status: 'approved' })
    await expect(tellWhileCustomerWaits(approved, told)).rejects.toThrow('no database')
    await tellWhileCustomerWaits(approved, told)
    expect(handler).toHaveBeenCalledTimes(2)
  })

  it('lets the customer go on when the handler takes long', async () => {
    vi.useFakeTimers()
    try {
      let finish = (): void => undefined
      const { outcomes: told } = outcomes(
        () =>
          new Promise<void>(resolve => {
            finish = resolve
          }),
      )
      const visit = tellWhileCustomerWaits(settlement({ status: 'approved' }), told)
      await vi.advanceTimersByTimeAsync(5_000)
      await visit
      finish()
    } finally {
      vi.useRealTimers()
    }
  })

  it('drops what the handler throws once the customer has gone on, and tells it again', async () => {
    vi.useFakeTimers()
    try {
      let fail = (_cause: Error): void => undefined
      const { handler, outcomes: told } = outcomes()
      handler.mockImplementationOnce(
        () =>
          new Promise<void>((_resolve, reject) => {
            fail = reject
          }),
      )
      const visit = tellWhileCustomerWaits(settlement({ status: 'approved' }), told)
      await vi.advanceTimersByTimeAsync(5_000)
      await visit
      fail(new Error('no database'))
      await vi.advanceTimersByTimeAsync(0)
      await tellWhileCustomerWaits(settlement({ status: 'approved' }), told)
      expect(handler).toHaveBeenCalledTimes(2)
    } finally {
      vi.useRealTimers()
    }
  })

  it('leaves no timer behind', async () => {
    vi.useFakeTimers()
    try {
      await tellWhileCustomerWaits(settlement({ status: 'approved' }), outcomes().outcomes)
      expect(vi.getTimerCount()).toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })
})
