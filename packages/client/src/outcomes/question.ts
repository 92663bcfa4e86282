import {
  checkExpected,
  emptyOrder,
  isAwaitedStage,
  mayRepeat,
  type OperationName,
  type Operations,
  type Order,
  operations,
  type Reply,
  type RequestOf,
  type SettleInput,
} from '@tillkit/protocol'
import type { OutcomeQuestion } from './types.js'

/** Operations about an order. */
export type OrderOperationName = {
  readonly [Name in OperationName]: RequestOf<Operations[Name]> extends { readonly clientOrderId: string }
    ? Name
    : never
}[OperationName]

/**
 * The question how an accepted request ended, for `awaitOutcome`.
 *
 * Stages come from the table, ids and serial number from request and reply, the amount from the request. A request about
 * the whole names no amount, and neither does the question: then nothing is compared.
 *
 * @example
 * ```ts
 * const request = { clientOrderId: 'o-1', orderId: '77', amount: '3.00', currency: 'EUR' }
 * const question = outcomeOf('return', { request, reply: { orderId: '77', serialNumber: 'a-1' } })
 * // { clientOrderId: 'o-1', orderId: '77', stages: ['cancel', 'reversal'], serialNumber: 'a-1', amount: '3.00', currency: 'EUR' }
 * ```
 *
 * @param accepted The request, and the reply that accepted it.
 * @throws {TypeError} for an operation whose outcome status does not show, without request or reply, and where a capture,
 * a return or a void was answered without a serial number.
 */
export function outcomeOf<Name extends OrderOperationName>(
  name: Name,
  accepted: { readonly request: RequestOf<Operations[Name]>; readonly reply: Pick<Reply, 'orderId' | 'serialNumber'> },
): OutcomeQuestion {
  const stages = stagesOf(name)
  const { request, reply } = checked(name, accepted)
  const given: Given = request
  const { clientOrderId = '', orderId: asked } = given
  const { serialNumber, orderId = asked } = reply
  const isRepeatable = stages.some(mayRepeat)
  if (isRepeatable && serialNumber === undefined) {
    throw new TypeError(
      `The reply to the ${name} has no "serialNumber", so status cannot tell it from another one. Only if you know that no ` +
        'other was sent: write the question yourself, with "onlyOneOfItsKind".',
    )
  }
  const { stages: _, ...ids } = emptyOrder({ clientOrderId, orderId })
  return { ...ids, stages, ...(isRepeatable ? { serialNumber } : {}), ...moneyOf(given) }
}

/** Without types, a promise of a reply has no ids and no serial number, and the question would be wrong. */
function checked<Accepted extends object>(name: string, accepted: Accepted): Accepted {
  const { request, reply }: { readonly request?: unknown; readonly reply?: unknown } = accepted ?? {}
  for (const [part, value] of Object.entries({ request, reply })) {
    if (typeof value === 'object' && value !== null && !('then' in value)) continue
    const found = typeof value === 'object' && value !== null ? 'a promise: await the call first' : 'missing'
    throw new TypeError(
      `outcomeOf('${name}', { request, reply }) takes what was sent and what came back; "${part}" is ${found}.`,
    )
  }
  return accepted
}

/** Fields that a request record may have. */
type Given = {
  readonly [Field in 'clientOrderId' | 'orderId' | 'amount' | 'currency' | 'enumerateAmounts']?: string
}

function stagesOf(name: OperationName): OutcomeQuestion['stages'] {
  const stages = Object.hasOwn(operations, name) ? operations[name].stages.filter(isAwaitedStage) : []
  if (stages.length > 0) return stages
  throw new TypeError(
    `${JSON.stringify(name)} is not an operation whose outcome status shows. ` +
      'Examples of those are sale, preauth, capture, return and void.',
  )
}

/** With several amounts to try, none of them is the one that is waited for. */
function moneyOf({ amount, currency, enumerateAmounts }: Given) {
  if (amount === undefined || currency === undefined || enumerateAmounts !== undefined) return {}
  return { amount, currency: currency.trim() }
}

/** Which order status is asked about, and what is waited for. */
export type ReadQuestion = Pick<SettleInput, 'expected'> & { readonly order: Order }

/** @throws {TypeError} when the question cannot be answered as it is, saying how to ask it. */
export function readQuestion(question: OutcomeQuestion): ReadQuestion {
  if (question?.stages === undefined) {
    throw new TypeError(
      "An outcome is asked for with { clientOrderId: 'o-1', orderId: '77', stages: ['sale'] }. " +
        "outcomeOf('sale', { request, reply }) makes the question of a request and the reply that accepted it.",
    )
  }
  const { clientOrderId, orderId, onlyOneOfItsKind = false, ...rest } = question
  const expected = rest as SettleInput['expected']
  checkExpected(expected)
  checkSerialNumber(expected, onlyOneOfItsKind)
  return { order: emptyOrder({ clientOrderId, orderId }), expected }
}

function checkSerialNumber({ stages, serialNumber }: SettleInput['expected'], onlyOneOfItsKind: boolean): void {
  const repeatable = stages.filter(mayRepeat)
  if (repeatable.length === 0 || onlyOneOfItsKind || serialNumber !== undefined) return
  throw new TypeError(
    `"serialNumber" is missing: an order can have several stages of the kind ${repeatable.join(' or ')}, and status may be ` +
      'about an earlier one. Take it from the reply to the request. If that was lost, a person has to look at the gateway; say ' +
      '"onlyOneOfItsKind" only if you know that no other was sent.',
  )
}
