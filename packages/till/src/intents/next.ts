/**
 * An intent says what is to be done next about a payment. Pure: no clock, no store, no gateway.
 *
 * @module
 */
import type { AttemptEnd, WireProfile } from '@tillkit/protocol'
import type { Answer, Question } from '../rules/answer.js'
import type { PaymentDocument } from '../state/document.js'
import type { KnownAttempt, PauseEntry } from '../state/known.js'

/** The store's time, as a process knows it: between two moments, in milliseconds of the store's clock. */
export interface Moment {
  /** By this one it is decided whether something is over. */
  readonly earliest: number
  /** By this one it is decided whether something may still be done. */
  readonly latest: number
}

/** Everything that one run has learnt. It is never stored. */
export interface Heard {
  /** Milliseconds since its patience began, by whichever of two clocks says more. */
  readonly passed: number
  /** The same since the run began. Default: `passed`. */
  readonly lived?: number
  /** The answers of status to this run, in the order of its questions. */
  readonly answers: readonly Answer[]
  /** Whether the payment and the marks were read after the last question and the last delivery of this run. */
  readonly isFresh: boolean
  /** The marks of the till, as they were last read. */
  readonly marks: Marks
  /** The reservation of the request that this run has written down; undefined: it has written none. */
  readonly request?: string
  /** How that request ended. */
  readonly end?: AttemptEnd
  /** The payment as this run read it first; undefined: there was none. */
  readonly first?: PaymentDocument | undefined
  /** How its deliveries ended, in their order. */
  readonly deliveries: readonly DeliveryEnd[]
  /** How long it has waited between two looks, in milliseconds. */
  readonly waited: number
  /** Whether a handler runs in this process that was told of the payment: one that has outstayed its lease. */
  readonly isHandling: boolean
}

/** The marks of a till, which hold for all of its payments. */
export interface Marks {
  /** A person stopped new money. */
  readonly pause?: PauseEntry | undefined
  /** The store was restored from a backup, which counts until this moment, in milliseconds of its clock. */
  readonly restoredUntil?: number | undefined
  /** They cannot be read, and trying again does not help: nothing new may be begun. */
  readonly unreadable?: { readonly cause: unknown }
}

/**
 * The end of a delivery. `told`: the handler was told, and that is written down, or will be with the next write. `failed`:
 * the handler threw, or what it wrote was not taken. `overstayed`: it did not end within its lease, and may be told again. `not-begun`:
 * its lease was over before the handler could be called. `unknown`: it may have been committed that it was told;
 * what is kept of the payment says so.
 */
export type DeliveryEnd = { readonly token: string } & (
  | { readonly kind: 'told' | 'overstayed' | 'not-begun' }
  | { readonly kind: 'failed' | 'unknown'; readonly cause: unknown }
)

/** Everything that an intent decides by. */
export interface Scene {
  /** The payment with all that this run knows of it; undefined: nothing is kept of it. */
  readonly payment: PaymentDocument | undefined
  /** The payment as the store keeps it: without what this run has still to write down. */
  readonly kept: PaymentDocument | undefined
  readonly heard: Heard
  readonly at: Moment
  /** The name that the next request or lease of this run has, if it is written down. */
  readonly gate: string
}

/** Whether it still counts that the store was restored from a backup: the gateway may have orders and changes that it lacks. */
export const isRestored = ({ heard: { marks }, at }: Pick<Scene, 'heard' | 'at'>): boolean =>
  (marks.restoredUntil ?? 0) > at.earliest

/** The next thing to do. */
export type Step<Result> =
  /**
   * Write the request down, and send it once that is durable. `payment`: with the request. It is a decision:
   * dropped where somebody else wrote.
   */
  | { readonly kind: 'send'; readonly attempt: KnownAttempt; readonly payment: PaymentDocument }
  /** Write a decision down. Where somebody else wrote, it is dropped, and decided again. */
  | { readonly kind: 'append'; readonly payment: PaymentDocument }
  /** Ask status. What it says is written with the next write of this run. `isBrief`: once, and not for long, for it is not needed. */
  | { readonly kind: 'ask'; readonly question: Question; readonly isBrief?: boolean }
  /**
   * Write a lease down, and call the merchant's handler once that is durable. `payment`:
   * with the lease, whose token is the `gate` of the scene. It is a decision as well.
   */
  | { readonly kind: 'deliver'; readonly payment: PaymentDocument }
  /** Read the payment and the marks again. */
  | { readonly kind: 'look' }
  /** Look again after so many milliseconds. */
  | { readonly kind: 'wait'; readonly milliseconds: number }
  /** `payment`: as it is to be written before; a decision as well. Absent: nothing but what happened is written. */
  | { readonly kind: 'end'; readonly result: Result; readonly payment?: PaymentDocument | undefined }

/** The profiles that an intent goes by. */
export interface Profiles {
  /** The profile that the payment is looked at with. */
  readonly profile: WireProfile
  /** The profile of an account; undefined: there is no account of that login any more, so that nobody can be asked. */
  readonly profileOf: (login: string) => WireProfile | undefined
}

/** Says what is to be done next, for one intent. */
export interface Next<Result> {
  (scene: Scene): Step<Result>
  /** Absent: nobody can record its runs. */
  readonly intent?: Intent<Result>
}

/** Names of the intents that a till lives. */
export type IntentName =
  | 'adopt'
  | 'ask'
  | 'callback'
  | 'change'
  | 'decide'
  | 'follow-up'
  | 'late'
  | 'pay'
  | 'payout'
  | 'purge'
  | 'secure'
  | 'send'
  | 'status'
  | 'strike'
  | 'visit'

/** An intent can be made again by this: so a recorded run can be lived once more. */
export interface Intent<Result> {
  readonly name: IntentName
  readonly plan: object
  make(plan: object): Next<Result>
}

/** Makes an intent out of its plan, and keeps the plan beside it. */
export const planned = <Plan extends object, Result>(
  name: IntentName,
  plan: Plan,
  make: (plan: Plan) => Next<Result>,
): Next<Result> => {
  const next = make(plan)
  const intent: Intent<Result> = { name, plan, make: make as Intent<Result>['make'] }
  return Object.assign((scene: Scene) => next(scene), { intent })
}
