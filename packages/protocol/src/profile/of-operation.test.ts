import { describe, expect, it } from 'vitest'
import { operations } from '../operations/operations.js'
import { excessLength, maxLength, wireName } from './of-operation.js'
import { defaultProfile, defineProfile } from './profile.js'

const source = { operation: operations.sale, profile: defaultProfile }

describe('maxLength', () => {
  // Public pages: 64k on sale and forms, 125 on preauth, 64 on payouts; 128 for the order id everywhere.
  it.each([
    ['sale', 'orderDesc', 65_536],
    ['preauth', 'orderDesc', 125],
    ['payout', 'orderDesc', 64],
    ['payoutV4', 'orderDesc', 64],
    ['payoutForm', 'orderDesc', 65_536],
    ['capture', 'orderId', 20],
    ['uploadCresResult', 'orderId', 128],
    ['uploadCresResult', 'clientOrderId', 128],
    ['sale', 'address1', undefined],
    ['sale', 'constructor', undefined],
  ] as const)('of %s gives %s %s', (name, field, most) => {
    expect(maxLength(field, { operation: operations[name], profile: defaultProfile })).toBe(most)
  })

  it('of an operation nobody knows is the common one', () => {
    expect(maxLength('orderId', { operation: { name: 'constructor' }, profile: defaultProfile })).toBe(20)
  })

  it('is what the profile says', () => {
    const profile = defineProfile({ operationMaxLengths: { SALE: { orderDesc: 3 } } })
    expect(maxLength('orderDesc', { operation: operations.sale, profile })).toBe(3)
    expect(maxLength('orderDesc', { operation: operations.preauth, profile })).toBe(65_536)
  })
})

describe('excessLength', () => {
  it('counts characters, an emoji as one', () => {
    expect(excessLength({ field: 'clientOrderId', value: '🫖'.repeat(128) }, source)).toBeUndefined()
    expect(excessLength({ field: 'clientOrderId', value: '🫖'.repeat(129) }, source)).toEqual({
      length: 129,
      most: 128,
    })
  })

  it('finds nothing in a field without a limit', () => {
    expect(excessLength({ field: 'email', value: 'a'.repeat(10_000) }, source)).toBeUndefined()
  })
})

describe('wireName', () => {
  it('writes the merchant order id as section 2 shows it for each operation', () => {
    const names = Object.values(operations).map(operation => [
      operation.name,
      wireName('clientOrderId', { operation, profile: defaultProfile }),
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
    expect(wireName('clientOrderId', { operation, profile: defaultProfile })).toBe('client-orderid')
    expect(wireName('creditCardNumber', { operation, profile: defaultProfile })).toBe('credit-card-number')
    expect(wireName('period', { operation, profile: defaultProfile })).toBe('period')
  })

  it('lets the profile rename a field of one operation', () => {
    const mine = defineProfile({ fieldNames: { TDS_UPLOAD_CRES_RESULT: { cres: 'cRes' } } })
    expect(wireName('cres', { operation: operations.uploadCresResult, profile: mine })).toBe('cRes')
    expect(wireName('cres', { operation: operations.uploadCresResult, profile: defaultProfile })).toBe('cres')
  })

  it.each(['nonsense', 'constructor', '__proto__', 'toString'])('has none for %s', field => {
    expect(wireName(field, { operation: operations.sale, profile: defaultProfile })).toBeUndefined()
  })
})
