import { type AnyOperation, defaultProfile, defineProfile, operation, operations, type Reply } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { check, expectMistake } from '../../test/checking.js'
import { saleRequest } from '../../test/sample-requests.js'
import { recordOf, textOf } from './form.js'
import { operationPlan, validateRequest } from './validate-request.js'

const sale = {
  clientOrderId: 'o-1',
  amount: '10.00',
  currency: 'EUR',
  email: 'a@b.example',
  creditCardNumber: '4444444444444448',
  cardPrintedName: 'A B',
  expireMonth: '1',
  expireYear: '2099',
  cvv2: '123',
}
const ids = { clientOrderId: 'o-1', orderId: '77' }
const subscription = {
  clientOrderId: 'o-1',
  currency: 'EUR',
  rpCardType: 'SRC',
  creditCardNumber: '4444444444444448',
}

const nothing = { clientOrderId: 'o-1', amount: '0.00', currency: 'EUR' }

describe('checkRequest', () => {
  it.each(['', ' '])('refuses an empty serial number (%j), which would ask about the latest request', byRequestSn => {
    expectMistake(() => check('status', { ...ids, byRequestSn }), 'byRequestSn', 'is empty')
  })

  it('turns values into trimmed text in the caller’s order and leaves undefined out', () => {
    const { currency, ...rest } = sale
    const request = { currency, ...rest, email: ' a@b.example\n', customerBrowserInfo: true, city: undefined }
    const values = recordOf(check('sale', request).values)
    expect(Object.keys(values).slice(0, 3)).toEqual(['currency', 'clientOrderId', 'amount'])
    expect(values.email).toBe('a@b.example')
    expect(values.customerBrowserInfo).toBe('true')
    expect(values).not.toHaveProperty('city')
  })

  it.each([
    [{ ...sale, amount: 10 }, 'amount', 'decimal strings'],
    [{ ...sale, amount: '10.0' }, 'amount', 'exactly 2 digits'],
    [{ ...sale, amount: '10' }, 'amount', 'exactly 2 digits'],
    [{ ...sale, amount: '-10.00' }, 'amount', 'no sign'],
    [{ ...sale, amount: '10,00' }, 'amount', 'leading zeros or other separators'],
    [{ ...sale, amount: '' }, 'amount', 'empty'],
    [{ ...sale, amount: ' 10.00' }, 'amount', 'must look like'],
    [{ ...sale, amount: '10.00\n' }, 'amount', 'must look like'],
    [{ ...sale, amount: '1e3', currency: 'JPY' }, 'amount', 'must look like'],
    [{ ...sale, amount: '٣', currency: 'JPY' }, 'amount', 'must look like'],
    [{ ...sale, amount: '1.25', currency: 'KWD' }, 'amount', 'exactly 3 digits'],
    [{ ...sale, amount: undefined }, 'amount', 'missing'],
    [{ ...sale, amount: true }, 'amount', 'decimal strings'],
    [{ ...sale, amount: '10.00', currency: 'JPY' }, 'amount', 'exactly 0 digits'],
    [{ ...sale, currency: 'XYZ' }, 'currency', 'ISO 4217'],
    [{ ...sale, currency: 'eur' }, 'currency', 'Write "EUR"'],
    [{ ...sale, clientOrderId: undefined }, 'clientOrderId', 'needs clientOrderId, amount'],
    [{ ...sale, clientOrderId: '  ' }, 'clientOrderId', 'empty'],
    [{ ...sale, clientOrderId: 17 }, 'clientOrderId', 'Write it as a string'],
    [{ ...sale, clientOrderId: true }, 'clientOrderId', 'Write it as a string'],
    [{ ...sale, clientOrderId: 'x'.repeat(129) }, 'clientOrderId', '129 characters'],
    [{ ...sale, clientOrderId: 'x\n10' }, 'clientOrderId', 'Ids are printable text'],
    [{ ...sale, clientOrderId: 'x\u007f1' }, 'clientOrderId', 'Ids are printable text'],
    [{ ...sale, clientOrderId: 'x\u009f1' }, 'clientOrderId', 'Ids are printable text'],
    [{ ...sale, redirectUrl: true }, 'redirectUrl', 'Write it as a string'],
    [{ ...sale, serverCallbackUrl: false }, 'serverCallbackUrl', 'Write it as a string'],
    [{ ...sale, notifyUrl: true }, 'notifyUrl', 'Write it as a string'],
    [{ ...sale, destinationCardRefId: true }, 'destinationCardRefId', 'Write it as a string'],
    [{ ...sale, email: null }, 'email', 'Leave the field out'],
    [{ ...sale, city: ['Berlin'] }, 'city', 'a list'],
    [{ ...sale, city: {} }, 'city', '"city" is an object. Write it as a string'],
    [{ ...sale, clientOrderID: 'o-1' }, 'clientOrderID', 'Did you mean "clientOrderId"?'],
    [{ ...sale, curency: 'EUR' }, 'curency', 'Did you mean "currency"?'],
    [{ ...sale, iban: 'DE02120300000000202051' }, 'iban', 'Did you mean "accountNumber"?'],
    [{ ...sale, 'date-of-birth': '19900131' }, 'date-of-birth', 'Did you mean "birthday"?'],
    [{ ...sale, cvc: '123' }, 'cvc', 'Did you mean "cvv2"?'],
    [{ ...sale, birthday: new Date(0) }, 'birthday', '"birthday" is a Date. Write it as a string, a day as YYYYMMDD.'],
    [{ ...sale, fancy: 'x' }, 'fancy', 'by their wire name in "extra"'],
    [{ ...sale, constructor: 'x' }, 'constructor', 'no field "constructor"'],
    [{ ...sale, login: 'me' }, 'login', 'option of createClient'],
    [{ ...sale, redirectUrl: '/back' }, 'redirectUrl', 'Write it like https://'],
    [{ ...sale, creditCardNumber: undefined }, 'creditCardNumber', 'missing'],
    [undefined, 'request', 'must be an object'],
    [[sale], 'request', 'must be an object'],
  ])('refuses the sale %#', (request, field, cure) => {
    expectMistake(() => check('sale', request), field, cure)
  })

  it.each([
    ['capture', { ...ids, amount: '1.00' }, 'currency', '"amount" came without "currency"'],
    ['return', { ...ids, amount: undefined, currency: undefined }, 'amount', 'leave both keys out'],
    ['capture', { ...ids, amount: undefined, currency: undefined }, 'amount', 'over the whole one'],
    ['capture', { ...ids, currency: undefined }, 'currency', 'leave both keys out'],
    ['return', { ...ids, currency: 'EUR' }, 'amount', '"currency" came without "amount"'],
    ['sale', { ...sale, amount: '0.00' }, 'amount', 'use accountVerification'],
    ['preauth', { ...sale, amount: '0', currency: 'JPY' }, 'amount', '"amount" is zero'],
    ['capture', { ...ids, amount: '0.00', currency: 'EUR' }, 'amount', 'Leave "amount" and "currency" out'],
    ['return', { ...ids, amount: '0.000', currency: 'KWD' }, 'amount', 'Leave "amount" and "currency" out'],
    ['payout', nothing, 'amount', 'zero, and the payout operation moves money. Give more.'],
    ['payoutV4', nothing, 'amount', '"amount" is zero'],
    ['payoutCheck', nothing, 'amount', '"amount" is zero'],
    ['transfer', { ...nothing, ipAddress: '127.0.0.1' }, 'amount', '"amount" is zero'],
    ['transferByRef', { ...nothing, destinationCardNo: '4444444444444448' }, 'amount', '"amount" is zero'],
    ['makeRebill', { ...nothing, cardRefId: '3' }, 'amount', '"amount" is zero'],
    [
      'makeRebill',
      { ...nothing, cardRefId: '3', amount: '2.00', enumerateAmounts: '2.00,0.00' },
      'enumerateAmounts',
      '"enumerateAmounts" has an amount of zero in it',
    ],
    ['createRecurringPayment', { ...subscription, amount: '0.00' }, 'amount', '"amount" is zero'],
    ['createRecurringPayment', { ...subscription, amountFrom: '0.00', amountTo: '1.00' }, 'amountFrom', 'zero'],
    ['status', { clientOrderId: 'o-1', orderId: '' }, 'orderId', 'Leave it out'],
    ['void', { ...ids, amount: '1.00', currency: 'EUR' }, 'amount', 'takes no amount'],
    ['payoutPay', { ...ids, currency: 'EUR' }, 'currency', 'takes no amount'],
    [
      'makeRebill',
      { clientOrderId: 'o-1', cardRefId: '3', amount: '2.00', currency: 'EUR', enumerateAmounts: '2.00,1.5' },
      'enumerateAmounts',
      'exactly 2 digits',
    ],
    ['createRecurringPayment', subscription, 'amount', 'either amount, or amountFrom and amountTo, or amountSequence.'],
    ['createRecurringPayment', { ...subscription, amountFrom: '1.00' }, 'amountTo', 'is missing'],
    [
      'createRecurringPayment',
      { ...subscription, amount: '1.00', amountSequence: '1.00' },
      'amountSequence',
      'together with "amount"',
    ],
    ['sale', { ...saleRequest, cardRefId: '31' }, 'cardRefId', 'never two of them'],
    ['sale', { ...saleRequest, cvv2: '' }, 'cvv2', '"cvv2" is empty. The operation needs either creditCardNumber'],
    ['status', {}, 'clientOrderId', 'either clientOrderId, or orderId'],
    ['status', { orderId: ' ' }, 'orderId', 'Leave it out where it is not known'],
    ['createRecurringPayment', { ...subscription, amountFrom: '2.00', amountTo: '1.00' }, 'amountFrom', 'more than'],
    [
      'createRecurringPayment',
      { ...subscription, amountFrom: '2', amountTo: '3.00' },
      'amountFrom',
      'exactly 2 digits',
    ],
  ] as const)('refuses the %s %#', (name, request, field, cure) => {
    expectMistake(() => check(name, request), field, cure)
  })

  it('takes a capture with amount and currency, and one with neither', () => {
    expect(textOf(check('capture', { ...ids, amount: '0.05', currency: 'EUR' }).values, 'amount')).toBe('0.05')
    expect(check('capture', ids).values).toHaveLength(2)
    expect(check('void', { ...ids, amount: undefined }).values).toHaveLength(2)
  })

  it.each([
    { ...subscription, amount: '1.00' },
    { ...subscription, amountFrom: '1.00', amountTo: '1.00' },
    { ...subscription, amountSequence: '1.00;2.00' },
  ])('takes the subscription %#', request => {
    expect(recordOf(check('createRecurringPayment', request).values)).toEqual(request)
  })

  it('takes the longest order id and what a profile allows beyond it', () => {
    const long = { ...ids, clientOrderId: '€'.repeat(128) }
    expect(textOf(check('void', long).values, 'clientOrderId')).toHaveLength(128)
    const longer = { ...ids, clientOrderId: 'x'.repeat(200) }
    expect(check('void', longer, defineProfile({ maxLengths: {} })).values).toHaveLength(2)
  })

  it('knows the fields of an operation of the user’s own', () => {
    const row = operation<{ readonly planId: string }, Reply & { readonly orderId: string }>({
      name: 'PLAN',
      path: '/api/v4/plan',
      signing: { scheme: 'oauth-rsa-sha256' },
      effect: 'changes',
      request: 'Plan',
      response: 'AsyncResponse',
      required: ['planId'],
      stages: [],
      wireNames: { planId: 'plan-id' },
    }) as AnyOperation
    const plan = operationPlan(row, defaultProfile)
    const run = (request: unknown) => validateRequest(plan, request)
    expect(recordOf(run({ planId: '3' }).values)).toEqual({ planId: '3' })
    expectMistake(() => run({ planID: '3' }), 'planID', 'Did you mean "planId"?')
  })

  it('leaves an amount of zero to an operation of the user’s own', () => {
    const row = { ...operations.payout, name: 'PRICE_CHECK' } as AnyOperation
    const plan = operationPlan(row, defaultProfile)
    const checked = validateRequest(plan, nothing)
    expect(textOf(checked.values, 'amount')).toBe('0.00')
  })

  it('takes nothing for granted because an earlier request had the same fields', () => {
    const whole = { ...ids, amount: '10.00', currency: 'EUR' }
    for (const _ of [1, 2]) expect(recordOf(check('capture', whole).values)).toEqual(whole)
    expectMistake(() => check('capture', { ...whole, amount: undefined }), 'amount', 'there and undefined')
    expectMistake(() => check('capture', { ...whole, clientOrderId: undefined }), 'clientOrderId', 'is missing')
    expectMistake(() => check('capture', { ...whole, orderId: ' ' }), 'orderId', 'is empty')
    const inOtherOrder = { currency: 'EUR', amount: '10.00', ...ids }
    expect(recordOf(check('capture', inOtherOrder).values)).toEqual(whole)
    expect(recordOf(check('capture', whole).values)).toEqual(whole)
  })

  it('leaves undefined out, whatever earlier requests with that field had', () => {
    for (const city of ['Riga', undefined, 'Riga', undefined]) {
      const values = recordOf(check('sale', { ...sale, city }).values)
      expect(values).toEqual(city === undefined ? sale : { ...sale, city })
    }
  })

  it('knows more different requests of an operation than it remembers', () => {
    const optional = [
      'city',
      'state',
      'zipCode',
      'country',
      'phone',
      'firstName',
      'lastName',
      'ssn',
      'purpose',
      'comment',
    ]
    for (const _ of [1, 2]) {
      for (const field of optional) {
        const request = { ...sale, [field]: 'US' }
        expect(recordOf(check('sale', request).values)).toEqual(request)
      }
    }
  })

  it('reads a getter once, so that what is checked is what is sent', () => {
    let reads = 0
    const request = {
      ...ids,
      get comment() {
        reads += 1
        return `read ${reads}`
      },
    }
    expect(textOf(check('void', request).values, 'comment')).toBe('read 1')
    expect(reads).toBe(1)
  })
})

