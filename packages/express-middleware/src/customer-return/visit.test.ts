import { defaultProfile, type StatusRequest } from '@tillkit/protocol'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { price, statusReply } from '../../test/callback-desk.js'
import { visitSettler } from './visit.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const visited = { clientOrderId: 'o-1', orderId: undefined, expected: { stages: ['sale'], ...price } }

describe('visitSettler', () => {
  it('lets a later visit settle where an earlier one was never answered', async () => {
    const status = vi.fn(async () => statusReply())
    status.mockImplementationOnce(() => new Promise(() => undefined))
    const settle = visitSettler({ client: { status }, wait: async () => undefined }, defaultProfile)
    const earlier = settle(visited)
    await vi.advanceTimersByTimeAsync(0)
    const later = settle(visited)
    // A minute, and the pauses that five questions may have between them.
    await vi.advanceTimersByTimeAsync(64_999)
    expect(status).toHaveBeenCalledOnce()
    await vi.advanceTimersByTimeAsync(1)
    expect(await earlier).toBeUndefined()
    expect(await later).toMatchObject({ kind: 'approved' })
  })

  it('tells apart visits of two orders, of two prices and of two ids of the gateway that come together', async () => {
    const status = vi.fn(async ({ clientOrderId = '', orderId = '77' }: StatusRequest) =>
      statusReply({ clientOrderId, orderId, status: orderId === '78' ? 'declined' : 'approved' }),
    )
    const settle = visitSettler({ client: { status }, wait: async () => undefined }, defaultProfile)
    const settled = await Promise.all([
      settle(visited),
      settle({ ...visited, clientOrderId: 'o-2' }),
      settle({ ...visited, expected: { ...visited.expected, amount: '11.00' } }),
      settle({ ...visited, orderId: '78' }),
      settle(visited),
    ])
    expect(settled.map(each => [each?.kind, each?.order.clientOrderId])).toEqual([
      ['approved', 'o-1'],
      ['approved', 'o-2'],
      ['amount-differs', 'o-1'],
      ['declined', 'o-1'],
      ['approved', 'o-1'],
    ])
    // The last one shares the question of the first.
    expect(status).toHaveBeenCalledTimes(4)
  })
})
