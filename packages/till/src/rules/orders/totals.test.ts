import { defineProfile, type Order, type Stage, type StageName } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { reduceAll } from '../../../../protocol/test/observations.js'
import { aboutRequest, statusReply } from '../../../../protocol/test/status-reply.js'
import { allowedNow, orderTotals } from './totals.js'

const stage = (name: StageName, amount: string, fields: Partial<Stage> = {}): Stage => ({
  stage: name,
  serialNumber: 'a',
  status: 'approved',
  outcome: 'approved',
  amount,
  currency: 'EUR',
  askedAt: 1,
  corrections: [],
  ...fields,
})
const order = (...stages: readonly Stage[]): Order => ({ clientOrderId: 'o-1', orderId: '77', stages })
const zero = { currency: 'EUR', held: '0.00', captured: '0.00', returned: '0.00', returnable: '0.00', sent: '0.00' }

describe('orderTotals', () => {
  it.each([
    ['a sale', order(stage('sale', '10.00')), { captured: '10.00', returnable: '10.00' }],
    ['a preauth', order(stage('preauth', '10')), { held: '10.00' }],
    [
      'a partial capture, which leaves the rest of the hold',
      order(stage('preauth', '10.00'), stage('capture', '4.5')),
      { held: '5.50', captured: '4.50', returnable: '4.50' },
    ],
    [
      'a capture of the whole',
      order(stage('preauth', '10.00'), stage('capture', '10')),
      { captured: '10.00', returnable: '10.00' },
    ],
    ['a partial cancel', order(stage('preauth', '10.00'), stage('cancel', '4.00')), { held: '6.00' }],
    [
      'a partial cancel, a partial capture and the void of the rest',
      order(stage('preauth', '10.00'), stage('cancel', '4.00'), stage('capture', '5.00'), stage('void', '1.00')),
      { captured: '5.00', returnable: '5.00' },
    ],
    ['a void', order(stage('preauth', '10.00'), stage('void', '10.00')), {}],
    ['a cancel', order(stage('preauth', '10.00'), stage('cancel', '10.00')), {}],
    [
      'two equal partial returns',
      order(stage('sale', '10.00'), stage('reversal', '3.00'), stage('reversal', '3.00')),
      { captured: '10.00', returned: '6.00', returnable: '4.00' },
    ],
    [
      'a chargeback',
      order(stage('sale', '10.00'), stage('chargeback', '10.00')),
      { captured: '10.00', returned: '10.00' },
    ],
    ['a payout', order(stage('payout', '7.01')), { sent: '7.01' }],
    ['a verification', order(stage('verification', '0.00')), {}],
    ['a declined sale', order(stage('sale', '10.00', { status: 'declined', outcome: 'declined' })), {}],
  ])('adds up %s', (_, value, totals) => {
    expect(orderTotals(value)).toEqual({ ...zero, ...totals })
  })

  it.each([
    ['capture', { captureEndsHold: true }],
    ['cancel', { cancelEndsHold: true }],
  ] as const)('holds nothing after a partial %s where the profile says so', (name, ends) => {
    const partly = order(stage('preauth', '10.00'), stage(name, '4.00'))
    expect(orderTotals(partly, defineProfile(ends))).toMatchObject({ held: '0.00' })
  })

  it('holds no less than nothing where more was captured than was held', () => {
    const over = order(stage('preauth', '10.00'), stage('capture', '6.00'), stage('capture', '6.00'))
    expect(orderTotals(over)).toMatchObject({ held: '0.00', captured: '12.00' })
  })

  it('counts in the currency given', () => {
    expect(orderTotals(order(stage('sale', '1000', { currency: 'JPY' })))).toMatchObject({ captured: '1000' })
    expect(orderTotals(order(stage('sale', '1.5', { currency: 'KWD' })))).toMatchObject({ captured: '1.500' })
  })

  it('says nothing about stages that disagree about the currency', () => {
    expect(orderTotals(order(stage('sale', '1.00'), stage('reversal', '1', { currency: 'JPY' })))).toBeUndefined()
  })
})

