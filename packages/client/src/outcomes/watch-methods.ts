import {
  type AwaitedOutcome,
  describeValue,
  isNoId,
  nearName,
  type Order,
  type OutcomeQuestion,
  readOrder,
  type WaitState,
} from '@tillkit/protocol'
import type { CallOptions } from '../config/options.js'
import type { Settings } from '../config/settings.js'
import { askOrder, type OrderQuestion, type OrderView } from './order.js'
import {
  type AwaitOutcomeOptions,
  awaitOutcome,
  type OutcomeObservation,
  type WatchInput,
  watchOutcome,
} from './watch-outcome.js'

/** What a client has besides its operations. */
export interface WatchMethods {
  /**
   * Shows an order: its stages, what they add up to, and what they allow now.
   *
   * A status reply speaks of one stage, so hand over `known` or `serialNumbers` for the whole of it; `remarks` says what
   * cannot be told.
   *
   * @see Interface specification, sections 3 and 4, "status"
   */
  order(question: OrderQuestion, options?: CallOptions): Promise<OrderView>
  /**
   * Waits until the outcome of one stage is known. It asks status on the public schedule, at once when it is told of a
   * callback, and rests on nothing but a status reply about this very stage that echoes both ids.
   *
   * Ends as `approved`, `declined`, `filtered`, `error`; as `needs-customer` (3DS: hand `step` over, then wait again with
   * `wait`); as `needs-person` (nothing to deliver, nothing to repeat); or as `still-unknown`, which is no "no".
   *
   * @example
   * ```ts
   * const { orderId } = await client.sale(request)
   * const ended = await client.awaitOutcome({
   *   order: { clientOrderId: 'o-1', orderId },
   *   expected: { stages: ['sale'], amount: '10.00', currency: 'EUR' },
   * })
   * if (ended.outcome === 'approved') deliver()
   * ```
   *
   * @param question What is waited for, or the saved state of a wait to go on from.
   * @throws {TypeError} for a question or an option that cannot work.
   */
  awaitOutcome(question: OutcomeQuestion | WaitState, options?: AwaitOutcomeOptions): Promise<AwaitedOutcome>
  /**
   * The same, one observation after the other; the last one carries the `outcome`. Leaving the loop ends the wait, and so
   * does `return()`, in the middle of a pause too.
   */
  watchOutcome(
    question: OutcomeQuestion | WaitState,
    options?: AwaitOutcomeOptions,
  ): AsyncGenerator<OutcomeObservation, void, undefined>
  /**
   * Wakes whoever waits in this client for an outcome of this order, so that status is asked at once. Call it with what a
   * verified callback says; nothing is believed of it but that it is worth asking.
   *
   * @returns How many waits were woken.
   * @throws {TypeError} when it does not say which order it is about.
   */
  noteCallback(callback: { readonly clientOrderId: string }): number
}

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
