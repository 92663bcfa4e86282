import { errorText, quote, shortMasked } from '@tillkit/protocol'

/** Codes of the warnings of this package. */
export type WarningCode =
  | 'WARN_CALLBACK_REFUSED'
  | 'WARN_CALLBACK_POSTPONED'
  | 'WARN_HANDLER_FAILED'
  | 'WARN_CUSTOMER_REFUSED'

/** The words of warnings. */
export interface WarningWords<Code extends string> {
  /**
   * By code: what happened, where the explanation does not say it; the option that is told each time;
   * whether it says where an error was thrown.
   */
  readonly events: Readonly<
    Record<Code, { readonly what?: string; readonly hook?: string; readonly isTraced?: boolean }>
  >
  /** Advice by reason, where the explanation does not say what to do. */
  readonly cures: Readonly<Partial<Record<string, string>>>
}

/** The event that a hook would have been told of. */
export interface WarningEvent {
  /** Absent where there is one reason only. */
  readonly reason?: string
  readonly explanation: string
  readonly cause?: unknown
}

/**
 * Makes a function that warns, where the merchant has set no hook, at most once a minute of each code and reason: else the
 * merchant would not hear of a wrong control key. No warning holds a key or a card number.
 */
export function createWarnings<Code extends string>(
  words: WarningWords<Code>,
  {
    clock,
    emit = (message, code, detail) =>
      process.emitWarning(message, { type: 'TillkitWarning', code, ...(detail === undefined ? {} : { detail }) }),
  }: {
    readonly clock: () => number
    readonly emit?: (message: string, code: Code, detail?: string) => void
  },
): Warn<Code> {
  const warnedAt = new Map<string, number>()
  return (code, event) => {
    const kind = `${code} ${event.reason}`
    const now = clock()
    const last = warnedAt.get(kind)
    if (last !== undefined && Math.abs(now - last) < leastPause) return
    warnedAt.set(kind, now)
    emit(messageOf(code, event, words), code, words.events[code].isTraced === true ? framesOf(event.cause) : undefined)
  }
}

/** Says something once a minute. */
export type Warn<Code extends string = WarningCode> = (code: Code, event: WarningEvent) => void

/** The event that a handler failed. @param reference Of the payment. */
export const handlerFailure = (reference: string, cause: unknown): WarningEvent => ({
  explanation:
    `Your handler failed for payment ${quote(reference)}: ${causeText(cause)}. ` +
    'It is told again; a till lists it under "failing" of till.report().',
  cause,
})

/** Gives the stack of an error without its message, whose lines may look like frames; nothing if the two cannot be told apart. */
function framesOf(thrown: unknown): string | undefined {
  try {
    const { stack, message } = thrown as Error
    const isThere = message === '' ? /^[\w$.]*(?:: )?\n {4}at /.test(stack ?? '') : stack?.includes(message)
    if (stack === undefined || isThere !== true) return undefined
    const after = stack.slice(stack.indexOf(message) + message.length)
    const frames = after.split('\n').filter(line => /^ {4}at [^\n]{1,300}$/.test(line))
    const lines = frames.slice(0, 10).map(frame => `    ${errorText(frame, longestFrame)}`)
    return lines.length === 0 ? undefined : lines.join('\n')
  } catch {
    // It is no error, or a field of it throws.
    return undefined
  }
}

/** Longest line of a stack, in characters. */
const longestFrame = 310

/** Least milliseconds between two warnings of the same code and reason. */
const leastPause = 60_000

/** Longest explanation that is repeated, and longest text of an error in it, in characters. */
const [longestExplanation, longestCause] = [600, 400]

function messageOf<Code extends string>(
  code: Code,
  event: WarningEvent,
  { events, cures }: WarningWords<Code>,
): string {
  const { what, hook } = events[code]
  const { reason } = event
  const named = reason === undefined ? what : `${what} (${reason})`
  const begun = named === undefined ? '' : `${named}: `
  const explanation = shortMasked(explain(event), longestExplanation)
  const cure = reason === undefined || cures[reason] === undefined ? '' : `${cures[reason]} `
  const more = hook === undefined ? '.' : `; set "${hook}" to be told each time.`
  return `${begun}${explanation} ${cure}This is said at most once a minute${more}`
}

/** The words of this package. */
export const ownWords: WarningWords<WarningCode> = {
  events: {
    WARN_CALLBACK_REFUSED: { what: 'A callback was refused with 403', hook: 'onRejected' },
    WARN_CALLBACK_POSTPONED: {
      what: 'A callback was answered with 503, so that the gateway sends it again',
      hook: 'onReport',
    },
    // Its explanation says who failed.
    WARN_HANDLER_FAILED: { isTraced: true },
    WARN_CUSTOMER_REFUSED: { what: 'What a customer’s browser brought was not taken', hook: 'onRejected' },
  },
  cures: {
    'control-mismatch':
      'Compare your control key with the one on the gateway’s merchant page: test and production have their own.',
    'unknown-merchant':
      'Your function that finds the merchant or its keys is called with an object, as in ({ clientOrderId }) => ….',
    'forged-state':
      'Give the same "stateSecrets" to everything that makes return addresses or reads them, and keep replaced ones for a while.',
    'other-order':
      'Look both ids up at the gateway: it may have made two orders of one request, and may have money of both.',
    'not-shown':
      'The gateway calls again. Does this go on for an hour? ' +
      'Then the gateway contradicts itself about this order: ask the gateway which of the two is so.',
    'no-answer': 'client.check() says what is wrong with address, login and keys.',
  },
}

/** An error of your functions may hold anything: it is shown as the report shows it. */
function explain({ explanation, cause }: WarningEvent): string {
  if (cause === undefined) return explanation
  const said = causeText(cause)
  return explanation.includes(said) ? explanation : `${explanation} The cause: ${said}.`
}

/** Text of an error, for the middle of a sentence. */
export const causeText = (cause: unknown): string => errorText(cause, longestCause).replace(/\.$/, '')