describe('totals of what is disputed or was seen in part', () => {
  const nothing = { capture: false, void: false, return: undefined }
  const corrected = (from: string, to: string) => ({ corrections: [{ from, to, askedAt: 2 }] })
  const declined = { status: 'declined', outcome: 'declined' } as const

  it.each([
    ['an approval that was taken back', order(stage('sale', '10.00', corrected('approved', 'declined')))],
    [
      'a decline that became an approval, and then a decline again',
      order(
        stage('sale', '10.00', {
          ...declined,
          corrections: [
            { from: 'declined', to: 'approved', askedAt: 2 },
            { from: 'approved', to: 'declined', askedAt: 3 },
          ],
        }),
      ),
    ],
    [
      'a decline that became an approval over other money',
      order(
        stage('sale', '10.00', {
          ...declined,
          ...corrected('declined', 'approved'),
          restated: { amount: '9.00', askedAt: 2 },
        }),
      ),
    ],
    [
      'a return whose approval was taken back',
      order(stage('sale', '10.00'), stage('reversal', '3.00', corrected('approved', 'error'))),
    ],
    ['a return of nobody knows what', order(stage('reversal', '3.00'))],
    ['a chargeback of nobody knows what', order(stage('chargeback', '3.00'))],
  ])('are not guessed, and nothing is allowed, over %s', (_, value) => {
    expect(orderTotals(value)).toBeUndefined()
    expect(allowedNow(value)).toEqual(nothing)
  })

  const { serialNumber: _, ...bare } = stage('reversal', '3.00')
  it.each([
    ['a return', 'reversal'],
    ['a chargeback', 'chargeback'],
  ] as const)('are not guessed over %s without a serial number, which may stand for several', (_what, name) => {
    expect(orderTotals(order(stage('sale', '10.00'), { ...bare, stage: name }))).toBeUndefined()
    expect(allowedNow(order(stage('sale', '10.00'), { ...bare, stage: name }))).toEqual(nothing)
    const refused = order(stage('sale', '10.00'), { ...bare, stage: name, ...declined })
    expect(orderTotals(refused)).toMatchObject({ returned: '0.00' })
  })

  it.each([
    ['capture', { captureEndsHold: true }],
    ['cancel', { cancelEndsHold: true }],
  ] as const)('count a %s without a serial number only where it ends the hold, and only once', (name, ends) => {
    const part = { ...bare, stage: name } as const
    const held = order(stage('preauth', '10.00'), part)
    expect(orderTotals(held)).toBeUndefined()
    expect(orderTotals(held, defineProfile(ends))).toMatchObject({ held: '0.00' })
    expect(orderTotals(order(stage('preauth', '10.00'), { ...part, amount: '10' }))).toMatchObject({ held: '0.00' })
    const twice = order(stage('preauth', '10.00'), part, stage(name, '3.00'))
    expect(orderTotals(twice, defineProfile(ends))).toBeUndefined()
  })

  it('are not guessed beside what the gateway approved and nobody here knows', () => {
    const dispute = (fields: Partial<Stage>) => order(stage('sale', '10.00'), stage('unrecognized', '3.00', fields))
    expect(orderTotals(dispute({ word: 'dispute' }))).toBeUndefined()
    expect(allowedNow(dispute({ word: 'dispute' }))).toEqual(nothing)
    expect(orderTotals(dispute({ word: 'dispute', ...declined }))).toMatchObject({ captured: '10.00' })
  })

  it('go by the latest word where a decline became an approval', () => {
    const late = { ...declined, ...corrected('declined', 'approved') }
    const sale = order(stage('sale', '10.00', late))
    expect(orderTotals(sale)).toMatchObject({ captured: '10.00', returnable: '10.00' })
    expect(allowedNow(sale)).toEqual({ ...nothing, return: 'reversal' })
    const back = order(stage('sale', '10.00', late), stage('reversal', '3.00', { ...late, serialNumber: 's-2' }))
    expect(orderTotals(back)).toMatchObject({ returned: '3.00', returnable: '7.00' })
    expect(allowedNow(order(stage('preauth', '10.00', late)))).toEqual({ capture: true, void: true, return: 'cancel' })
  })

  it('are not touched by a correction from one refusal to another', () => {
    const refused = stage('reversal', '3.00', { ...declined, ...corrected('declined', 'filtered') })
    expect(orderTotals(order(stage('sale', '10.00'), refused))).toMatchObject({ captured: '10.00', returned: '0.00' })
  })

  it.each([
    ['capture', { captureEndsHold: true }, { held: '0.00', captured: '4.00' }],
    ['cancel', { cancelEndsHold: true }, { held: '0.00', captured: '0.00' }],
  ] as const)('count a %s whose preauth was not seen only where it ends the hold', (name, ends, totals) => {
    const alone = order(stage(name, '4.00'))
    expect(orderTotals(alone)).toBeUndefined()
    expect(orderTotals(alone, defineProfile(ends))).toMatchObject(totals)
  })

  it('take a voided sale for one that took nothing', () => {
    const profile = defineProfile({ saleIsSettled: false })
    const voided = order(stage('sale', '10.00'), stage('void', '10.00'))
    expect(orderTotals(voided, profile)).toMatchObject({ captured: '0.00', returnable: '0.00' })
    expect(allowedNow(voided, profile)).toEqual(nothing)
  })
})

