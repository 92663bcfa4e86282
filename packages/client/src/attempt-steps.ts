/**
 * The two moments at which the attempts port is told.
 *
 * @module
 */
import { announceAttempt } from './announce.js'
import type { Attempt, AttemptEnd } from './attempt.js'
import type { BuiltRequest } from './build-request.js'
import type { Conclusion } from './conclude.js'
import { isGatewayError, NotSentError } from './errors.js'
import { requestFingerprint } from './fingerprint.js'
import { notify } from './observer.js'
import type { RequestSubject } from './request-mistake.js'
import { describeCause, safeCause } from './safe-cause.js'
import type { Scrubber } from './scrub.js'
import type { Settings } from './settings.js'
import { nameRequest } from './wording.js'

/** What an attempt is made of. */
export interface AttemptInput {
  readonly subject: RequestSubject
  readonly built: BuiltRequest
  readonly settings: Settings
  /** Default: a fresh one. */
  readonly attemptId: string | undefined
}

/** The attempt of a request; `undefined` for one that only reads. */
export function attemptOf({ subject, built, settings, attemptId }: AttemptInput): Attempt | undefined {
  const { row, name, clientOrderId, orderId } = subject
  if (row.effect === 'reads') return undefined
  const { origin, prefix } = settings.baseUrl
  return Object.freeze({
    attemptId: attemptId ?? settings.attemptId(),
    operation: name,
    effect: row.effect,
    login: settings.login,
    baseUrl: `${origin}${prefix}`,
    ...(clientOrderId === undefined ? {} : { clientOrderId }),
    ...(orderId === undefined ? {} : { orderId }),
    fingerprint: requestFingerprint(built, settings),
    reservedAt: settings.clock(),
  })
}

/**
 * Has the port reserve an attempt.
 *
 * @throws What the port rejects with when that is an error of this package, {@link NotSentError} otherwise.
 */
export async function reserve(
  attempt: Attempt | undefined,
  {
    subject,
    settings,
    scrubber,
  }: { readonly subject: RequestSubject; readonly settings: Settings; readonly scrubber: Scrubber },
): Promise<void> {
  if (attempt === undefined) return
  try {
    await settings.attempts?.reserve(attempt)
    announceAttempt({ attempt })
  } catch (cause) {
    if (isGatewayError(cause)) throw cause
    const { name, clientOrderId, orderId } = subject
    throw new NotSentError(
      `${nameRequest(subject)} was not sent: the attempts port did not reserve it (${scrubber.prose(describeCause(cause))}).`,
      { operation: name, clientOrderId, orderId, cause: safeCause(cause, scrubber) },
    )
  }
}

/** Has the port note how an attempt ended. Its failure must not hide the outcome, so it goes to the observer. */
export async function noteEnd(
  attempt: Attempt | undefined,
  { conclusion, settings }: { readonly conclusion: Conclusion; readonly settings: Settings },
): Promise<void> {
  if (attempt === undefined) return
  try {
    const end = endOf(conclusion, settings.clock())
    announceAttempt({ attempt, end })
    await settings.attempts?.settled(attempt, end)
  } catch (cause) {
    notify(() => settings.observer.unsettled?.(attempt, cause))
  }
}

function endOf({ ending, orderId, serialNumber }: Conclusion, at: number): AttemptEnd {
  return {
    // `answered` and `no-answer` are of reads, which are no attempts.
    ending: ending === 'answered' || ending === 'no-answer' ? 'unknown' : ending,
    ...(orderId === undefined ? {} : { orderId }),
    ...(serialNumber === undefined ? {} : { serialNumber }),
    at,
  }
}
