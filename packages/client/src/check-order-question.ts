/**
 * Checks of a question about an order, for users without types.
 *
 * @module
 */
import { checkStages } from '@tillkit/protocol'
import { describeValue } from './describe-value.js'
import type { OrderQuestion } from './order-view.js'

/** @throws {TypeError} naming what is wrong with it and how to ask. */
export function checkOrderQuestion(question: OrderQuestion): void {
  if (typeof question !== 'object' || question === null) {
    throw new TypeError(
      `The question is ${describeValue(question)}. Ask for an order with { clientOrderId: 'order-1001', orderId }.`,
    )
  }
  const { serialNumbers, known }: { readonly [Field in keyof OrderQuestion]?: unknown } = question
  if (serialNumbers !== undefined && !(Array.isArray(serialNumbers) && serialNumbers.every(isWritten))) {
    throw new TypeError(
      '"serialNumbers" must list the serial numbers of requests as text, e.g. [reply.serialNumber]: none of them empty, or with white space ' +
        'at its ends, which no reply echoes.',
    )
  }
  if (known === undefined) return
  if (typeof known !== 'object' || known === null) {
    throw new TypeError(`"known" is ${describeValue(known)}. Hand over an order as it was returned, or leave it out.`)
  }
  checkStages('known.stages', 'stages' in known ? known.stages : undefined)
}

const isWritten = (value: unknown): boolean => typeof value === 'string' && value !== '' && value === value.trim()
