import type { RequestOf } from '../operations/operation.js'
import { type OperationName, type Operations, operations } from '../operations/operations.js'
import type { Reply } from '../operations/records/replies.js'
import { type AwaitedStage, awaitedStages, mayRepeat } from '../operations/stages.js'
import { emptyOrder, readOrder } from '../order/order.js'
import { checkExpectation, outcomeOfWrites } from '../order/settle.js'
import type { Expectation, Order, Stage } from '../order/types.js'
import type { Pace } from '../profile/poll-schedule.js'
import { withoutNulls } from '../reply/read-reply.js'

/** Operations about an order. */
export type OrderOperationName = {
  readonly [Name in OperationName]: RequestOf<Operations[Name]> extends { readonly clientOrderId: string }
    ? Name
    : never
}[OperationName]

/** A request and the reply that accepted it. */
export interface AcceptedRequest<Name extends OrderOperationName> {
  readonly request: RequestOf<Operations[Name]>
  readonly reply: Pick<Reply, 'orderId' | 'serialNumber'>
}

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
 * // { order: { clientOrderId: 'o-1', orderId: '77' },
 * //   expected: { stages: ['cancel', 'reversal'], serialNumber: 'a-1', amount: '3.00', currency: 'EUR' } }
 * ```
 *
 * @throws {TypeError} for an operation whose outcome status does not show, without request or reply, and where a capture, a return or a void was
 * answered without a serial number.
 */
export function outcomeOf<Name extends OrderOperationName>(
  name: Name,
  accepted: AcceptedRequest<Name>,
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
  const { stages: _, ...order } = emptyOrder({ clientOrderId, orderId })
  return { order, expected: { stages, ...(isRepeatable ? { serialNumber } : {}), ...moneyOf(given) } }
}

/** Without types, a promise of a reply has no ids and no serial number, and the question would be wrong. */
function checked<Accepted extends AcceptedRequest<never>>(name: string, accepted: Accepted): Accepted {
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

function stagesOf(name: OperationName): readonly AwaitedStage[] {
  const row = Object.hasOwn(operations, name) ? operations[name] : undefined
  const stages = awaitedStages.filter(stage => row?.stages.includes(stage))
  if (stages.length > 0) return stages
  throw new TypeError(
    `${JSON.stringify(name)} is not an operation whose outcome status shows. Examples of those are sale, preauth, capture, return and void.`,
  )
}

/** With several amounts to try, none of them is the one that is waited for. */
function moneyOf({ amount, currency, enumerateAmounts }: Given): Pick<Expectation, 'amount' | 'currency'> {
  if (amount === undefined || currency === undefined || enumerateAmounts !== undefined) return {}
  return { amount, currency: currency.trim() }
}

/** The question for an outcome. */
export interface OutcomeQuestion {
  /** The order: its ids are enough, `orderId` unless it was never received. Pass the stages you know. */
  readonly order: Pick<Order, 'clientOrderId' | 'orderId'> & { readonly stages?: readonly Stage[] }
  /**
   * The stage that is waited for. What an order can have several of (a capture, a return, a void) needs `serialNumber`,
   * which the reply to the request carries: status may still show an earlier one of the same kind.
   */
  readonly expected: Expectation
  /**
   * You know that no other request of this kind was or will be sent for this order. Only then can a capture, a return or a
   * void be waited for without its serial number. Default: false.
   */
  readonly onlyOneOfItsKind?: boolean
}

/** How far a wait has got, without card data. Save it as JSON; pass it in place of the question to go on. */
export interface WaitState extends OutcomeQuestion {
  readonly order: Order
  /** When the wait began, in milliseconds since the epoch. */
  readonly startedAt: number
  /** Questions so far. */
  readonly asked: number
  /** Questions that status answered, about this order. */
  readonly answered: number
  /** Absent until the first pause, and where the schedule is to begin anew. */
  readonly pace?: Pace
  /** 3DS steps that the customer was sent to: none is repeated. */
  readonly shown: readonly string[]
}

/**
 * The state that a wait begins with: a fresh one, or the saved one.
 *
 * @param now Milliseconds since the epoch.
 * @throws {TypeError} when the question cannot be answered as it is, saying how to ask it.
 */
export function openWait(question: OutcomeQuestion | WaitState, now: number): WaitState {
  if (typeof question !== 'object' || question === null) {
    throw new TypeError(
      `An outcome is asked for with { order: { clientOrderId, orderId }, expected: { stages: ['sale'] } }. ${outcomeOfWrites}`,
    )
  }
  const { expected, onlyOneOfItsKind = false } = question
  checkExpectation(expected)
  checkSerialNumber(expected, onlyOneOfItsKind)
  const order = keptOrder(question)
  const { startedAt = now, asked = 0, answered = 0, shown = [], pace } = question as Partial<WaitState>
  const areCounts = [asked, answered].every(each => Number.isSafeInteger(each) && each >= 0)
  const isShown = Array.isArray(shown) && shown.every(each => typeof each === 'string')
  if (!Number.isFinite(startedAt) || !areCounts || !isShown || !isPace(pace)) {
    throw new TypeError(
      'This is not a wait state. Pass what was saved, unchanged, or ask anew with order and expected.',
    )
  }
  const kept = { order, expected, startedAt, asked, answered, shown }
  return { ...kept, ...(onlyOneOfItsKind ? { onlyOneOfItsKind } : {}), ...(pace === undefined ? {} : { pace }) }
}

function keptOrder({ order }: OutcomeQuestion): Order {
  const { stages, ...ids } = withoutNulls<OutcomeQuestion['order']>(order ?? {})
  const begun = emptyOrder(ids)
  return stages === undefined ? begun : readOrder('order', { ...begun, stages })
}

function checkSerialNumber({ stages, serialNumber }: Expectation, onlyOneOfItsKind: boolean): void {
  const repeatable = stages.filter(mayRepeat)
  if (repeatable.length === 0 || onlyOneOfItsKind || serialNumber !== undefined) return
  throw new TypeError(
    `"expected.serialNumber" is missing: an order can have several stages of the kind ${repeatable.join(' or ')}, and status ` +
      'may be about an earlier one. Take it from the reply to the request. If that was lost, resolve the attempt; say ' +
      '"onlyOneOfItsKind" only if you know that no other was sent.',
  )
}

function isPace(pace: unknown): boolean {
  if (pace === undefined) return true
  if (typeof pace !== 'object' || pace === null) return false
  const { phase, since, pauses, paused }: { readonly [Field in keyof Pace]?: unknown } = pace
  return [phase, pauses].every(Number.isSafeInteger) && [since, paused].every(Number.isFinite)
}
