import { type AnyOperation, createScrubber, excerpt, type Scrubber } from '@tillkit/protocol'
import { InvalidRequestError } from './errors.js'

/** Why an option is missing, most of the time. */
export const unsetVariable = 'An environment variable that is not set is the usual cause.'

/** Ends a text that others wrote with a full stop, unless it ends a sentence already. */
export const sentence = (text: string): string =>
  /[.!?\u2026]["'\u201d\u2019)]?\s*$/.test(text) ? text.trimEnd() : `${text}.`

/** The request that a message is about. */
export interface RequestSubject {
  /** Name of the operation, e.g. `capture`. */
  readonly name: string
  readonly row: AnyOperation
  readonly clientOrderId: string | undefined
  readonly orderId: string | undefined
  /** Login of the merchant that the call is made for, once that is known. */
  readonly login?: string | undefined
}

/** Names a request: `The capture of order "o-1"`. */
export function nameRequest({ name, clientOrderId }: Pick<RequestSubject, 'name' | 'clientOrderId'>): string {
  return clientOrderId === undefined
    ? `The ${name} request`
    : `The ${name} request of order ${JSON.stringify(clientOrderId)}`
}

/** What every error of a request carries. */
export const errorIds = ({ name, login, clientOrderId, orderId }: Omit<RequestSubject, 'row'>) => ({
  operation: name,
  login,
  clientOrderId,
  orderId,
})

/** Whether a request that arrived may have moved money: what the table says to repeat makes something that money needs first. */
export const mayMoveMoney = ({ effect, whenUnknown }: Pick<AnyOperation, 'effect' | 'whenUnknown'>): boolean =>
  effect !== 'reads' && whenUnknown !== 'repeat'

/** What to do about a request whose outcome is unknown. */
export function adviseUnknown(
  { row, clientOrderId, orderId }: RequestSubject,
  serialNumber: string | undefined,
): string {
  if (row.whenUnknown === 'repeat') return 'It moves no money: send it again if you need what it makes.'
  if (row.whenUnknown === 'profile') {
    return 'Do not send it again. No status is known to find a subscription: a person must look it up at the gateway.'
  }
  if (clientOrderId === undefined) return 'Do not send it again. A person must look it up at the gateway.'
  const ids = `clientOrderId ${JSON.stringify(clientOrderId)}${orderId === undefined ? '' : ` and orderId ${JSON.stringify(orderId)}`}`
  if (row.effect === 'creates') return `Do not send it again. Ask status with ${ids} to learn what became of it.`
  const bySerial =
    serialNumber === undefined
      ? 'and compare with the state before: this request has no id of its own'
      : `and byRequestSn ${JSON.stringify(serialNumber)}`
  return `Do not send it again. Ask status with ${ids} ${bySerial}.`
}

/** A message may quote a field's value: if two fields were swapped, it may be a card number. */
const scrubber = /* @__PURE__ */ createScrubber(() => ({}))

/** A mistake in a request or in its options. */
export interface FieldProblem {
  /** The field or option at fault. */
  readonly field: string
  /** What is wrong and what to do. */
  readonly problem: string
}

/** Makes the error for a mistake. */
export function invalidRequest(
  subject: Omit<RequestSubject, 'row'>,
  { field, problem, cause }: FieldProblem & { readonly cause?: unknown },
): InvalidRequestError {
  return new InvalidRequestError(scrubber.prose(`The ${subject.name} request was not sent: ${problem}`), {
    ...errorIds(subject),
    field: scrubber.prose(field),
    cause: cause === undefined ? undefined : safeCause(cause, scrubber),
  })
}

/**
 * A copy of an error with its name, code and scrubbed message only.
 *
 * Errors of transports carry more than they seem: undici's parser error holds bytes of the answer, its mock errors quote
 * body and headers of the request.
 */
export function safeCause(cause: unknown, scrubber: Scrubber): Error {
  const copy = new Error(describeCause(cause, scrubber))
  if (!(cause instanceof Error)) return copy
  const code = codeOf(cause)
  return Object.assign(copy, { name: cause.name }, code === undefined ? {} : { code: scrubber.prose(code) })
}

/** How much of an error's message is shown, in characters. */
const most = 300

/** One phrase for an error: its code and message, those of its parts where it has none itself, scrubbed. */
export function describeCause(cause: unknown, scrubber: Scrubber): string {
  if (!(cause instanceof Error)) return 'something that is no error was thrown'
  if (cause instanceof AggregateError && cause.message === '') {
    return cause.errors.map(each => describeCause(each, scrubber)).join('; ')
  }
  const code = codeOf(cause)
  const message = excerpt(cause.message, { scrubber, most })
  return code === undefined || message.includes(code) ? message : `${message} (${scrubber.prose(code)})`
}

function codeOf(error: Error): string | undefined {
  return 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
