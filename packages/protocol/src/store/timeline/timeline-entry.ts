import type { Effect } from '../../operations/operation.js'
import type { StageName } from '../../operations/stages.js'
import type { FinalOutcome } from '../../profile/types.js'
import type { AttemptEnd, StatusSnapshot } from '../attempt.js'
import type { KnownDecision } from '../decision.js'
import type { FailedTelling, KnownOrder, WantedChange } from '../document.js'

/**
 * Something that happened to a payment, for people and for programs: narrow with `kind`. Plain data, so that it survives JSON. It has no
 * card data, no key, no signature, and no address of a form. Amounts are in major units, as they were written; times are in milliseconds
 * of the store's clock.
 *
 * A store merges what it learns. In no entry are: callbacks about which status was asked since, status replies that changed nothing, that a
 * request was unknown for a while, and tellings of a stage before the last one.
 */
export type TimelineEntry =
  | OpenedEntry
  | RequestEntry
  | AbsenceEntry
  | AnswerEntry
  | LeftEntry
  | CallbackEntry
  | ThreeDSecureEntry
  | StatusEntry
  | CorrectedEntry
  | RestatedEntry
  | CrowdedEntry
  | TellingEntry
  | ToldEntry
  | DecisionEntry
  | WantedEntry
  | PurgedEntry

/** What every entry says. */
interface AboutOrder {
  /** When it happened. Absent where nobody wrote that down: the entry then stands where it belongs. */
  readonly at?: number
  /** Which order of the payment it is about, from 1 on. */
  readonly order: number
  /** The merchant's id of that order; empty where only the gateway's is known. */
  readonly clientOrderId: string
  /** One sentence for people. */
  readonly text: string
}

/** What entries about a request say as well. */
interface AboutRequest extends AboutOrder {
  /** Which request about that order it is, from 1 on, of those that are kept. */
  readonly request: number
}

/** What entries about a stage say as well. */
interface AboutStage extends AboutOrder {
  /** Which stage of that order it is, from 1 on. */
  readonly nth: number
  readonly stage: StageName
}

/** An order of the payment was opened, or turned up. */
export interface OpenedEntry extends AboutOrder {
  readonly kind: 'opened'
  /** Merchant login of the account. */
  readonly login: string
  /** The gateway's id of the order, which it may have said later. */
  readonly orderId?: string
  /**
   * `first`: the payment began with it. `failed`, `released`, `left`: so was the order before it. `elsewhere`: no request in the store made
   * it. Absent: that is not known any more.
   */
  readonly why?: 'first' | 'failed' | 'released' | 'left' | 'elsewhere'
}

/** A request was written down, and was about to be sent. */
export interface RequestEntry extends AboutRequest {
  readonly kind: 'request'
  /** Name of the operation, such as `saleForm`. */
  readonly operation: string
  readonly effect: Exclude<Effect, 'reads'>
  /** Stages in which status would show it. None: it moves no money. */
  readonly stages: readonly StageName[]
  readonly amount?: string
  readonly currency?: string
  /** Who gets the money of a payout, such as `account NL91***4300`. */
  readonly recipient?: string
  /** Names the request: of a part, the merchant's key is in it. */
  readonly attemptId: string
  /** No byte of it left after this moment. */
  readonly sendBy: number
  /** What status said just before. */
  readonly baseline?: StatusSnapshot
  /** Who asked for it and why, where a person did. */
  readonly person?: { readonly who: string; readonly why: string }
}

/** Status does not know the order of a request, which is not proof yet. */
export interface AbsenceEntry extends AboutRequest {
  readonly kind: 'absence'
  /** Since when nothing of the request could be on its way. `at` is when the first answer that counts had come. */
  readonly quietSince: number
}

