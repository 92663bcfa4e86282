import type { Effect } from '../operations/operation.js'
import type { StatusResponse } from '../operations/records/replies.js'
import type { StageName } from '../operations/stages.js'
import { finalOutcome, stageOf } from '../order/attribution.js'
import type { FinalOutcome, WireProfile } from '../profile/types.js'

/** What one status reply said, as far as it may be kept. No card data. */
export interface StatusSnapshot {
  /** When it was asked for, in milliseconds since the epoch. */
  readonly askedAt: number
  /** The gateway's word, as it was sent. */
  readonly status: string
  /** How that word ends a stage, by the wire profile; absent where it does not. */
  readonly outcome?: FinalOutcome
  /** Stage it spoke of; absent where it named none. */
  readonly stage?: StageName
  /** Major units, as it was sent. */
  readonly amount?: string
  /** ISO 4217 code. */
  readonly currency?: string
  /** Id the gateway gave to the question, for people to quote. Never compared: every question has its own. */
  readonly serialNumber?: string
}

/** Takes out of a status reply what may be kept. */
export function snapshotOf(
  reply: StatusResponse,
  { askedAt, profile }: { readonly askedAt: number; readonly profile: WireProfile },
): StatusSnapshot {
  const { status, amount, currency, serialNumber } = reply
  const stage = stageOf(reply, profile)
  const outcome = finalOutcome(status, profile)
  return {
    askedAt,
    status,
    ...(outcome === undefined ? {} : { outcome }),
    ...(stage === undefined ? {} : { stage }),
    ...(amount === undefined ? {} : { amount }),
    ...(currency === undefined ? {} : { currency }),
    ...(serialNumber === undefined ? {} : { serialNumber }),
  }
}

/** One attempt. It holds no card data, is plain data and may be stored as JSON. */
export interface Attempt {
  /** Identifies a change of a part of an order, and what moves no money; unique for every attempt. */
  readonly attemptId: string
  /** Identifies the reservation in a store; absent without one. */
  readonly reservation?: string
  /** Name of the operation, e.g. `capture`. */
  readonly operation: string
  readonly effect: Exclude<Effect, 'reads'>
  /** Stages in which status would show it. None: status cannot show it. */
  readonly stages: readonly StageName[]
  /** Merchant login. */
  readonly login: string
  /** Base address it was sent to, without a trailing slash. It identifies nothing: one gateway may have several. */
  readonly baseUrl: string
  /** The endpoint it was sent to, which is asked for its state; exactly one of this and `endpointGroupId`. */
  readonly endpointId?: string
  readonly endpointGroupId?: string
  /** Identifies a `creates` attempt, together with `login`. */
  readonly clientOrderId?: string
  /** The gateway's order id, where the request carries one. It identifies a change of the whole order, with `login`. */
  readonly orderId?: string
  /** Major units, where the request says one amount; a change without it is about the whole. */
  readonly amount?: string
  /** ISO 4217 code. */
  readonly currency?: string
  /** Who gets the money of a payout, as it may be shown, such as `account NL91***4300`. */
  readonly recipient?: string
  /**
   * HMAC-SHA256, lower-case hex, over the request without its card fields and without the address that the browser comes
   * back to, which carries a state made anew each time. Equal for equal requests under one key.
   */
  readonly fingerprint: string
  /**
   * Of a change that moves money: what status said just before. Absent where that could not be learned; whether the change
   * happened then shows by serial number only.
   */
  readonly baseline?: StatusSnapshot
  /** Who asked for it and why, where a person did. */
  readonly person?: { readonly who: string; readonly why: string }
  /** Milliseconds since the epoch. */
  readonly reservedAt: number
}

/** The id of an attempt. */
export interface AttemptIdentity {
  readonly field: 'clientOrderId' | 'orderId' | 'attemptId'
  readonly id: string
}

/** How an attempt ended. */
export interface AttemptEnd {
  /**
   * `accepted`: the gateway took it. `refused`: it refused this request and did nothing. `not-sent`: nothing left.
   * `no-trace`: it was unknown, and the gateway knows nothing of it. `unknown`: everything else; resolve it by asking
   * status, never by sending again.
   */
  readonly kind: 'accepted' | 'refused' | 'not-sent' | 'no-trace' | 'unknown'
  /** What says so: the answer to the request itself, status replies asked for later, or a person. Default: `answer`. */
  readonly basis?: 'answer' | 'status' | 'person'
  /** A person's reason, e.g. the number of a ticket. */
  readonly note?: string
  /** The gateway's order id, where the answer had one. */
  readonly orderId?: string
  /** Id the gateway gave to the request, where the answer had one. */
  readonly serialNumber?: string
  /** Address of the hosted form, where the answer had one: a customer who asks for the form again is sent there. */
  readonly redirectUrl?: string
  /**
   * Why nothing of the request can still be on its way from here: its connection was closed, or a whole answer in the
   * gateway's own media type came over it. Absent where that is not known: a proxy's page proves nothing.
   */
  readonly connection?: 'closed' | 'answered'
  /** HTTP status of an answer that was not the gateway's own, such as a page of a proxy or of another server. */
  readonly foreignStatus?: number
  /** Milliseconds since the epoch. */
  readonly at: number
}
