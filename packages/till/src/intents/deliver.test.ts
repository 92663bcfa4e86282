import { describe, expect, it } from 'vitest'
import { sceneOf } from '../../test/engine/scene.js'
import { withFacts } from '../../test/state/facts-of.js'
import { claimDelivery } from '../rules/delivery/delivery.js'
import type { PaymentDocument } from '../state/document.js'
import { deliver } from './deliver.js'
import type { DeliveryEnd, Heard } from './next.js'

const approved = { stage: 'sale', status: 'approved', outcome: 'approved', askedAt: 1_000, corrections: [] } as const
const payment = (told?: number): PaymentDocument =>
  withFacts({
    v: 1,
    reference: 'basket-7',
    orders: [
      {
        login: 'merchant',
        clientOrderId: 'basket-7',
        attempts: [],
        stages: [{ ...approved, ...(told === undefined ? {} : { told }) }],
      },
    ],
  })
/** The same payment, whose outcome somebody tells until 40,000. */
const leased = (token: string): PaymentDocument => {
  const claim = claimDelivery(payment(), { token, at: 10_000, lease: 30_000 })
  if (claim.kind !== 'claimed') throw new Error(claim.kind)
  return claim.document
}

const step = (document: PaymentDocument | undefined, heard: Partial<Heard> = {}, at = 20_000) =>
  deliver({ lease: 30_000 })(sceneOf(document, heard, { earliest: at, latest: at + 5 }))
const after = (end: DeliveryEnd) => ({ deliveries: [end] })

describe('deliver', () => {
  it('leases what was not told, in its own name and from the earliest moment that it may be', () => {
    expect(step(payment())).toMatchObject({
      kind: 'deliver',
      payment: { telling: { token: 'run/3', order: 0, stage: 0, words: 1, until: 50_000 } },
    })
  })

  it('says that there is nothing where all was told, or nothing is kept', () => {
    expect(step(payment(1))).toMatchObject({ kind: 'end', result: { kind: 'nothing', payment: payment(1) } })
    expect(step(undefined)).toMatchObject({ kind: 'end', result: { kind: 'nothing', payment: undefined } })
  })

  it('says that it has told all once nothing is left, also where only the store knew that it was committed', () => {
    expect(step(payment(1), after({ kind: 'told', token: 'run/1' }))).toMatchObject({ result: { kind: 'told' } })
    const lost = { kind: 'unknown', token: 'run/1', cause: 'the connection was lost' } as const
    expect(step(payment(1), after(lost))).toMatchObject({ result: { kind: 'told' } })
  })

  it('does not know where its own lease is still there', () => {
    const lost = { kind: 'unknown', token: 'run/1', cause: 'the connection was lost' } as const
    expect(step(leased('run/1'), after(lost))).toMatchObject({ result: { kind: 'unknown', cause: lost.cause } })
    expect(step(leased('run/1'), after({ kind: 'told', token: 'run/1' }))).toMatchObject({
      result: { kind: 'unknown' },
    })
  })

  it('waits while somebody else has the lease, and takes it over once it is surely over', () => {
    expect(step(leased('other'))).toEqual({ kind: 'wait', milliseconds: 250 })
    expect(step(leased('other'), {}, 39_999)).toMatchObject({ kind: 'wait' })
    expect(step(leased('other'), {}, 40_000)).toMatchObject({
      kind: 'deliver',
      payment: { telling: { token: 'run/3' } },
    })
  })

  it('waits no longer than a lease, and not at all once nobody waits for it', () => {
    expect(step(leased('other'), { waited: 30_000 })).toMatchObject({ kind: 'wait' })
    expect(step(leased('other'), { waited: 30_001 })).toMatchObject({ result: { kind: 'busy' } })
    expect(step(payment(), { passed: Number.POSITIVE_INFINITY })).toMatchObject({ result: { kind: 'busy' } })
  })

  it('begins no handler beside one that runs here and has outstayed its lease', () => {
    expect(step(leased('other'), { isHandling: true }, 40_000)).toMatchObject({ result: { kind: 'busy' } })
  })

  it('tells nothing more once a handler has failed or outstayed its lease', () => {
    const failed = { kind: 'failed', token: 'run/1', cause: 'no paper' } as const
    expect(step(payment(), after(failed))).toMatchObject({ result: { kind: 'failed', cause: 'no paper' } })
    expect(step(payment(), after({ kind: 'overstayed', token: 'run/1' }))).toMatchObject({ result: { kind: 'busy' } })
    expect(step(payment(), after({ kind: 'not-begun', token: 'run/1' }))).toMatchObject({ result: { kind: 'busy' } })
  })
})
