/**
 * Causes of errors, made safe to log.
 *
 * @module
 */
import type { Scrubber } from './scrub.js'

/**
 * A copy of an error with its name, code and scrubbed message only.
 *
 * Errors of transports carry more than they seem: undici's parser error holds bytes of the answer, its mock errors quote
 * body and headers of the request.
 */
export function safeCause(cause: unknown, scrubber: Scrubber): Error {
  const copy = new Error(scrubber.prose(describeCause(cause)))
  if (!(cause instanceof Error)) return copy
  const code = codeOf(cause)
  return Object.assign(copy, { name: cause.name }, code === undefined ? {} : { code })
}

/** One phrase for an error: its code and message, those of its parts where it has none itself. */
export function describeCause(cause: unknown): string {
  if (!(cause instanceof Error)) return 'something that is no error was thrown'
  if (cause instanceof AggregateError && cause.message === '') return cause.errors.map(describeCause).join('; ')
  const code = codeOf(cause)
  const message = cause.message.slice(0, 300)
  return code === undefined || message.includes(code) ? message : `${message} (${code})`
}

function codeOf(error: Error): string | undefined {
  return 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
