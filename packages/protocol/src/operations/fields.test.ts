import { describe, expect, it } from 'vitest'
import { defaultProfile, defineProfile } from '../profile/profile.js'
import { cardFieldOf, wireName } from './fields.js'
import { operations } from './operations.js'

const profile = defaultProfile

describe('wireName', () => {
  it('writes the merchant order id as section 2 shows it for each operation', () => {
    const names = Object.values(operations).map(operation => [
      operation.name,
      wireName('clientOrderId', { operation, profile }),
    ])
    const hyphenated = names.filter(([, name]) => name === 'client-order-id').map(([operation]) => operation)
    expect(hyphenated).toEqual([
      'TDS_UPLOAD_CRES_RESULT',
      'TDS_UPLOAD_METHOD_URL_RESULT',
      'TDS_UPLOAD_PARES_RESULT',
      'PAYOUT_V4_CHECK',
      'PAN_ELIGIBILITY_SEND',
      'TRANSFER_BY_REF_V4',
      'PAYOUT_V4',
    ])
  })

  it('hyphenates the fields of a subscription', () => {
    const operation = operations.createRecurringPayment
    expect(wireName('clientOrderId', { operation, profile })).toBe('client-orderid')
    expect(wireName('creditCardNumber', { operation, profile })).toBe('credit-card-number')
    expect(wireName('period', { operation, profile })).toBe('period')
  })

  it('lets the profile rename a field of one operation', () => {
    const mine = defineProfile({ fieldNames: { TDS_UPLOAD_CRES_RESULT: { cres: 'cRes' } } })
    expect(wireName('cres', { operation: operations.uploadCresResult, profile: mine })).toBe('cRes')
    expect(wireName('cres', { operation: operations.uploadCresResult, profile })).toBe('cres')
  })

  it.each(['nonsense', 'constructor', '__proto__', 'toString'])('has none for %s', field => {
    expect(wireName(field, { operation: operations.sale, profile })).toBeUndefined()
  })
})

describe('cardFieldOf', () => {
  it.each([
    ['credit_card_number', 'creditCardNumber'],
    ['credit-card-number', 'creditCardNumber'],
    ['Expire_Month', 'expireMonth'],
    ['CVV2', 'cvv2'],
    ['destination-card-no', 'destinationCardNo'],
  ])('recognizes %s', (name, field) => {
    expect(cardFieldOf(name)).toBe(field)
  })

  it.each(['order_desc', 'cardrefid', '__proto__', ''])('takes %j for no card field', name => {
    expect(cardFieldOf(name)).toBeUndefined()
  })
})
