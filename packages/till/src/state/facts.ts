/**
 * The facts of a payment. A payment is kept as what happened to it, in the order in which that was written down.
 *
 * A fact has the conclusion that was drawn when it was written: which stage a status reply was about is never worked out again.
 * All times are in milliseconds of the store's clock, all amounts in major units as they were sent.
 * No fact has a card number, a key or a signature.
 *
 * @module
 */

import { type AttemptEnd, stageTexts } from '@tillkit/protocol'
import type { KnownDecision } from './decision.js'
import type {
  AbsencePosition,
  CallbackSaid,
  FailedTelling,
  KnownAttempt,
  KnownOrder,
  KnownStage,
  ThreeDSecureProgress,
  Wish,
} from './known.js'
import { present } from './values.js'

/** The version of histories that this release writes. */
export const historyVersion = 2

/** All that is kept of a payment. */
export interface History {
  readonly v: typeof historyVersion
  /** The merchant's name of the payment, as it was first written. */
  readonly reference: string
  readonly facts: readonly Fact[]
  /** The outcome that the handler is being told. It is a lease and no fact: it goes when `delivered` comes. */
  readonly delivery?: Delivery
}

/** An order was adopted into another payment: under the order's id a store keeps the name of that payment, and nothing else. */
export interface Pointer {
  readonly v: typeof historyVersion
  /** The id of the order, as it was first written. */
  readonly reference: string
  /** The merchant's name of the payment. */
  readonly alias: string
}

/** An order of the payment, by the merchant's id, or by the gateway's id where the merchant gave it none. */
export interface OrderName {
  readonly login: string
  readonly clientOrderId?: string
  readonly orderId?: string
}

/** Whether a name is that of an order. One without the merchant's id changes once the gateway's is known. */
export const isNameOf = (
  { login, clientOrderId, orderId }: OrderName,
  order: { readonly [Id in keyof OrderName]?: string | undefined },
): boolean =>
  order.login === login &&
  order.clientOrderId === clientOrderId &&
  (clientOrderId !== undefined || order.orderId === orderId)

/** All ids of an order, as the fact that begins it has them. */
export const idsOf = ({ login, clientOrderId, orderId }: Pick<KnownOrder, keyof OrderName>): OrderName => ({
  login,
  ...present({ clientOrderId, orderId }),
})

/** The name of an order in facts about it. */
export const nameOf = ({
  login,
  clientOrderId,
  orderId,
}: { readonly [Id in keyof OrderName]: OrderName[Id] | undefined } & Pick<OrderName, 'login'>): OrderName =>
  clientOrderId === undefined ? { login, ...present({ orderId }) } : { login, clientOrderId }

/** A text that facts about one order have in common, or about one stage of it. */
export const textOf = ({ login, clientOrderId, orderId }: OrderName, stage?: number): string =>
  JSON.stringify([login, clientOrderId === undefined ? [orderId] : clientOrderId, stage])

/** The right to tell the handler an outcome. One process has it at a time. */
export interface Delivery {
  /** Identifies the claim; empty: the handler is to be called again at `until`. */
  readonly token: string
  readonly order: OrderName
  /** Which stage of the order it is, from 1 on. */
  readonly stage: number
  /** How many words of the stage count as told once the handler has run. */
  readonly words: number
  /** No other process claims it before this moment. */
  readonly until: number
  readonly at?: number
  readonly failed?: FailedTelling
  readonly overstayed?: true
}

interface AboutOrder {
  readonly order: OrderName
}

interface AboutRequest extends AboutOrder {
  /** The reservation of the request. */
  readonly request: string
}

/**
 * An order began with a fact that is gone, such as a request that made way for the next one.
 * This one keeps the place of the order among those of the payment, and its ids.
 */
export interface Begun extends AboutOrder {
  readonly kind: 'begun'
}

/** A request was written down, and was about to be sent. */
export interface Requested extends AboutOrder {
  readonly kind: 'requested'
  readonly attempt: Omit<KnownAttempt, 'end' | 'absence' | 'overdue'>
}

/** It became known how a request ended. Several may say so: what was accepted stays accepted, and `unknown` says least. */
export interface Answered extends AboutRequest {
  readonly kind: 'answered'
  readonly end: AttemptEnd
  /** The gateway's id of the order, where this answer was the first to give it. */
  readonly orderId?: string
}

/** Status does not know the order of a request. Two such answers, some time apart, prove that it never arrived. */
export interface NeverSeen extends AboutRequest, AbsencePosition {
  readonly kind: 'never-seen'
}

/** Every wait for the answer to a request is over, and no process wrote down how it ended. */
export interface Overdue extends AboutRequest {
  readonly kind: 'overdue'
}

/** The fields of a stage that are the gateway's words. */
export const saidFields = ['stage', 'status', ...stageTexts] as const satisfies readonly (keyof KnownStage)[]

