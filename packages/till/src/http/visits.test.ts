import type { AskedSettlement } from '@tillkit/protocol'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Account } from '../payment/accounts.js'
import type { VisitQuestion } from '../payment/visits.js'
import { createVisits, type VisitsContext } from './visits.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const account = { login: 'merchant' } as Account
const visiting = { account, clientOrderId: 'basket-7', attempts: 5 }
const order = { clientOrderId: 'basket-7', stages: [] }
const settlement: AskedSettlement = { kind: 'no-answer', explanation: '', order, cause: undefined }
const settled = { order, settlement }
const nothing = { ...settled, told: Promise.resolve({ kind: 'nothing' } as const) }

/** Waits by a timer that a test may replace. */
const limit = (milliseconds: number) => new Promise<void>(resolve => setTimeout(resolve, milliseconds))

function open(visit: VisitsContext['visit'], stopsFor?: Parameters<typeof createVisits>[1]) {
  const warn = vi.fn()
  const waits: number[] = []
  const wait = async (milliseconds: number) => void waits.push(milliseconds)
  return { warn, waits, settle: createVisits({ visit, clock: () => 1, wait, warn, limit }, stopsFor) }
}

describe('createVisits', () => {
  it('asks for the customer who waits', async () => {
    const visit = vi.fn(async (_question: VisitQuestion) => nothing)
    const { settle } = open(visit)
    expect(await settle({ ...visiting, attempts: 2 })).toEqual(settled)
    expect(visit).toHaveBeenCalledExactlyOnceWith({
      login: 'merchant',
      clientOrderId: 'basket-7',
      attempts: 2,
      interval: 1_000,
      onUnknown: expect.any(Function),
    })
  })

  it('stops for what it is to stop for, by the account of the order', async () => {
    const stopsFor = vi.fn(() => true)
    const stops: (boolean | undefined)[] = []
    const { settle } = open(async ({ until }) => {
      stops.push(until?.(settlement))
      return nothing
    }, stopsFor)
    await settle(visiting)
    expect([stops, stopsFor.mock.calls]).toEqual([[true], [[settlement, account]]])
  })

  it('settles a thousand visits that come at once in two rounds', async () => {
    let answer = (): void => {}
    const isLet = new Promise<void>(resolve => {
      answer = resolve
    })
    const visit = vi.fn(async () => {
      await isLet
      return nothing
    })
    const { settle } = open(visit)
    const first = settle(visiting)
    await vi.advanceTimersByTimeAsync(0)
    const others = Array.from({ length: 999 }, () => settle(visiting))
    answer()
    expect(await Promise.all([first, ...others])).toEqual(Array(1_000).fill(settled))
    expect(visit).toHaveBeenCalledTimes(2)
  })

  it('leaves a quarter of a second between two rounds about one order, and none between two orders', async () => {
    const { settle, waits } = open(async () => nothing)
    await settle(visiting)
    await settle({ ...visiting, clientOrderId: 'basket-8' })
    expect(waits).toEqual([])
    await settle(visiting)
    expect(waits).toEqual([250])
  })

  it('lets a later visit settle where an earlier one was never answered', async () => {
    const visit = vi.fn<VisitsContext['visit']>(async () => nothing)
    visit.mockImplementationOnce(() => new Promise(() => undefined))
    const { settle } = open(visit)
    const earlier = settle(visiting)
    await vi.advanceTimersByTimeAsync(0)
    const later = settle(visiting)
    await vi.advanceTimersByTimeAsync(64_999)
    expect(visit).toHaveBeenCalledOnce()
    await vi.advanceTimersByTimeAsync(1)
    expect([await earlier, await later]).toEqual([undefined, settled])
  })

  it('lets the customer go on after five seconds of the handler, and warns where it fails afterwards', async () => {
    let fail = (): void => {}
    const told = new Promise<{ kind: 'failed'; cause: Error; reference: string }>(resolve => {
      fail = () => resolve({ kind: 'failed', cause: new Error('no database'), reference: 'basket-7' })
    })
    const { settle, warn } = open(async () => ({ ...settled, told }))
    let isBack = false
    const visit = settle(visiting).then(result => {
      isBack = true
      return result
    })
    await vi.advanceTimersByTimeAsync(4_999)
    expect(isBack).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(await visit).toEqual(settled)
    expect(warn).not.toHaveBeenCalled()
    fail()
    await vi.advanceTimersByTimeAsync(0)
    expect(warn).toHaveBeenCalledExactlyOnceWith(
      'WARN_HANDLER_FAILED',
      expect.objectContaining({ explanation: expect.stringContaining('no database') }),
    )
  })

  it('lets the customer go on where it is not known whether the handler was told, and warns', async () => {
    const cause = new Error('the answer to the commit was lost')
    const { settle, warn } = open(async () => ({ ...settled, told: Promise.reject(cause) }))
    expect(await settle(visiting)).toEqual(settled)
    expect(warn).toHaveBeenCalledExactlyOnceWith(
      'WARN_STORE_FAILED',
      expect.objectContaining({ explanation: expect.stringContaining('"basket-7"'), cause }),
    )
  })

  it('says that an order is not kept', async () => {
    const { settle, warn } = open(async ({ onUnknown }) => {
      onUnknown()
      return undefined
    })
    expect(await settle(visiting)).toBeUndefined()
    expect(warn).toHaveBeenCalledExactlyOnceWith(
      'WARN_CUSTOMER_REFUSED',
      expect.objectContaining({ reason: 'unknown-order', explanation: expect.stringContaining('"basket-7"') }),
    )
  })

  it('fails where the store does, for all who share the round, and settles the next one', async () => {
    const visit = vi.fn<VisitsContext['visit']>(async () => nothing)
    visit.mockRejectedValueOnce(new Error('the store is away'))
    const { settle } = open(visit)
    await expect(settle(visiting)).rejects.toThrow('the store is away')
    expect(await settle(visiting)).toEqual(settled)
  })
})
