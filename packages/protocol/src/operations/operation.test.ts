import { describe, expect, it } from 'vitest'
import { type AnyOperation, alternativeProblem, alternativesInWords, operation } from './operation.js'
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

describe('alternativeProblem of an operation of your own', () => {
  const oneOf = [{ needs: ['a', 'b'] }, { needs: ['c', 'd', 'e'], without: ['a'] }]
  it.each([
    [['a'], { field: 'b' }],
    [['c'], { field: 'd' }],
    [['d', 'e', 'b'], { field: 'c' }],
    [['c', 'd', 'e', 'a'], { field: 'a', beside: 'c' }],
    [['a', 'b', 'c', 'd', 'e'], undefined],
  ])('of %j says %j', (fields, found) => {
    expect(alternativeProblem({ oneOf }, field => fields.includes(field))).toEqual(found)
  })
})

describe('operation', () => {
  const row = {
    name: 'mine',
    path: '/api/v4/my-command',
    signing: { scheme: 'oauth-rsa-sha256' },
    effect: 'changes',
    request: 'Mine',
    response: { walletId: 'wallet-id' },
    required: [],
    stages: [],
  } as unknown as AnyOperation

  it('freezes the row', () => {
    expect(operation(row as never)).toBe(row)
    expect(Object.isFrozen(row)).toBe(true)
  })

  it.each([[{}], [{ walletId: '' }], [{ walletId: 'wallet-id', other: 7 }]])('refuses the response %j', response => {
    expect(() => operation({ ...row, response } as never)).toThrow(
      new TypeError(
        'The response of the operation mine must give at least one field and the wire name of each: any answer would pass for one without.',
      ),
    )
  })

  it.each(['', '/api', '/api/', 'api/v4/a', '/api/v4/a/', '/api/v4/a?b', '/x/api/v4', '/api/v4/a b', '/api/.a'])(
    'refuses the path %j',
    path => {
      expect(() => operation({ ...row, path } as never)).toThrow(
        new TypeError(
          `The path of the operation mine is ${JSON.stringify(path)}; it must be like /api/v4/update-recurring-payment, ` +
            'without the endpoint, a query or a slash at its end.',
        ),
      )
    },
  )
})

describe('alternativesInWords', () => {
  it('lists three fields with commas', () => {
    expect(alternativesInWords({ oneOf: [{ needs: ['a', 'b', 'c'] }, { needs: [] }] })).toBe('either a, b and c, or ')
  })

  it('lists them by the names of the record, or by those that are asked for', () => {
    expect(alternativesInWords(operations.createRecurringPayment)).toBe(
      'either amount, or amountFrom and amountTo, or amountSequence',
    )
    expect(alternativesInWords(operations.status, name => `"${name}"`)).toBe('either "clientOrderId", or "orderId"')
  })
})
