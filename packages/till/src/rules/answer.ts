/**
 * Questions to status, and its answers: plain data.
 *
 * @module
 */
import type { StatusResponse } from '@tillkit/protocol'
import type { KnownOrder } from '../state/known.js'
import { present } from '../state/values.js'
import { merchantIdOf } from '../store/keys.js'

/** A question to status about one order. */
export interface Question {
  /** The login of the order's account. */
  readonly login: string
  /** The till's name of the order. */
  readonly clientOrderId: string
  /** The gateway's order id, where it is known. */
  readonly orderId?: string
  /** The serial number of the request that is asked about. Absent: the question is about the latest one. */
  readonly bySerialNumber?: string
  /** The endpoint that the order was sent to, one of these two. Absent: that of the account. */
  readonly endpointId?: string
  readonly endpointGroupId?: string
}

/** An answer of status. `cause`: the error that it came as, for people. */
export type Answer = {
  readonly question: Question
  /**
   * When it was asked, and when the answer had come, in milliseconds of the store's clock: each as early, or as late, as it may have been.
   */
  readonly askedAt: number
  readonly answeredAt: number
} & (
  | { readonly kind: 'reply'; readonly reply: StatusResponse }
  | NeverSeen
  /**
   * It refused the question, for whatever reason, with this code of its own: that proves nothing. `mayBeAbsence`:
   * it may mean that it has never seen the order, since it is not known by which code it says so.
   */
  | {
      readonly kind: 'refused'
      readonly errorCode?: string | undefined
      readonly mayBeAbsence?: boolean
      readonly cause?: unknown
    }
  /** Nothing follows from it. */
  | { readonly kind: 'no-answer'; readonly cause?: unknown }
)

/** It says that it has never seen the order. */
export interface NeverSeen {
  readonly kind: 'never-seen'
  /** The address of the gateway that says so. */
  readonly baseUrl: string
  /** Answers of the kind that this process has heard before, by its own clock: the store's may have been set in between. */
  readonly before: readonly EarlierAbsence[]
  readonly cause?: unknown
}

/** An earlier answer of absence. */
export interface EarlierAbsence {
  /** As it was written, in milliseconds of the store's clock. */
  readonly answeredAt: number
  /** How long before this question was asked it had come, in milliseconds; below 0: it came since then. */
  readonly ago: number
}

/** Gives a question about an order that has an id, to the endpoint that it was sent to. */
export function questionAbout(
  { login, clientOrderId = '', orderId, attempts }: KnownOrder,
  bySerialNumber?: string,
): Question {
  const creation = attempts.findLast(({ effect }) => effect === 'creates')
  return questionTo(creation, { login, clientOrderId, orderId, bySerialNumber })
}

/** Gives a question to the endpoint that a request was sent to. */
export const questionTo = (
  { endpointId, endpointGroupId }: Pick<Question, 'endpointId' | 'endpointGroupId'> = {},
  {
    login,
    clientOrderId,
    orderId,
    bySerialNumber,
  }: { readonly [Id in keyof Question]: Question[Id] | undefined } & Pick<Question, 'login' | 'clientOrderId'>,
): Question => ({ login, clientOrderId, ...present({ orderId, bySerialNumber, endpointId, endpointGroupId }) })

/**
 * Gives a reply as the answer to a question. The gateway knows nothing of the name that the till has for an order which shares its id with
 * another one: a reply about that very order echoes the name.
 */
export const replyTo = (
  { clientOrderId, orderId }: Pick<Question, 'clientOrderId' | 'orderId'>,
  reply: StatusResponse,
): StatusResponse =>
  clientOrderId !== reply.clientOrderId &&
  reply.clientOrderId === merchantIdOf(clientOrderId) &&
  reply.orderId === orderId
    ? { ...reply, clientOrderId }
    : reply

/** Whether two questions are the same one. */
export const isSameQuestion = (one: Question, other: Question): boolean => identityOf(one) === identityOf(other)

/** Equal for questions that are the same one. */
export const identityOf = (of: Question): string =>
  JSON.stringify([of.login, of.clientOrderId, of.orderId, of.bySerialNumber, of.endpointId, of.endpointGroupId])
