import { defaultProfile } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { knownOrder, paidPayment } from '../../test/engine/known-sale.js'
import { says } from '../../test/engine/live-intent.js'
import type { VisitResult } from '../intents/customers/visit.js'
import type { Heard, Next } from '../intents/next.js'
import { visitOrder } from './visits.js'

const question = {
  login: 'merchant',
  clientOrderId: 'basket-7',
  attempts: 1,
  interval: 1_000,
  onUnknown: () => undefined,
}
const payment = { ...paidPayment, orders: [knownOrder] }
const { reply } = says('approved')

/** Brings an intent to its delivery, as a run does. */
function askedBy(next: Next<VisitResult>, first: Heard['first'] = payment) {
  const about = { login: 'merchant', clientOrderId: 'basket-7', orderId: '77' }
  const answer = { kind: 'reply', reply, question: about, askedAt: 5, answeredAt: 5 } as const
  const heard = { passed: 0, isFresh: true, deliveries: [], waited: 0, isHandling: false, marks: {}, first }
  const scene = { payment: first, kept: first, at: { earliest: 5, latest: 5 }, gate: 'run/1' }
  next({ ...scene, heard: { ...heard, answers: [] } })
  return next({ ...scene, heard: { ...heard, answers: [answer] } })
}

describe('visitOrder', () => {
  it('shows what status says while the handler still runs', async () => {
    const visited = await visitOrder(question, {
      profile: defaultProfile,
      lease: 30_000,
      drive(next) {
        askedBy(next)
        return new Promise(() => undefined)
      },
    })
    expect(visited).toMatchObject({ order: { orderId: '77' }, settlement: { kind: 'approved' } })
  })

  it('says afterwards how delivering ended', async () => {
    const delivered = { kind: 'failed', cause: new Error('no database'), payment } as const
    const visited = await visitOrder(question, {
      profile: defaultProfile,
      lease: 30_000,
      async drive(next) {
        askedBy(next)
        return { kind: 'asked', delivered }
      },
    })
    expect(await visited?.delivered).toBe(delivered)
  })

  it.each([
    ['no-order', 1],
    ['not-awaited', 0],
  ] as const)('shows nothing where it ends with %s', async (kind, times) => {
    let unknown = 0
    const context = { profile: defaultProfile, lease: 30_000, drive: async () => ({ kind }) as const }
    expect(await visitOrder({ ...question, onUnknown: () => (unknown += 1) }, context)).toBeUndefined()
    expect(unknown).toBe(times)
  })

  it('fails where the payment cannot be read', async () => {
    const context = { profile: defaultProfile, lease: 30_000, drive: () => Promise.reject(new Error('no database')) }
    await expect(visitOrder(question, context)).rejects.toThrow('no database')
  })
})
