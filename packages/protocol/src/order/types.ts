import type { StatusResponse } from '../operations/records/replies.js'
import type { StageName } from '../operations/stages.js'
import type { FinalOutcome } from '../profile/types.js'

/** A final word that a later status reply contradicted. */
export interface Correction {
  /** The gateway's word before. */
  readonly from: string
  /** The gateway's word now. */
  readonly to: string
  /** When we asked, in milliseconds since the epoch. */
  readonly askedAt: number
}

/** One event in an order, with a status of its own. */
export interface Stage {
  readonly stage: StageName
  /** What the gateway calls it, where this library does not know what that does to money: `stage` is `unrecognized`. */
  readonly word?: string
  /** `serial-number` of the request that started it, where it is known: what tells two equal returns apart. */
  readonly serialNumber?: string
  /** The gateway's word, as it was sent. The first final one stays; see `corrections`. */
  readonly status: string
  /** How it ended; absent while it has not. */
  readonly outcome?: FinalOutcome
  /** Major units, as it was sent. */
  readonly amount?: string
  /** ISO 4217 code. */
  readonly currency?: string
  /** The acquirer's number and code of it, where status said them. */
  readonly processorRrn?: string
  readonly approvalCode?: string
  /** The brand of the card, its last four digits, and the text on the cardholder's statement, where status said them. */
  readonly cardType?: string
  readonly lastFourDigits?: string
  readonly descriptor?: string
  /** Code of a refusal, as it was sent. No list of codes is public. */
  readonly errorCode?: string
  /** Why it was declined, filtered or failed, in the gateway's words; what looks like a card number is masked. */
  readonly errorMessage?: string
  /** When the reply that last changed or confirmed it was asked for, in milliseconds since the epoch. */
  readonly askedAt: number
  /**
   * When the reply that said `status` was asked for, in milliseconds since the epoch, where a later reply contradicted it or named other
   * money: `askedAt` is that of the later one then.
   */
  readonly statusAskedAt?: number
  /**
   * Money that a later reply stated for what had been approved over other money. Reported, never acted on by itself: which
   * of the two moved is not known, so there are no totals.
   */
  readonly restated?: Pick<Stage, 'amount' | 'currency' | 'askedAt'>
  /** Later final words that contradict `status`, oldest first. Reported, never acted on by themselves. */
  readonly corrections: readonly Correction[]
}

/** What is known of an order. */
export interface Order {
  readonly clientOrderId: string
  /** The gateway's id, once it is known. */
  readonly orderId?: string
  /** In the order in which they became known. */
  readonly stages: readonly Stage[]
}

/** A status reply and what was asked. */
export interface StatusObservation {
  readonly reply: StatusResponse
  /** When the question was asked, in milliseconds since the epoch. Replies are ordered by it, not by arrival. */
  readonly askedAt: number
  /**
   * The serial number that was asked about, if one was. It counts where the reply echoes it (`byRequestSn`), or where the
   * profile says that this gateway never does; otherwise the reply may be about the latest request.
   */
  readonly bySerialNumber?: string
  /**
   * The stage that made the order, in what `settle` returns: what a reply that names no stage is about, where the profile
   * says so (`statusNamesStage`) and the order has no other.
   */
  readonly createdBy?: StageName
  /**
   * No request is waited for that the reply could be about. Then a reply without a serial number may contradict an earlier return,
   * capture or void that has none either: its word is appended there as a correction, although somebody else may have tried another
   * one since. Absent: such a reply changes nothing.
   */
  readonly noneAwaited?: true
}
