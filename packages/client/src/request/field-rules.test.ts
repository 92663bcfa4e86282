import { type AnyOperation, operations } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { presenceProblem, undefinedProblem } from './field-rules.js'

const ids = ['clientOrderId', 'orderId']
const paying = ['clientOrderId', 'amount', 'currency', 'email']
const card = ['creditCardNumber', 'cardPrintedName', 'expireMonth', 'expireYear', 'cvv2']
const cardOrReference =
  'The operation needs either creditCardNumber, cardPrintedName, expireMonth, expireYear and cvv2, or cardRefId'

describe('presenceProblem', () => {
  it.each([
    ['capture', ids],
    ['capture', [...ids, 'amount', 'currency']],
    ['return', ids],
    ['status', ['clientOrderId']],
    ['status', ['orderId']],
    ['sale', [...paying, 'cardRefId']],
    ['sale', [...paying, ...card]],
    ['preauth', [...paying, 'cardRefId', 'cvv2']],
  ] as const)('finds nothing wrong with a %s of %j', (name, fields) => {
    expect(
      presenceProblem({ name, row: operations[name] }, field => fields.some(each => each === field)),
    ).toBeUndefined()
  })

  it.each([
    [
      'capture',
      ['orderId', 'amount'],
      'clientOrderId',
      '"clientOrderId" is missing. Set it: the operation needs clientO',
    ],
    ['void', [...ids, 'currency', 'amount'], 'amount', 'the void operation takes no amount. Leave it out.'],
    ['capture', [...ids, 'amount'], 'currency', '"amount" came without "currency"'],
    ['capture', [...ids, 'currency'], 'amount', '"currency" came without "amount"'],
    ['sale', paying, 'creditCardNumber', `"creditCardNumber" is missing. ${cardOrReference}.`],
    [
      'preauth',
      [...paying, 'creditCardNumber'],
      'cardPrintedName',
      `"cardPrintedName" is missing. ${cardOrReference}.`,
    ],
    [
      'sale',
      [...paying, ...card, 'cardRefId'],
      'cardRefId',
      `"cardRefId" came together with "creditCardNumber". ${cardOrReference}, never two of them.`,
    ],
    [
      'sale',
      [...paying, 'cardRefId', 'expireYear'],
      'expireYear',
      '"expireYear" came together with "cardRefId". The operation',
    ],
    [
      'status',
      ['byRequestSn'],
      'clientOrderId',
      '"clientOrderId" is missing. The operation needs either clientOrderId, or orderId.',
    ],
  ] as const)('says what is wrong with a %s of %j', (name, fields, field, problem) => {
    expect(presenceProblem({ name, row: operations[name] }, field => fields.some(each => each === field))).toEqual({
      field,
      problem: expect.stringContaining(problem),
    })
  })

  it.each(['amount', 'amountFrom', 'amountTo', 'amountSequence'])('lets a currency come with "%s"', field => {
    const update = { ...operations.createRecurringPayment, request: 'RecurringPaymentUpdate', required: [], oneOf: [] }
    expect(
      presenceProblem({ name: 'UPDATE', row: update as AnyOperation }, each => each === 'currency' || each === field),
    ).toBeUndefined()
  })
})

describe('undefinedProblem', () => {
  it.each(['amount', 'currency'])('finds one where the whole amount is meant without "%s"', field => {
    for (const name of ['capture', 'return'] as const) {
      expect(undefinedProblem({ name, row: operations[name] }, field)?.field).toBe(field)
    }
  })

  it('finds none where leaving it out means nothing, or is refused anyway', () => {
    const needing = { ...operations.capture, required: [...operations.capture.required, 'amount'] } as AnyOperation
    const rows = [operations.void, operations.sale, operations.createRecurringPayment, needing]
    expect(rows.map(row => undefinedProblem({ name: 'an', row }, 'amount'))).toEqual(rows.map(() => undefined))
    expect(undefinedProblem({ name: 'capture', row: operations.capture }, 'comment')).toBeUndefined()
  })
})
