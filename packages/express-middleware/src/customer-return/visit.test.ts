import { emptyOrder } from '@tillkit/protocol'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { statusReply } from '../../test/callback-desk.js'
import { visitSettler } from './visit.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const onUnknown = () => undefined

describe('visitSettler', () => {
  it('lets a later visit settle where an earlier one was never answered', async () => {
    const order = vi.fn(async ({ clientOrderId }: { readonly clientOrderId: string }) => ({
      order: emptyOrder({ clientOrderId, orderId: '77' }),
      expected: { stages: ['sale'] } as const,
    }))
    order.mockImplementationOnce(() => new Promise(() => undefined))
    const settle = visitSettler({
      client: { status: async () => statusReply() },
      order,
      onSettlement: () => undefined,
      polling: { attempts: 4, interval: 1000, wait: async () => undefined },
    })
    const earlier = settle({ clientOrderId: 'o-1', onUnknown })
    await vi.advanceTimersByTimeAsync(0)
    const later = settle({ clientOrderId: 'o-1', onUnknown })
    await vi.advanceTimersByTimeAsync(63_999)
    expect(order).toHaveBeenCalledOnce()
    await vi.advanceTimersByTimeAsync(1)
    expect(await earlier).toBeUndefined()
    expect(await later).toMatchObject({ settlement: { kind: 'approved' } })
  })

  it('says that an order is not known, and leaves no timer behind', async () => {
    const told = vi.fn()
    const settle = visitSettler({ client: { status: async () => statusReply() }, order: () => undefined })
    expect(await settle({ clientOrderId: 'o-1', onUnknown: told })).toBeUndefined()
    expect(told).toHaveBeenCalledOnce()
    expect(vi.getTimerCount()).toBe(0)
  })
})
