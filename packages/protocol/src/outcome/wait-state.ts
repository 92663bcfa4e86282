/**
 * The state of a wait for an outcome: what is waited for, what is known, how far the schedule has got.
 *
 * Plain JSON, so that a wait can be saved and gone on with in another process. It holds no card data.
 *
 * @module
 */
import { checkExpectation, outcomeOfWrites } from '../order/check-expectation.js'
import { emptyOrder, type Order, type Stage } from '../order/order.js'
import { readOrder } from '../order/read-order.js'
import type { Expectation } from '../order/settle.js'
import { mayRepeat } from '../order/stage.js'
import type { Pace } from '../profile/poll-schedule.js'
import { withoutNulls } from '../reply/without-nulls.js'

/** What outcome is asked for. */
export interface OutcomeQuestion {
  /** The order: its ids are enough, `orderId` unless it was never received. Hand over the stages you know. */
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

/** How far a wait has got. Save it as JSON; hand it over in place of the question to go on. */
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
  /** 3DS steps that were handed over to the customer: none is handed over twice. */
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
  checkProgress({ startedAt, asked, answered, shown, pace })
  return {
    order,
    expected,
    ...(onlyOneOfItsKind ? { onlyOneOfItsKind } : {}),
    startedAt,
    asked,
    answered,
    ...(pace === undefined ? {} : { pace }),
    shown,
  }
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
      'may speak of an earlier one. Take it from the reply to the request. If that was lost, resolve the attempt; say ' +
      '"onlyOneOfItsKind" only if you know that no other was sent.',
  )
}

function checkProgress({
  startedAt,
  asked,
  answered,
  shown,
  pace,
}: { readonly [Field in keyof WaitState]?: unknown }): void {
  const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0
  const isShown = Array.isArray(shown) && shown.every(each => typeof each === 'string')
  if (Number.isFinite(startedAt) && isCount(asked) && isCount(answered) && isShown && isPace(pace)) return
  throw new TypeError(
    'This is no wait state. Hand over what was saved, unchanged, or ask anew with order and expected.',
  )
}

function isPace(pace: unknown): boolean {
  if (pace === undefined) return true
  if (typeof pace !== 'object' || pace === null) return false
  const { phase, since, pauses, paused }: { readonly [Field in keyof Pace]?: unknown } = pace
  return [phase, pauses].every(Number.isSafeInteger) && [since, paused].every(Number.isFinite)
}
