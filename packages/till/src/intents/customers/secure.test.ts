import { describe, expect, it, vi } from 'vitest'
import { knownOrder } from '../../../test/engine/known-sale.js'
import { withFacts } from '../../../test/state/facts-of.js'
import type { PaymentDocument } from '../../state/document.js'
import type { ThreeDSecureProgress } from '../../state/known.js'
import type { Scene } from '../next.js'
import { type SecurePlan, secure } from './secure.js'

const about = { clientOrderId: 'basket-7', login: 'merchant' }
const shown = { id: 'trans-1', startedAt: 5_000 }

function payment(threeDSecure?: ThreeDSecureProgress): PaymentDocument {
  const order = threeDSecure === undefined ? knownOrder : { ...knownOrder, threeDSecure }
  return withFacts({ v: 1, reference: 'basket-7', orders: [order] })
}

function lived(known: PaymentDocument | undefined, seen: SecurePlan['seen']) {
  const heard = { passed: 0, answers: [], isFresh: true, marks: {}, deliveries: [], waited: 0, isHandling: false }
  const scene: Scene = { payment: known, kept: known, heard, at: { earliest: 7_000, latest: 7_020 }, gate: 'run/1' }
  const step = secure({ about, seen })(scene)
  if (step.kind !== 'end') throw new Error(step.kind)
  return step
}

describe('secure', () => {
  it('writes down what was seen, at the earliest moment that it may be', () => {
    const { result, payment: after } = lived(payment(), ({ at }) => ({ method: { id: 'trans-1', startedAt: at } }))
    const progress = { done: [], method: { id: 'trans-1', startedAt: 7_000 } }
    expect(result).toEqual({ progress, at: 7_000 })
    expect(after?.orders[0]?.threeDSecure).toEqual(progress)
  })

  it('takes nothing away that was written before', () => {
    const before = { done: ['method trans-1'], method: shown }
    const { result } = lived(payment(before), () => ({ done: ['challenge trans-1'] }))
    expect(result.progress).toEqual({ done: ['method trans-1', 'challenge trans-1'], method: shown })
  })

  it('only reads where nothing was seen', () => {
    const known = payment({ done: ['challenge trans-1'], method: shown })
    const seen = vi.fn(() => ({}))
    const step = lived(known, seen)
    expect(step.payment).toBe(known)
    expect(step.result.progress).toEqual({ done: ['challenge trans-1'], method: shown })
    expect(seen).toHaveBeenCalledWith({ progress: step.result.progress, at: 7_000 })
  })

  it.each([
    ['the payment is not kept', undefined],
    ['no more than its ids is kept', { ...payment(), over: 1 }],
    ['the order is not one of it', { ...payment(), orders: [{ ...knownOrder, clientOrderId: 'basket-7.2r' }] }],
    ['the order is of another account', { ...payment(), orders: [{ ...knownOrder, login: 'other' }] }],
  ])('writes nothing where %s', (_why, known) => {
    const { result, payment: after } = lived(known, () => ({ done: ['challenge trans-1'] }))
    expect(after).toBe(known)
    expect(result).toEqual({ progress: { done: [] }, at: 7_000 })
  })
})