/** It became known how a request ended. */
export interface AnswerEntry extends AboutRequest {
  readonly kind: 'answer'
  readonly ended: AttemptEnd['kind']
  /** What says so: the gateway's answer to it, a status reply, or a person. */
  readonly basis: NonNullable<AttemptEnd['basis']>
  /** The person's reason. */
  readonly note?: string
  /** The gateway's id of the order. */
  readonly orderId?: string
  /** The gateway's id of the request. */
  readonly serialNumber?: string
  /** HTTP status of what answered in place of the gateway. */
  readonly foreignStatus?: number
  /** The answer had the address of a hosted form. */
  readonly form?: true
}

/** The payment went on without an order. */
export interface LeftEntry extends AboutOrder {
  readonly kind: 'left'
  readonly why: NonNullable<KnownOrder['left']>
}

/** A verified callback came, about which status was not asked since. */
export interface CallbackEntry extends AboutOrder {
  readonly kind: 'callback'
}

/** A customer came a step further with 3DS. */
export interface ThreeDSecureEntry extends AboutOrder {
  readonly kind: 'three-d-secure'
  /** Of a 3DS method the two moments are known; of what is `done` only what kind of step it was. */
  readonly step: 'method-shown' | 'method-notified' | 'done'
  readonly done?: string
}

/** What status said of a stage, until it had ended. */
export interface StatusEntry extends AboutStage {
  readonly kind: 'status'
  /** The gateway's word. */
  readonly status: string
  /** How the stage ended by that word; absent while it has not. */
  readonly outcome?: FinalOutcome
  /** What the gateway calls the stage, where it is `unrecognized`. */
  readonly word?: string
  /** The gateway's id of the request that started the stage. */
  readonly serialNumber?: string
  readonly amount?: string
  readonly currency?: string
  /** The acquirer's number and code of the stage. */
  readonly processorRrn?: string
  readonly approvalCode?: string
  readonly errorCode?: string
  readonly errorMessage?: string
  /** How many words the stage had had when a person settled which of them is so. Absent: nobody did. */
  readonly wordsBefore?: number
}

/** The gateway took a final word back. */
export interface CorrectedEntry extends AboutStage {
  readonly kind: 'corrected'
  readonly from: string
  readonly to: string
  /** Which correction of the stage it is, from 1 on. Of very many some are not kept. */
  readonly correction: number
}

/** The gateway named other money for what it had approved. */
export interface RestatedEntry extends AboutStage {
  readonly kind: 'restated'
  readonly amount?: string
  readonly currency?: string
}

/** Status said more of an order than there is room for. */
export interface CrowdedEntry extends AboutOrder {
  readonly kind: 'crowded'
}

/** The handler is being told of a stage. */
export interface TellingEntry extends AboutStage {
  readonly kind: 'telling'
  readonly words: number
  /** Nobody else tells it before this moment. */
  readonly until: number
  /** Whether the handler is called again at `until`, and is not running now. */
  readonly postponed: boolean
  /** How telling it has failed so far. */
  readonly failed?: FailedTelling
}

/** The handler was told of a stage. Of several times the last one is known. */
export interface ToldEntry extends AboutStage {
  readonly kind: 'told'
  /** How many words of the stage it has heard: its final one, each correction, other money. */
  readonly words: number
  /** The last certain outcome of it that was told is that it was approved. */
  readonly approval?: true
}

/** A person decided what no machine can know, or proposed it. `at` is when. */
export interface DecisionEntry extends AboutOrder, Omit<KnownDecision, 'at'> {
  readonly kind: 'decision'
}

/** The handler wants a change, which was not sent yet. */
export interface WantedEntry extends AboutOrder, WantedChange {
  readonly kind: 'wanted'
}

/** The payment was over for so long that only its ids were kept. */
export interface PurgedEntry extends AboutOrder {
  readonly kind: 'purged'
}

/** An entry whose sentence is still to be written. */
export type Happening = TimelineEntry extends infer Entry
  ? Entry extends TimelineEntry
    ? Omit<Entry, 'text'>
    : never
  : never
