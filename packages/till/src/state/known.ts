import type { FinalOutcome, Stage, StageName } from '@tillkit/protocol'
import type { RememberedAttempt } from './attempt-rules.js'
import { type KnownCorrection, placesOf } from './late-approval.js'
import { isSame } from './values.js'

/** Somebody stopped new money, or let it come again. */
export interface PauseEntry {
  readonly kind: 'paused' | 'resumed'
  readonly who: string
  readonly why: string
  /** Milliseconds of the store's clock. */
  readonly at: number
}

/** One order of a payment. */
export interface KnownOrder {
  /** The till's name of it: the merchant's id, and where another order has that id, `nameOfAnother`. */
  readonly clientOrderId?: string
  readonly login: string
  /** The gateway's id, once it is known. */
  readonly orderId?: string
  /** Requests that create or change it, in the order in which they were reserved. */
  readonly attempts: readonly KnownAttempt[]
  readonly stages: readonly KnownStage[]
  /** Status said more of it than its document has room for: a person must look. */
  readonly crowded?: true
  /** When a verified callback came about which status was not asked since, in milliseconds of the store's clock. */
  readonly callbackAt?: number
  /** What such callbacks say that status has not shown, oldest first. */
  readonly called?: readonly OpenCallback[]
  /** What callbacks said, and status did not show for an hour, oldest first. None ever goes: status may have shown it since. */
  readonly unshown?: readonly UnshownCallback[]
  readonly threeDSecure?: ThreeDSecureProgress
  /** The words of verified callbacks, where no request in the store is behind the order. */
  readonly unmatched?: UnmatchedNews
  /**
   * Why the payment went on without it although nobody knows that it failed. `no-address`: the address of its form was never kept, so
   * that no customer can have it. `replaced`: its form is open, and the merchant asked for another one. `expired`: the merchant asked for
   * another amount, and the time of its form is over. `by-person`: a person says so. It stays watched: it can still be paid.
   */
  readonly left?: 'no-address' | 'replaced' | 'expired' | 'by-person'
  /** When that was decided, in milliseconds of the store's clock. */
  readonly leftAt?: number
  /** When it was adopted: somebody else made it, and no request of it was sent from here. In milliseconds of the store's clock. */
  readonly adoptedAt?: number
}

/** The content of a verified callback about an order. Its word is signed; anyone may have written the rest. */
export interface CallbackSaid {
  readonly status: string
  /** How its word ends a stage. Absent: not at all. */
  readonly outcome?: FinalOutcome
  /** Absent: it names no stage that is known here. An amount and the bank's number are kept only of one that can happen several times. */
  readonly stage?: StageName
  /** Major units. */
  readonly amount?: string
  /** The bank's number of the movement. */
  readonly processorRrn?: string
}

/** A callback that status has not shown yet. */
export interface OpenCallback extends CallbackSaid {
  /** When it came, in milliseconds of the store's clock. */
  readonly at: number
}

/** A callback about which a person is asked. */
export interface UnshownCallback extends OpenCallback {
  /** Since when, in milliseconds of the store's clock. */
  readonly since: number
}

/** Whether one of several callbacks says this. */
export const isSaidByOne = (
  said: CallbackSaid,
  callbacks: readonly (OpenCallback & Partial<UnshownCallback>)[] = [],
): boolean => callbacks.some(({ at: _at, since: _since, ...each }) => isSame(each, said))

/** News from verified callbacks about an order that no request in the store is behind. */
export interface UnmatchedNews {
  /** Status words, in the order in which they first came. */
  readonly words: readonly string[]
  /** How many of them were offered to the merchant, or are not to be. */
  readonly offered: number
  /** When the next is to be offered, in milliseconds of the store's clock; absent: none is. */
  readonly offerAt?: number
  /** How often the next was offered, and not taken. */
  readonly tries?: number
}

/** How far a customer is with 3DS. Its times are those of the store's clock. */
export interface ThreeDSecureProgress {
  /** Steps that were handed over or whose result was uploaded. */
  readonly done: readonly string[]
  /** The latest 3DS method. */
  readonly method?: {
    /** Transaction id of the 3DS server. */
    readonly id: string
    /** When its hidden frame was first shown. */
    readonly startedAt: number
    /** When the bank notified us through that frame. */
    readonly notifiedAt?: number
  }
}

