/**
 * What status is asked, and what it answers: plain data.
 *
 * @module
 */
import type { StatusResponse } from '@tillkit/protocol'

/** What status is asked. */
export interface Question {
  /** Of the account that the order is of. */
  readonly login: string
  readonly clientOrderId: string
  /** The gateway's order id, where it is known. */
  readonly orderId?: string
  /** Of the request that is asked about. Absent: the question is about the latest one. */
  readonly bySerialNumber?: string
  /** Where the order was sent to. Absent: where requests of the account are. */
  readonly endpointId?: string
  readonly endpointGroupId?: string
}

/** What status answered. */
export type Answer = {
  readonly question: Question
  /** When it was asked, and when the answer had come, in milliseconds of the store's clock: each as early, or as late, as it may have been. */
  readonly askedAt: number
  readonly answeredAt: number
} & (
  | { readonly kind: 'reply'; readonly reply: StatusResponse }
  | NeverSeen
  /** It refused the question, for whatever reason: that proves nothing. */
  | { readonly kind: 'refused' }
  /** Nothing follows from it. */
  | { readonly kind: 'no-answer' }
)

/** It says that it has never seen the order. */
export interface NeverSeen {
  readonly kind: 'never-seen'
  /** Of the gateway that says so. */
  readonly baseUrl: string
  /** What this process has heard of the kind before, by its own clock: the store's may have been set in between. */
  readonly before: readonly EarlierAbsence[]
}

/** An earlier answer of absence. */
export interface EarlierAbsence {
  /** As it was written, in milliseconds of the store's clock. */
  readonly answeredAt: number
  /** How long before this question was asked it had come, in milliseconds. */
  readonly ago: number
}