describe('operationPlan', () => {
  it('says what is known of a field, by the wire name and the length that the profile gives it', () => {
    const profile = defineProfile({
      fieldNames: { SALE: { clientOrderId: 'order-id' } },
      maxLengths: { clientOrderId: 9 },
    })
    expect(operationPlan(operations.sale, profile).field('clientOrderId')).toMatchObject({
      name: 'order-id',
      maxLength: 9,
    })
    expect(operationPlan(operations.sale, defaultProfile).field('clientOrderId')?.name).toBe('client_orderid')
  })

  it('knows the operation by its name here, one of the user’s own by the name it has', () => {
    const own = operation({ ...operations.sale, name: 'SALE_V4' })
    expect([operations.sale, own].map(row => operationPlan(row, defaultProfile).name)).toEqual(['sale', 'SALE_V4'])
  })

  it('has nothing for fields that no request has', () => {
    const { field } = operationPlan(operations.sale, defaultProfile)
    expect(['constructor', '__proto__', 'amuont'].map(name => field(name))).toEqual([undefined, undefined, undefined])
  })

  it('is worked out once for what cannot change, and anew for what can', () => {
    expect(operationPlan(operations.sale, defaultProfile)).toBe(operationPlan(operations.sale, defaultProfile))
    const changing = { ...operations.sale, wireNames: { email: 'mail' } }
    const before = operationPlan(changing, defaultProfile).field('email')
    changing.wireNames = { email: 'e-mail' }
    expect([before, operationPlan(changing, defaultProfile).field('email')]).toMatchObject([
      { name: 'mail' },
      { name: 'e-mail' },
    ])
  })
})