/** An attempt as a document has it. Its times are those of the store's clock. */
export interface KnownAttempt extends RememberedAttempt {
  /** Identifies the reservation: of two calls with one `attemptId`, the document says which one has it. */
  readonly reservation: string
  /** No byte of it starts after this moment, in milliseconds since the epoch. */
  readonly sendBy: number
  /** The way to `no-trace`, as far as it was gone. */
  readonly absence?: AbsencePosition
  /** It was noticed that nobody wrote down how it ended, when every wait for its answer was over. Nothing is decided by it. */
  readonly overdue?: true
}

/** The position on the way to `no-trace`. Its times are in milliseconds since the epoch. */
export interface AbsencePosition {
  /** Since when nothing of the request can be on its way from here. */
  readonly quietSince: number
  /** When the first answer of absence that counts had come. */
  readonly neverSeenAt?: number
}

/** A stage, and how many of its words were told, see {@link wordsOf}. Absent: none. */
export interface KnownStage extends Stage {
  readonly corrections: readonly KnownCorrection[]
  readonly told?: number
  /** When the latest of them was told: when the handler was called, in milliseconds of the store's clock. */
  readonly toldAt?: number
  /** The last certain outcome of it that was told is that it was approved: `disputed` is no certain one. */
  readonly approvalTold?: true
  /** A later reply named the amount that its final word had lacked, so that nobody has to look at it any more. That is one more word. */
  readonly amountCame?: true
  /** How many words it had had when a person settled which of them is so: those are kept with the decision. Absent: none. */
  readonly wordsBefore?: number
}

/** The right to tell an outcome. */
export interface Telling {
  readonly token: string
  /** Place of the order in `orders`, and of the stage in its `stages`: neither list ever loses an element. */
  readonly order: number
  readonly stage: number
  /** How many words of the stage are told then. */
  readonly words: number
  /** No other claim is given before this moment, in milliseconds of the store's clock. */
  readonly until: number
  /** When it was claimed, in milliseconds of the store's clock. */
  readonly at?: number
  /** Absent: it has not failed. */
  readonly failed?: FailedTelling
  /** Whether `failed` counts already that the handler has outstayed this very claim. */
  readonly overstayed?: true
}

/** How telling an outcome has failed so far. It goes with the telling that succeeds. */
export interface FailedTelling {
  /** Since when, in milliseconds of the store's clock. */
  readonly since: number
  /** How often. */
  readonly tries: number
  /** The text of the handler's last error, as {@link errorText} gives it. */
  readonly error: string
}

/** A change that a handler wants. */
export interface WantedChange {
  readonly name: 'capture' | 'return' | 'void'
  /** The part that is to be changed: its amount in major units, and the merchant's name of it. Absent: all that is left. */
  readonly part?: { readonly amount: string; readonly key: string }
  /** The till wants it, and not a handler: another order of the payment has brought money. It is given up once that is no longer so. */
  readonly because?: 'surplus'
}

/** A change that a handler wanted, and that is to be sent. */
export interface Wish extends WantedChange {
  /** The order that the handler was told of. */
  readonly clientOrderId: string
  /** Reservations of requests of that name which were there before: none of them carried it out. */
  readonly before: readonly string[]
  /** Milliseconds of the store's clock. It is not after the telling. */
  readonly since: number
}

/** Whether two wishes are the same one. */
export const isSameWish = (one: Wish, other: Wish): boolean => identityOf(one) === identityOf(other)

const identityOf = ({ name, part, clientOrderId, before }: Wish): string =>
  JSON.stringify([name, part?.amount, part?.key, clientOrderId, before])

/** From when on no byte of an attempt can be on its way: every wait for its answer is over by then. */
export const quietFrom = ({ sendBy, reservedAt }: Pick<KnownAttempt, 'sendBy' | 'reservedAt'>): number =>
  sendBy + Math.max(0, sendBy - reservedAt)

/** Whether the gateway contradicted itself about a stage. */
export const isDisputed = ({ corrections, restated }: Stage): boolean =>
  corrections.length > 0 || restated !== undefined

/** How many words a stage has had that somebody must hear: its final one, each correction, its missing amount, and that of other money. */
export const wordsOf = ({ outcome, corrections, restated, amountCame, wordsBefore = 0 }: KnownStage): number => {
  if (outcome === undefined) return 0
  const more = [restated, amountCame].filter(each => each !== undefined).length
  return wordsBefore + 2 + (placesOf(corrections).at(-1) ?? -1) + more
}

/** Whether a stage has a word that was not told. */
export const isUntold = (stage: KnownStage): boolean => (stage.told ?? 0) < wordsOf(stage)