/** A stage in the gateway's words: the movement of money, how it stands, and the codes by which people find it. */
export type StageSaid = Pick<KnownStage, (typeof saidFields)[number]>

/** The gateway took a final word back. */
export interface TakenBack {
  readonly from: string
  readonly to: string
  readonly askedAt: number
  /** Which correction of its stage it is, from 0 on. */
  readonly nth: number
}

/** A status reply had news. */
export interface StatusSaid extends AboutOrder {
  readonly kind: 'status'
  /** The stage that it is about, from 1 on. Absent: the reply gave an id, or answered a callback, and nothing else. */
  readonly stage?: number
  /** The reply that last changed or confirmed the stage was asked for at this moment. */
  readonly at: number
  /** All that the gateway has said of the stage. Absent: nothing new. */
  readonly said?: StageSaid
  /** Final words that contradict an earlier one, oldest first. */
  readonly corrected?: readonly TakenBack[]
  /** The corrections that make way, by their `nth`, since a stage keeps twenty. No history keeps this: they go at once. */
  readonly forgotten?: readonly number[]
  /** Other money, named for what had been approved. */
  readonly restated?: NonNullable<KnownStage['restated']>
  /** It names the amount that an earlier final word lacked, so that nobody has to look at the stage any more. */
  readonly amountCame?: true
  /** The first word of the stage was asked for at this moment. Written with the first reply that contradicts it. */
  readonly firstAt?: number
  /** The gateway's id of the order, where this reply was the first to give it. */
  readonly orderId?: string
  /** It answers the callback that came last. No history keeps this: the callback goes with its answer. */
  readonly answersCallback?: true
}

/** A verified callback came. */
export interface CallbackCame extends AboutOrder {
  readonly kind: 'callback'
  readonly at: number
  /** What it says, where status has not shown that. */
  readonly said?: CallbackSaid
}

/** Status has not shown for an hour what a verified callback said: a person must look. */
export interface NotShown extends AboutOrder {
  readonly kind: 'not-shown'
  /** When the callback came. */
  readonly at: number
  /** Since when a person is asked. */
  readonly since: number
  readonly said: CallbackSaid
}

/** The handler was told of a stage, or a person decided that it need not be. */
export interface Delivered extends AboutOrder {
  readonly kind: 'delivered'
  readonly stage: number
  /** How many words of the stage it covers. */
  readonly words: number
  readonly at?: number
  /** The last certain outcome of the stage that was told is that it was approved. */
  readonly approval?: true
}

/** The handler, or the till itself, wants a change of an order. */
export interface FollowUp {
  readonly kind: 'follow-up'
  readonly wish: Wish
}

/** A change that was wanted was sent, or is not possible any more. */
export interface FollowUpDropped {
  readonly kind: 'follow-up-dropped'
  readonly wish: Wish
}

/** A person decided what no machine can know, or proposed it. */
export interface Decided {
  readonly kind: 'decided'
  readonly decision: KnownDecision
}

/** A person settled which of the gateway's words about a stage is so. */
export interface Settled extends AboutOrder {
  readonly kind: 'settled'
  readonly stage: number
  readonly said: StageSaid
  /** How many words the stage had had by then. */
  readonly words: number
  /** How many of them the handler has heard, where the merchant was told this very thing before. */
  readonly told?: number
}

/** Somebody else made this order; the payment took it in. */
export interface Adopted extends AboutOrder {
  readonly kind: 'adopted'
  readonly at: number
}

/** The payment went on without this order. */
export interface Abandoned extends AboutOrder {
  readonly kind: 'abandoned'
  readonly why: NonNullable<KnownOrder['left']>
  readonly at: number
}

/** Status said more of this order than there is room for. */
export interface Full extends AboutOrder {
  readonly kind: 'full'
}

/** The customer came a step further with 3DS. */
export interface ThreeDSecureStep extends AboutOrder {
  readonly kind: 'three-d-secure'
  /** Steps that are done since. */
  readonly done?: readonly string[]
  readonly method?: NonNullable<ThreeDSecureProgress['method']>
}

/** The payment was over for so long that only its ids were kept. */
export interface Purged {
  readonly kind: 'purged'
  readonly at: number
  readonly orders: readonly OrderName[]
}

/** Something that happened to a payment. Narrow with `kind`. */
export type Fact =
  | Begun
  | Requested
  | Answered
  | NeverSeen
  | Overdue
  | StatusSaid
  | CallbackCame
  | NotShown
  | Delivered
  | FollowUp
  | FollowUpDropped
  | Decided
  | Settled
  | Adopted
  | Abandoned
  | Full
  | ThreeDSecureStep
  | Purged

/** A fact about one order. */
export type FactOfOrder = Extract<Fact, { readonly order: OrderName }>
