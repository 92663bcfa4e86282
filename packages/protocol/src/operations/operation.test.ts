import { describe, expect, it } from 'vitest'
import { alternativeProblem, alternativesInWords } from './operation.js'
import { operations } from './operations.js'

const card = ['creditCardNumber', 'cardPrintedName', 'expireMonth', 'expireYear', 'cvv2']
const problem = (name: 'sale' | 'preauth' | 'status' | 'createRecurringPayment' | 'void', fields: readonly string[]) =>
  alternativeProblem(operations[name], field => fields.includes(field))

describe('alternativeProblem', () => {
  it.each([
    ['sale', card],
    ['preauth', card],
    ['sale', ['cardRefId']],
    ['preauth', ['cardRefId', 'cvv2']],
    ['status', ['clientOrderId']],
    ['status', ['orderId']],
    ['status', ['clientOrderId', 'orderId']],
    ['createRecurringPayment', ['amount']],
    ['createRecurringPayment', ['amountFrom', 'amountTo']],
    ['createRecurringPayment', ['amountSequence']],
    ['void', []],
  ] as const)('finds none in a %s with %j', (name, fields) => {
    expect(problem(name, fields)).toBeUndefined()
  })

  it.each([
    ['sale', [], 'creditCardNumber'],
    ['sale', ['cvv2'], 'creditCardNumber'],
    ['sale', card.filter(field => field !== 'expireYear'), 'expireYear'],
    ['status', [], 'clientOrderId'],
    ['createRecurringPayment', ['amountFrom'], 'amountTo'],
  ] as const)('says of a %s with %j that "%s" is missing', (name, fields, field) => {
    expect(problem(name, fields)).toEqual({ field })
  })

  it.each([
    ['sale', [...card, 'cardRefId'], 'cardRefId', 'creditCardNumber'],
    ['preauth', ['creditCardNumber', 'cardRefId'], 'creditCardNumber', 'cardRefId'],
    ['sale', ['cardRefId', 'cvv2', 'cardPrintedName'], 'cardPrintedName', 'cardRefId'],
    ['createRecurringPayment', ['amount', 'amountFrom'], 'amountFrom', 'amount'],
    ['createRecurringPayment', ['amountSequence', 'amountTo'], 'amountTo', 'amountSequence'],
  ] as const)('says of a %s with %j that "%s" has no place beside "%s"', (name, fields, field, beside) => {
    expect(problem(name, fields)).toEqual({ field, beside })
  })
})

describe('alternativesInWords', () => {
  it('lists them by the names of the record, or by those that are asked for', () => {
    expect(alternativesInWords(operations.createRecurringPayment)).toBe(
      'either amount, or amountFrom and amountTo, or amountSequence',
    )
    expect(alternativesInWords(operations.status, name => `"${name}"`)).toBe('either "clientOrderId", or "orderId"')
  })
})
