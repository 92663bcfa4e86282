import { excerpt, type Scrubber } from '@tillkit/protocol'

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
