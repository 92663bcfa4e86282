import type { Attempt, AttemptEnd, Reply } from '@tillkit/protocol'
import { readPrepareOptions } from '../config/call-options.js'
import type { PrepareOptions } from '../config/options.js'
import { type AnyGatewayError, NotSentError, type RequestDescription } from '../errors/errors.js'
import { errorIds, nameRequest, type RequestSubject } from '../errors/messages.js'
import { clientClosed, endOf } from '../reply/conclude.js'
import type { CallResult } from '../reply/types.js'
import { describeRequest } from '../request/describe-request.js'
import { checkEncodable } from '../request/form.js'
import { checkKeys } from '../request/sign-request.js'
import type { CallContext, CheckedCall } from '../request/types.js'
import { type CallInput, checkCall, sendChecked, startCall, timeNow } from './call.js'

/** How a prepared request is sent. */
export interface SendOptions {
  /** Within how many milliseconds its first byte must leave, by two clocks. Else it is not sent. Default: the timeout of the request. */
  readonly startWithin?: number
  /** Most it may take until the last byte of its answer, in milliseconds. Default: the timeout of the request, and never more. */
  readonly timeout?: number
  /** The attempt as your book has it: `description`, and your own fields. Errors and the observer show it. Default: `description`. */
  readonly kept?: Attempt
}

/** A request that was checked and built, and was not sent yet. */
export interface PreparedRequest<Response> {
  /** A program may keep this. It has no card data, no key and no signature. Absent: the request only reads. */
  readonly description?: RequestDescription
  /** Most it takes, in milliseconds, if it is not told to take less. */
  readonly timeout: number
  /**
   * Sends it, once: a second call sends nothing.
   *
   * @returns How it ended. It never rejects.
   */
  send(options?: SendOptions): Promise<SentRequest<Response>>
}

/** How a request ended: with a reply or with an error. */
export type SentRequest<Response> = {
  /** A program may keep this. Its time is by the client's clock. Absent: the request only reads. */
  readonly end?: AttemptEnd
} & (
  | { readonly kind: 'accepted' | 'answered'; readonly reply: Response }
  | { readonly kind: 'refused' | 'not-sent' | 'unknown' | 'no-answer'; readonly error: AnyGatewayError }
)

/**
 * Checks and builds a request.
 *
 * @throws An {@link InvalidRequestError} for one that cannot be sent, a {@link NotSentError} once the client was closed.
 */
export function prepare<Response extends Reply>(input: CallInput<PrepareOptions>): PreparedRequest<Response> {
  const checked = checkCall(input, readPrepareOptions)
  const { subject, settings, options, connections } = checked
  checkKeys(checked)
  checkEncodable(subject, checked.built.form)
  if (connections.isClosed()) throw clientClosed(subject)
  const isRead = subject.row.effect === 'reads'
  const preparedAt = settings.clock()
  const description = isRead ? undefined : describeRequest(checked)
  let isSent = false
  return {
    ...(description === undefined ? {} : { description }),
    timeout: options.timeout,
    async send({ startWithin, timeout, kept }: SendOptions = {}): Promise<SentRequest<Response>> {
      const wasSent = isSent
      isSent = true
      const attempt = kept ?? (description && { ...description, reservedAt: timeNow(settings, preparedAt) })
      const result = wasSent ? sentBefore(subject) : await run(checked, { startWithin, timeout, kept: attempt })
      const end = isRead ? {} : { end: endOf(result, timeNow(settings, preparedAt)) }
      return 'error' in result
        ? { kind: result.kind, error: result.error, ...end }
        : { kind: result.kind, reply: result.reply as Response, ...end }
    },
  }
}

function sentBefore(subject: RequestSubject): CallResult {
  const message = `${nameRequest(subject)} was not sent: this prepared request was sent before. Prepare another one.`
  return { kind: 'not-sent', error: new NotSentError(message, errorIds(subject)), answered: {} }
}

async function run(checked: CheckedCall, options: Parameters<typeof startCall>[1]): Promise<CallResult> {
  let context: CallContext | undefined
  try {
    context = startCall(checked, options)
    return await sendChecked(context)
  } catch (error) {
    // Nothing was sent: the client is closed, or the request cannot be signed.
    return { kind: 'not-sent', error: error as AnyGatewayError, answered: {} }
  } finally {
    context?.deadline.clear()
  }
}
