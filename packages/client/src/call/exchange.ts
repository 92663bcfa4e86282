/**
 * What an observer gets to see of a finished call.
 *
 * @module
 */

import { redactField } from '@tillkit/protocol'
import type { Parameter } from '@tillkit/signing'
import type { Settings } from '../config/settings.js'
import type { Exchange } from '../diagnostics/observer.js'
import type { RequestSubject } from '../errors/request-mistake.js'
import { clockDifference } from '../reply/clock-difference.js'
import type { Conclusion } from '../reply/conclude.js'
import type { AuthenticatedRequest } from '../request/authenticate.js'
import type { BuiltRequest } from '../request/build-request.js'

/** What an exchange is made of. */
export interface ExchangeInput {
  readonly subject: RequestSubject
  readonly built: BuiltRequest
  readonly authenticated: AuthenticatedRequest
  readonly conclusion: Conclusion
  readonly settings: Pick<Settings, 'clock'>
  /** Milliseconds since the epoch. */
  readonly startedAt: number
}

/** Describes a finished call, redacted. */
export function exchangeOf({
  subject,
  built,
  authenticated,
  conclusion,
  settings,
  startedAt,
}: ExchangeInput): Exchange {
  const { form, scrubber, scheme, signed } = authenticated
  const { ending, httpStatus, record, receivedText, date } = conclusion
  const orderId = record?.orderId() ?? subject.orderId
  const finishedAt = settings.clock()
  const difference = date === undefined ? undefined : clockDifference({ date }, finishedAt)
  return {
    operation: subject.name,
    login: signed().login,
    path: built.address.path,
    scheme,
    ...(subject.clientOrderId === undefined ? {} : { clientOrderId: subject.clientOrderId }),
    ...(orderId === undefined ? {} : { orderId }),
    startedAt,
    finishedAt,
    fields: form.shape.fields.map(
      ({ name, shownAs }, at): Parameter => [name, redactField({ shownAs, value: form.texts[at] ?? '' }, scrubber)],
    ),
    signed: signed(),
    ...(httpStatus === undefined ? {} : { httpStatus }),
    ...(difference === undefined ? {} : { clockDifference: difference }),
    ...(record === undefined ? {} : { reply: record.received() }),
    ...(receivedText === undefined ? {} : { receivedText }),
    ending,
    ...('error' in conclusion ? { error: shownError(conclusion.error) } : {}),
  }
}

const shownError = ({ code, message }: NonNullable<Exchange['error']>): NonNullable<Exchange['error']> => ({
  code,
  message,
})
