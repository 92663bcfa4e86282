import {
  echoesIds,
  type RememberedAttempt,
  type StatusObservation,
  type StatusRequest,
  type StatusSnapshot,
  serialNumberOf,
  snapshotOf,
} from '@tillkit/protocol'
import type { CallOptions } from '../../config/options.js'
import type { Settings } from '../../config/settings.js'
import { type AnyGatewayError, isGatewayError } from '../../errors/errors.js'
import type { AskStatus } from '../attempt.js'
import type { Resolution } from './types.js'

/** What is asked, and whom. */
export interface QuestionInput {
  readonly attempt: RememberedAttempt
  readonly clientOrderId: string
  /** With the endpoint that the attempt was sent to. */
  readonly callOptions: CallOptions
  readonly settings: Settings
  readonly askStatus: AskStatus
}

/** What came of a question. */
export type Answer =
  | { readonly kind: 'reply'; readonly observation: StatusObservation; readonly snapshot: StatusSnapshot }
  | { readonly kind: 'refused' | 'failed'; readonly askedAt: number; readonly cause: AnyGatewayError }
  | { readonly kind: 'other-order'; readonly askedAt: number; readonly snapshot: StatusSnapshot }

/** The gateway's order id, as far as the attempt knows it. */
export const orderIdOf = ({ orderId, end }: RememberedAttempt): string | undefined => orderId ?? end?.orderId

/**
 * Asks status once.
 *
 * @throws {@link InvalidRequestError} when the question is wrong in itself: that is no answer about the attempt.
 */
export async function askAbout(
  { attempt, clientOrderId, callOptions, settings, askStatus }: QuestionInput,
  bySerialNumber?: string,
): Promise<Answer> {
  const orderId = orderIdOf(attempt)
  const ids = { clientOrderId, ...(orderId === undefined ? {} : { orderId }) }
  const request: StatusRequest = { ...ids, ...(bySerialNumber === undefined ? {} : { byRequestSn: bySerialNumber }) }
  const askedAt = settings.clock()
  try {
    const reply = await askStatus(request, callOptions)
    const snapshot = snapshotOf(reply, { askedAt, profile: settings.profile })
    if (!echoesIds(reply, ids)) return { kind: 'other-order', askedAt, snapshot }
    // Of which request it speaks is for the protocol to say.
    const asked = bySerialNumber === undefined ? {} : { bySerialNumber }
    const about = serialNumberOf({ reply, askedAt, ...asked }, settings.profile)
    return { kind: 'reply', observation: { reply, askedAt, ...(about === undefined ? {} : asked) }, snapshot }
  } catch (cause) {
    if (!isGatewayError(cause) || cause.code === 'ERR_INVALID_REQUEST') throw cause
    return { kind: cause.code === 'ERR_REQUEST_REFUSED' ? 'refused' : 'failed', askedAt, cause }
  }
}

/** What follows from an answer that says nothing about the attempt: nothing. */
export function noAnswer(answer: Exclude<Answer, { kind: 'reply' }>): Resolution {
  const { askedAt } = answer
  const open = { kind: 'cannot-tell-yet', needsPerson: false } as const
  if (answer.kind === 'other-order') {
    return {
      ...open,
      reason: 'other-order',
      explanation: 'The status reply does not echo both ids of the order, so nothing follows from it.',
      evidence: { askedAt, reply: answer.snapshot },
    }
  }
  return {
    ...open,
    reason: 'no-answer',
    explanation: `Status did not answer, so nothing follows: ${answer.cause.message}`,
    evidence: { askedAt },
    cause: answer.cause,
  }
}
