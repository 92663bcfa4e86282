import { type AnyOperation, operations } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { presenceProblem, undefinedProblem } from './check-presence.js'

const ids = ['clientOrderId', 'orderId']

describe('presenceProblem', () => {
  it.each([
    ['capture', ids],
    ['capture', [...ids, 'amount', 'currency']],
    ['return', ids],
    ['status', ['clientOrderId']],
  ] as const)('finds nothing wrong with a %s of %j', (name, fields) => {
    expect(presenceProblem({ name, row: operations[name] }, fields)).toBeUndefined()
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
  ] as const)('says what is wrong with a %s of %j', (name, fields, field, problem) => {
    expect(presenceProblem({ name, row: operations[name] }, fields)).toEqual({
      field,
      problem: expect.stringContaining(problem),
    })
  })

  it.each(['amount', 'amountFrom', 'amountTo', 'amountSequence'])('lets a currency come with "%s"', field => {
    const update = { ...operations.createRecurringPayment, request: 'RecurringPaymentUpdate', required: [] }
    expect(presenceProblem({ name: 'UPDATE', row: update as AnyOperation }, ['currency', field])).toBeUndefined()
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
