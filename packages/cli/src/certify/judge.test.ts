import { defaultProfile } from '@tillkit/protocol'
import type { OrderView } from '@tillkit/testing'
import { describe, expect, it } from 'vitest'
import { hasMoney } from './judge.js'

const order = (...stages: readonly (readonly [stage: OrderView['stages'][number]['stage'], amount: string])[]) =>
  ({
    orderId: '1',
    clientOrderId: 'o-1',
    login: 'merchant',
    endpointId: '39',
    currency: 'EUR',
    actions: [],
    stages: stages.map(([stage, amount]) => ({
      stage,
      amount,
      status: 'approved',
      final: true,
      serialNumbers: [],
      createdAt: 0,
    })),
  }) satisfies OrderView

describe('hasMoney', () => {
  it.each([
    ['a sale', order(['sale', '10.00']), true],
    ['a sale that was voided', order(['sale', '10.00'], ['void', '10.00']), false],
    ['a sale that was returned in part', order(['sale', '10.00'], ['reversal', '4.00']), true],
    ['a hold', order(['preauth', '10.00']), true],
    ['a hold that was canceled in part', order(['preauth', '10.00'], ['cancel', '4.00']), true],
    [
      'a hold that was canceled in two parts',
      order(['preauth', '10.00'], ['cancel', '4.00'], ['cancel', '6.00']),
      false,
    ],
    [
      'a hold that was captured in part and voided for the rest',
      order(['preauth', '10.00'], ['capture', '4.00'], ['void', '6.00']),
      true,
    ],
    [
      'a hold whose capture was returned',
      order(['preauth', '10.00'], ['capture', '10.00'], ['reversal', '10.00']),
      false,
    ],
  ])('of %s', (_, view, has) => {
    expect(hasMoney(view, defaultProfile)).toBe(has)
  })
})
