import { type DocumentStore, defaultProfile, memoryStore } from '@tillkit/protocol'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { statusReply } from '../../test/callback-desk.js'
import { keepPayment, paymentsIn } from '../../test/kept-payments.js'
import { visitLedger } from '../outcomes/ledger.js'
import { visitSettler } from './visit.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const onUnknown = () => undefined

function settlerOn(store: DocumentStore) {
  const client = { status: async () => statusReply(), payments: paymentsIn(store) }
  const polling = { attempts: 4, interval: 1000, wait: async () => undefined }
  const ledger = visitLedger({ store, onOutcome: () => undefined, lease: 120_000 })
  return visitSettler({ client, polling }, ledger, { profile: defaultProfile, warn: () => undefined })
}

describe('visitSettler', () => {
  it('lets a later visit settle where an earlier one was never answered', async () => {
    const store = memoryStore()
    await keepPayment(paymentsIn(store))
    const read = vi.fn(store.read)
    read.mockImplementationOnce(() => new Promise(() => undefined))
    const settle = settlerOn({ ...store, read })
    const earlier = settle({ clientOrderId: 'o-1', onUnknown })
    await vi.advanceTimersByTimeAsync(0)
    const later = settle({ clientOrderId: 'o-1', onUnknown })
    await vi.advanceTimersByTimeAsync(63_999)
    expect(read).toHaveBeenCalledOnce()
    await vi.advanceTimersByTimeAsync(1)
    expect(await earlier).toBeUndefined()
    expect(await later).toMatchObject({ settlement: { kind: 'approved' } })
  })

  it('says that an order is not known', async () => {
    const told = vi.fn()
    const settle = settlerOn(memoryStore())
    expect(await settle({ clientOrderId: 'o-1', onUnknown: told })).toBeUndefined()
    expect(told).toHaveBeenCalledOnce()
  })
})
