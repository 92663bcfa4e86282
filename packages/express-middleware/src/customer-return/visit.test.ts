import { type DocumentStore, defaultProfile, memoryStore } from '@tillkit/protocol'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { statusReply } from '../../test/callback-desk.js'
import { keepPayment, paymentsIn } from '../../test/kept-payments.js'
import type { TellingEngine } from '../outcomes/asked.js'
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

  it('lets an engine ask and tell, where there is one', async () => {
    const store = memoryStore()
    const status = vi.fn()
    const client = { status, payments: paymentsIn(store) }
    const order = { clientOrderId: 'o-1', stages: [] }
    const settlement = { kind: 'no-answer', explanation: '', order, cause: undefined } as const
    const told = Promise.resolve({ kind: 'failed', cause: new Error('no database'), reference: 'o-1' } as const)
    const visit = vi.fn(async () => ({ order, settlement, told: told.then(end => ({ ...end, order: undefined })) }))
    const engine: TellingEngine = { settle: vi.fn(), tell: vi.fn(), visit }
    const warn = vi.fn()
    const ledger = visitLedger({ store, onOutcome: () => undefined, engine })
    const polling = { attempts: 4, interval: 300 }
    const settle = visitSettler({ client, polling, engine }, ledger, { profile: defaultProfile, warn })
    expect(await settle({ clientOrderId: 'o-1', attempts: 2, onUnknown })).toEqual({ order, settlement })
    expect(visit).toHaveBeenCalledExactlyOnceWith({
      login: 'merchant',
      clientOrderId: 'o-1',
      attempts: 2,
      interval: 300,
      onUnknown,
    })
    expect([status.mock.calls, warn.mock.calls]).toEqual([
      [],
      [['WARN_HANDLER_FAILED', expect.objectContaining({ explanation: expect.stringContaining('no database') })]],
    ])
  })

  it('says that an order is not known', async () => {
    const told = vi.fn()
    const settle = settlerOn(memoryStore())
    expect(await settle({ clientOrderId: 'o-1', onUnknown: told })).toBeUndefined()
    expect(told).toHaveBeenCalledOnce()
  })
})
