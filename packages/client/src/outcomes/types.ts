import type {
  CustomerStep,
  MoneyMoved,
  Order,
  Outcome,
  PollSchedule,
  SettleInput,
  Stage,
  StatusObservation,
} from '@tillkit/protocol'
import type { CallOptions } from '../config/options.js'

/** The question how one stage of an order ended. It is plain JSON. */
export type OutcomeQuestion = SettleInput['expected'] & {
  readonly clientOrderId: string
  /** The gateway's order id. Leave it out only where it was never received. */
  readonly orderId?: string | undefined
  /**
   * You know that no other request of this kind was or will be sent for this order. Only then can a capture, a return or a void be
   * waited for without its `serialNumber`, which the reply to the request carries: status may still show an earlier one. Default: false.
   */
  readonly onlyOneOfItsKind?: boolean | undefined
}

/** Options of `awaitOutcome`. Those of a call go for every question; `timeout` is of one question. */
export interface AwaitOutcomeOptions extends Omit<CallOptions, 'signal' | 'retries'> {
  /**
   * When to stop, in milliseconds since the epoch; it asks a last time then, and once more where a callback comes meanwhile,
   * and ends two seconds later at the latest. Once the schedule is over it waits until then for a callback only. Default:
   * when the schedule is over.
   */
  readonly deadline?: number | undefined
  /** When to ask; an answer with `Retry-After` is heeded first, up to an hour. Default: the profile's `pollSchedule`. */
  readonly schedule?: PollSchedule | undefined
  /** Ends the wait as `still-unknown`. */
  readonly signal?: AbortSignal | undefined
  /** `shownSteps` of an earlier outcome: it ends for none of these 3DS steps again. Default: none was shown. */
  readonly shownSteps?: readonly string[] | undefined
}

/** How far a wait has got. */
export interface Progress {
  /** Everything that is known of the order. */
  readonly order: Order
  /** Questions so far. */
  readonly asked: number
  /** Questions that status answered, about this order. */
  readonly answered: number
  /** 3DS steps that the customer was sent to. They hold no card data; hand them over when you wait again. */
  readonly shownSteps: readonly string[]
}

/** Every outcome of a wait has these. */
interface Waited extends Progress {
  /** Says what happened and what to do. Safe to log. */
  readonly explanation: string
}

/** `approved`, `declined`, `filtered` or `error`: status said so, of this very stage, echoing both ids. */
type SettledOutcome = Outcome & Waited & { readonly observation: StatusObservation }

/** The customer has to do something first. Send the customer through `step` once, then wait again with `shownSteps`. */
type NeedsCustomer = Waited & {
  readonly kind: 'needs-customer'
  readonly step: Exclude<CustomerStep, { readonly kind: 'unusable' }>
  readonly evidence: 'status-reply'
  /** Nothing is known until there is a final word. */
  readonly moneyMoved: 'unknown'
  readonly observation: StatusObservation
}

/**
 * A person must look, and nothing is to be delivered or sent again. `amount-differs`: approved over another amount or
 * currency than was ordered. `corrected`: the gateway took back a final word. `unusable-step`: the customer cannot be sent
 * to 3DS as the reply says.
 */
type NeedsPerson = Waited & {
  readonly kind: 'needs-person'
  readonly reason: 'amount-differs' | 'corrected' | 'unusable-step'
  readonly stage?: Stage
  readonly evidence: 'status-reply'
  /** Known where it was approved over another amount: that amount moved. */
  readonly moneyMoved: MoneyMoved | 'unknown'
  readonly observation: StatusObservation
}

/** Status has not said how it ended. Nothing follows from that: above all, not that it did not happen. */
export type StillUnknown = Waited & {
  readonly kind: 'still-unknown'
  /** `time-is-up`: the schedule or the deadline. `aborted`: by the signal, or because the client was closed. */
  readonly reason: 'time-is-up' | 'aborted'
  /** `none`: no question was answered. */
  readonly evidence: 'status-reply' | 'none'
  readonly moneyMoved: 'unknown'
}

/** How a wait ended. Narrow by `kind`. */
export type AwaitedOutcome = SettledOutcome | NeedsCustomer | NeedsPerson | StillUnknown
