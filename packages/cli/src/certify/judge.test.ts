import { defaultProfile } from '@tillkit/protocol'
import type { OrderView } from '@tillkit/testing'
import { describe, expect, it } from 'vitest'
import { type Evidence, hasMoney, judge } from './judge.js'

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

// docs/when-you-do-not-know.md: that there is no such order is an outcome only after a quiet quarter of an hour.
describe('an order that the gateway never had', () => {
  const evidence: Evidence = {
    answers: { 'o-1': 'open' },
    orders: [],
    deliveries: [],
    profile: defaultProfile,
    personMayLook: false,
    asksOn: true,
  }
  const kinds = (change: Partial<Evidence>) => judge({ ...evidence, ...change }).map(({ kind }) => kind)

  it('may be open where the shop asks on by a clock of its own', () => {
    expect(kinds({})).toEqual([])
  })

  it.each<[string, Partial<Evidence>, string]>([
    ['open and no longer asked about', { asksOn: false }, 'left-unknown'],
    ['not answered for', { answers: { 'o-1': 'no answer' } }, 'left-unknown'],
    ['called paid', { answers: { 'o-1': 'paid' } }, 'paid-without-money'],
  ])('is a finding where it is %s', (_, change, kind) => {
    expect(kinds(change)).toEqual([kind])
  })

  it('is named as such in the finding', () => {
    expect(judge({ ...evidence, asksOn: false })[0]?.explanation).toBe(
      'The merchant says "open" of o-1; the gateway has no money, and never had the order.',
    )
  })
})
