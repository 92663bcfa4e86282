import { defaultProfile } from '@tillkit/protocol'
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
    const polling = { attempts: 4, interval: 1000, wait: async () => undefined }
    const settle = visitSettler({ client: { status }, polling }, defaultProfile)
    const earlier = settle(visited)
    await vi.advanceTimersByTimeAsync(0)
    const later = settle(visited)
    // A minute, and the pauses that four questions may have between them.
    await vi.advanceTimersByTimeAsync(63_999)
    expect(status).toHaveBeenCalledOnce()
    await vi.advanceTimersByTimeAsync(1)
    expect(await earlier).toBeUndefined()
    expect(await later).toMatchObject({ kind: 'approved' })
  })
})
