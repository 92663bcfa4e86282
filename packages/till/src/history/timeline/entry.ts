import type { AttemptEnd, FinalOutcome, StageName } from '@tillkit/protocol'
import type { KnownDecision } from '../../state/decision.js'
import type { StageSaid } from '../../state/facts.js'
import type { CallbackSaid, FailedTelling, KnownOrder, WantedChange } from '../../state/known.js'

/**
 * Something that happened to a payment, for people and for programs: narrow with `kind`. Plain data, so that it survives JSON. It has no
 * card data, no key, no signature, and no address of a form. Amounts are in major units, as they were written; times are in milliseconds
 * of the store's clock.
 *
 * A store keeps what says something. In no entry are: callbacks about which status was asked since, status replies between the first and
 * the last one about a stage that contradicted nothing, that a request was unknown for a while, and requests that did nothing where the
 * same one was sent again.
 */
export type TimelineEntry = { readonly [Kind in keyof Entries]: EntryOf<Kind> }[keyof Entries]

/** The entry of one kind. */
export type EntryOf<Kind extends keyof Entries> = Entries[Kind] & { readonly kind: Kind }

/** The fields of every entry. */
interface AboutOrder {
  /** When it happened. Absent where nobody wrote that down. */
  readonly at?: number
  /** Which order of the payment it is about, from 1 on. */
  readonly order: number
  /** The merchant's id of that order; empty where only the gateway's is known. */
  readonly clientOrderId: string
  /** One sentence for people, or two. */
  readonly text: string
}

/** The further field of entries about a request. */
interface AboutRequest extends AboutOrder {
  /** Names the request, as questions for people do. */
  readonly request: string
}

/** The further fields of entries about a stage. */
interface AboutStage extends AboutOrder {
  /** Which stage of that order it is, from 1 on. */
  readonly nth: number
  readonly stage: StageName
}

/** The fields of each kind. */
interface Entries {
  /** An order of the payment was opened, or turned up. */
  readonly opened: AboutOrder & {
    /** Merchant login of the account. */
    readonly login: string
    /** The gateway's id of the order, which it may have said later. */
    readonly orderId?: string
    /**
     * `first`: the payment began with it. `failed`, `released`, `abandoned`: so was the order before it. `elsewhere`:
     * no request in the store made it. Absent: that is not known.
     */
    readonly why?: 'first' | 'failed' | 'released' | 'abandoned' | 'elsewhere'
  }
  /** A request was written down, and was about to be sent. */
  readonly requested: AboutRequest & {
    /** Name of the operation, such as `saleForm`. */
    readonly operation: string
    readonly amount?: string
    readonly currency?: string
    /** The merchant's key of a part. */
    readonly key?: string
    /** Who gets the money of a payout, such as `account NL91***4300`. */
    readonly recipient?: string
    /** Who asked for it and why, where a person did. */
    readonly person?: { readonly who: string; readonly why: string }
  }
  /** It became known how a request ended. */
  readonly answered: AboutRequest & {
    readonly ended: AttemptEnd['kind']
    /** The source of that: the gateway's answer to it, a status reply, or a person. */
    readonly basis: NonNullable<AttemptEnd['basis']>
    /** The person's reason. */
    readonly note?: string
    /** The gateway's id of the order. */
    readonly orderId?: string
    /** The gateway's id of the request. */
    readonly serialNumber?: string
    /** The HTTP status of an answer that was not the gateway's. */
    readonly foreignStatus?: number
  }
  /** Status does not know the order of a request, which is not proof yet. `at` is when the first answer that counts had come. */
  readonly 'never-seen': AboutRequest
  /** Every wait for the answer to a request is over, and nobody has written down how it ended. */
  readonly overdue: AboutRequest
  /** The gateway says how a stage stands. `at`: the reply that said this word first was asked for then, as far as that was kept. */
  readonly status: AboutStage & StageSaid
  /** The gateway took a final word back. */
  readonly corrected: AboutStage & {
    readonly from: string
    readonly to: string
    /** Which correction of the stage it is, from 1 on. Of very many some are not kept. */
    readonly correction: number
  }
  /** The gateway named other money for what it had approved. */
  readonly restated: AboutStage & {
    readonly amount?: string
    readonly currency?: string
  }
  /** From here on a stage is what a person decided that it is: the decision is the entry before. */
  readonly settled: AboutStage & {
    readonly outcome?: FinalOutcome
    readonly serialNumber?: string
    readonly amount?: string
    readonly currency?: string
  }
  /** A verified callback came, about which status was not asked since. */
  readonly callback: AboutOrder
  /** Status has not shown for an hour what a verified callback said. `at` is when it came. */
  readonly 'not-shown': AboutOrder & CallbackSaid
  /** A customer came a step further with 3DS. */
  readonly 'three-d-secure': AboutOrder & {
    /** The two moments of a 3DS method, or that another step is done. */
    readonly step: 'method-shown' | 'method-notified' | 'done'
    readonly done?: string
  }
  /** The handler is being told of a stage. */
  readonly delivery: AboutStage & {
    /** No one else tells it before this moment. */
    readonly until: number
    /** Whether the handler is called again at `until`, and is not running now. */
    readonly postponed: boolean
    /** How its delivery has failed so far. */
    readonly failed?: FailedTelling
  }
  /** The handler was told of a stage. Of very many times the first and the last ones are kept. */
  readonly delivered: AboutStage & {
    /** How many words of the stage it has heard: its final one, each correction, its amount, other money. */
    readonly words: number
  }
  /** The handler wants a change, which was not sent yet. `at` is when it said so. */
  readonly 'follow-up': AboutOrder & WantedChange
  /** A person decided what no machine can know, or proposed it. `at` is when. */
  readonly decided: AboutOrder & Omit<KnownDecision, 'at'>
  /** The payment went on without an order. */
  readonly abandoned: AboutOrder & {
    readonly why: NonNullable<KnownOrder['left']>
  }
  /** Status said more of an order than there is room for. */
  readonly full: AboutOrder
  /** The payment was over for so long that only its ids were kept. */
  readonly purged: AboutOrder
}

/** An entry whose sentence is still to be written. */
export type Happening = TimelineEntry extends infer Entry
  ? Entry extends TimelineEntry
    ? Omit<Entry, 'text'>
    : never
  : never
