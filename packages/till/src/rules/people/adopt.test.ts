import { defaultProfile, type StatusResponse } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { order, payment, sale, stage } from '../../../test/state/payment-samples.js'
import { adoptOrder } from './adopt.js'

const approved = stage({ status: 'approved', outcome: 'approved', amount: '10.00', currency: 'EUR', told: 1 })
/** A return that was told, and of which nobody knew the number. */
const told = { ...approved, stage: 'reversal', amount: '4.00' } as const
const known = payment(
  order({ attempts: [{ ...sale, end: { kind: 'accepted', orderId: '77', at: 2_000 } }], stages: [approved, told] }),
)
const about = { reference: 'basket-7', clientOrderId: 'basket-7', login: 'merchant', baseUrl: sale.baseUrl }
const returned = (amount: string, more: Partial<StatusResponse> = {}) => {
  const named = { type: 'status-response', clientOrderId: 'basket-7', orderId: '77', raw: {} }
  return {
    ...named,
    status: 'approved',
    amount,
    currency: 'EUR',
    transactionType: 'reversal',
    ...more,
  } as StatusResponse
}

/** The returns of the order once a person has looked up these numbers. */
function lookedUp(profile: typeof defaultProfile, ...numbers: readonly (readonly [string, StatusResponse])[]) {
  const replies = [
    ...numbers.map(([bySerialNumber, reply]) => ({ reply, age: 0, bySerialNumber })),
    { reply: returned('4.00'), age: 0 },
  ]
  const request = { attemptId: 'adopted', reservation: 'adopted', fingerprint: '' }
  const verdict = adoptOrder(known, { ...about, ...request, replies }, { profile, at: 90_000 })
  if (verdict.kind !== 'adopted') throw new Error(verdict.explanation)
  return verdict.document.orders[0]?.stages
    .slice(1)
    .map(({ amount, serialNumber, told }) => [amount, serialNumber, told])
}

const echoed = (amount: string, byRequestSn: string) => [byRequestSn, returned(amount, { byRequestSn })] as const

describe('the serial numbers of a known order', () => {
  it('bring what is missing, and tell nothing again that was told without its number', () => {
    expect(lookedUp(defaultProfile, echoed('3.00', 's-1'), echoed('4.00', 's-2'))).toEqual([
      ['4.00', 's-2', 1],
      ['3.00', 's-1', undefined],
    ])
  })

  it('bring another movement where its amount tells it apart', () => {
    expect(lookedUp(defaultProfile, echoed('5.00', 's-2'))).toEqual([
      ['4.00', undefined, 1],
      ['5.00', 's-2', undefined],
    ])
  })

  it('bring nothing where a gateway that never echoes them may have answered about the latest request', () => {
    const silent = {
      ...defaultProfile,
      statusEchoesSerialNumber: { ...defaultProfile.statusEchoesSerialNumber, value: false },
    }
    expect(lookedUp(silent, ['no-such-number', returned('4.00')])).toEqual([['4.00', undefined, 1]])
  })
})