describe('totals of a gateway that is careless with amounts', () => {
  const { amount: _, ...amountless } = stage('capture', '4.00')
  it.each([
    ['left open', order(stage('preauth', '10.00'), amountless)],
    ['no number', order(stage('preauth', '10.00'), stage('capture', 'ten'))],
    ['finer than the currency', order(stage('sale', '10.001'))],
    ['of an unknown currency', order(stage('sale', '10.00', { currency: 'XXX' }))],
    ['absurdly long', order(stage('sale', '9'.repeat(200_000)))],
  ])('are not guessed, and nothing is allowed, where an approved amount is %s', (_why, value) => {
    expect(orderTotals(value)).toBeUndefined()
    expect(allowedNow(value)).toEqual({ capture: false, void: false, return: undefined })
  })

  it('need no amount of a void', () => {
    const { amount: _amount, ...bare } = stage('void', '')
    expect(orderTotals(order(stage('preauth', '10.00'), bare))).toMatchObject({ held: '0.00' })
  })
})

describe('allowedNow, by the rules of section 3', () => {
  const nothing = { capture: false, void: false, return: undefined }
  it.each([
    ['rule 1 and 3: a hold', order(stage('preauth', '10.00')), { capture: true, void: true, return: 'cancel' }],
    ['rule 2 and 6: a sale', order(stage('sale', '10.00')), { ...nothing, return: 'reversal' }],
    [
      'rule 1 and 3: a hold that is captured in part: a return is one of the capture, the rest is voided',
      order(stage('preauth', '10.00'), stage('capture', '4.00')),
      { capture: true, void: true, return: 'reversal' },
    ],
    [
      'rule 1: a captured hold',
      order(stage('preauth', '10.00'), stage('capture', '10.00')),
      { ...nothing, return: 'reversal' },
    ],
    [
      'rule 3: a hold that is canceled in part',
      order(stage('preauth', '10.00'), stage('cancel', '4.00')),
      { capture: true, void: true, return: 'cancel' },
    ],
    ['rule 1: a voided hold', order(stage('preauth', '10.00'), stage('void', '10.00')), nothing],
    [
      'rule 4: a sale returned in part',
      order(stage('sale', '10.00'), stage('reversal', '9.99')),
      { ...nothing, return: 'reversal' },
    ],
    ['rule 4: a sale returned whole', order(stage('sale', '10.00'), stage('reversal', '10.00')), nothing],
    ['rule 5: a declined sale', order(stage('sale', '10.00', { status: 'declined', outcome: 'declined' })), nothing],
    [
      'a return under way',
      order(stage('sale', '10.00'), {
        stage: 'reversal',
        status: 'processing',
        amount: '3.00',
        currency: 'EUR',
        askedAt: 2,
        corrections: [],
      }),
      nothing,
    ],
    ['an order nobody knows', order(), nothing],
  ])('%s', (_, value, allowed) => {
    expect(allowedNow(value)).toEqual(allowed)
  })
})

