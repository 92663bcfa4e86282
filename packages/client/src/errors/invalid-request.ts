import { createScrubber } from '@tillkit/protocol'
import { InvalidRequestError } from './errors.js'
import type { RequestSubject } from './messages.js'
import { safeCause } from './safe-cause.js'

/** A message may quote a field's value: if two fields were swapped, it may be a card number. */
const scrubber = /* @__PURE__ */ createScrubber(() => ({}))

/** Makes the error for a mistake in `field`; `problem` says what is wrong and what to do. */
export function invalidRequest(
  subject: Pick<RequestSubject, 'name' | 'clientOrderId' | 'orderId' | 'login'>,
  { field, problem, cause }: { readonly field: string; readonly problem: string; readonly cause?: unknown },
): InvalidRequestError {
  const { name, clientOrderId, orderId, login } = subject
  return new InvalidRequestError(scrubber.prose(`The ${name} request was not sent: ${problem}`), {
    operation: name,
    login,
    clientOrderId,
    orderId,
    field: scrubber.prose(field),
    cause: cause === undefined ? undefined : safeCause(cause, scrubber),
  })
}
