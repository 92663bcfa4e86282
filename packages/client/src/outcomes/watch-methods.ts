import { describeValue, isNoId, nearName, type Order, readOrder } from '@tillkit/protocol'
import type { Settings } from '../config/settings.js'
import { askOrder } from './order.js'
import type { OrderQuestion, WatchMethods } from './types.js'
import { awaitOutcome, type WatchInput, watchOutcome } from './watch-outcome.js'

/** Makes those methods. */
export function watchMethods(
  given: Pick<WatchInput, 'status' | 'waits' | 'warn'> & { readonly settings: Settings },
): WatchMethods {
  return {
    order: async (question, options = {}) => askOrder({ ...given, question: checkedOrderQuestion(question), options }),
    awaitOutcome: async (question, options = {}) => awaitOutcome({ ...given, question, options }),
    watchOutcome: (question, options = {}) => watchOutcome({ ...given, question, options }),
    noteCallback: callback => given.waits.wake(orderOf(callback)),
  }
}

function orderOf(callback: { readonly clientOrderId: string } | undefined): string {
  const clientOrderId: unknown = callback?.clientOrderId
  if (typeof clientOrderId === 'string') return clientOrderId
  throw new TypeError(
    `"clientOrderId" of the callback is ${describeValue(clientOrderId)}. Say which order it is about: noteCallback({ clientOrderId }).`,
  )
}

/**
 * Checks a question. What a store gives back as null in a known order is absent.
 *
 * @throws {TypeError} naming what is wrong with it and how to ask.
 */
export function checkedOrderQuestion(question: OrderQuestion): OrderQuestion {
  if (typeof question !== 'object' || question === null) {
    throw new TypeError(
      `The question is ${describeValue(question)}. Ask for an order with { clientOrderId: 'order-1001', orderId }.`,
    )
  }
  for (const field of Object.keys(question)) {
    const near =
      field === 'known' || field === 'serialNumbers' ? undefined : nearName(field, ['serialNumbers', 'known'])
    if (near === undefined) continue
    throw new TypeError(`A question about an order has no "${field.slice(0, 60)}". Did you mean "${near}"?`)
  }
  const { serialNumbers, known }: { readonly [Field in keyof OrderQuestion]?: unknown } = question
  if (serialNumbers !== undefined && !(Array.isArray(serialNumbers) && serialNumbers.every(isWritten))) {
    throw new TypeError(
      '"serialNumbers" must list the serial numbers of requests as text, e.g. [reply.serialNumber]: none of them empty, a word for nothing, or with white space ' +
        'at its ends, which no reply echoes.',
    )
  }
  if (known === undefined) return question
  if (typeof known !== 'object' || known === null) {
    throw new TypeError(`"known" is ${describeValue(known)}. Hand over an order as it was returned, or leave it out.`)
  }
  return { ...question, known: readOrder('known', known as Order) }
}

const isWritten = (value: unknown): boolean => typeof value === 'string' && !isNoId(value) && value === value.trim()