describe('orderTotals, of an order by the replies of status', () => {
  const seen = (status: string, askedAt = 1, fields: object = {}) => ({
    reply: statusReply({ status, ...fields }),
    askedAt,
  })

  it('are not known when two replies asked for at the same time state two amounts, in whatever order they come', () => {
    const both = [seen('approved', 5), seen('approved', 5, { amount: '1.00' })]
    for (const order of [reduceAll(both), reduceAll(both.toReversed())]) expect(orderTotals(order)).toBeUndefined()
  })

  it.each([
    ['another amount', { amount: '8.00' }],
    ['another currency', { currency: 'USD' }],
    ['an amount that cannot be read', { amount: 'ten' }],
  ])('are not known when a later reply states %s for what had been approved', (_, stated) => {
    const replies = [seen('approved', 1), seen('approved', 2, stated), seen('approved', 3)]
    expect(orderTotals(reduceAll(replies))).toBeUndefined()
  })

  it.each([
    ['the same amount in other words', { amount: '10.0' }],
    ['no amount', { amount: undefined, currency: undefined }],
    ['no currency', { currency: undefined }],
  ])('stay when a later reply states %s', (_, stated) => {
    expect(orderTotals(reduceAll([seen('approved', 1), seen('approved', 2, stated)]))).toMatchObject({
      captured: '10.00',
    })
  })

  it('are not known when one of two equal returns has no number', () => {
    const reversal = { transactionType: 'reversal', amount: '3.00' }
    const returns = [seen('approved', 1, reversal), aboutRequest('b', seen('approved', 2, reversal))]
    const { stages } = reduceAll([seen('approved')])
    expect(orderTotals(order(...stages, ...reduceAll(returns).stages))).toBeUndefined()
  })
})

describe('an order that came back with nulls', () => {
  /** A row of a database: null where nothing was kept. */
  const row = (fields: object) =>
    stage('reversal', '3.00', {
      word: null,
      serialNumber: null,
      errorCode: null,
      errorMessage: null,
      ...fields,
    } as unknown as Partial<Stage>)
  const sale = row({ stage: 'sale', serialNumber: 'a', amount: '10.00' })

  it('has no totals where a stage has no number, nor where one has no amount', () => {
    expect(orderTotals(order(sale, row({})))).toBeUndefined()
    expect(orderTotals(order(sale, row({ serialNumber: 'b', amount: null })))).toBeUndefined()
    expect(orderTotals(order(sale, row({ serialNumber: 'b', currency: null })))).toMatchObject({ returned: '3.00' })
  })

  it('allows nothing while a stage is under way', () => {
    const underWay = row({ serialNumber: 'b', status: 'processing', outcome: null })
    expect(allowedNow(order(sale, underWay))).toEqual({ capture: false, void: false, return: undefined })
  })
})

it('adds up a currency that has ended in its own name', () => {
  const sale = stage('sale', '19.56', { currency: 'BGN' })
  const chargeback = stage('chargeback', '9.5', { serialNumber: 'b', currency: 'BGN' })
  expect(orderTotals(order(sale, chargeback))).toMatchObject({
    currency: 'BGN',
    captured: '19.56',
    returned: '9.50',
    returnable: '10.06',
  })
})
