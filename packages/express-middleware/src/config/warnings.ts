import { errorText, maskCardNumbers, quote, shortened } from '@tillkit/protocol'

/** Codes of warnings. */
export type WarningCode =
  | 'WARN_CALLBACK_REFUSED'
  | 'WARN_CALLBACK_POSTPONED'
  | 'WARN_CALLBACK_UNMATCHED'
  | 'WARN_WORK_POSTPONED'
  | 'WARN_HANDLER_FAILED'
  | 'WARN_CUSTOMER_REFUSED'
  | 'WARN_PATH_REFUSED'
  | 'WARN_PAGE_FAILED'
  | 'WARN_3D_SECURE_STUCK'
  | 'WARN_NOT_THE_GATEWAY'
  | 'WARN_STATUS_MISSING'
  | 'WARN_STORE_FAILED'
  | 'WARN_UNMATCHED_FAILED'
  | 'WARN_WISH_GONE'
  | 'WARN_WISH_POSTPONED'

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
export function createWarnings({
  clock,
  emit = (message, code, detail) =>
    process.emitWarning(message, { type: 'TillkitWarning', code, ...(detail === undefined ? {} : { detail }) }),
}: {
  readonly clock: () => number
  readonly emit?: (message: string, code: WarningCode, detail?: string) => void
}): Warn {
  const warnedAt = new Map<string, number>()
  return (code, event) => {
    const kind = `${code} ${event.reason}`
    const now = clock()
    const last = warnedAt.get(kind)
    if (last !== undefined && Math.abs(now - last) < leastPause) return
    warnedAt.set(kind, now)
    emit(messageOf(code, event), code, code === 'WARN_HANDLER_FAILED' ? framesOf(event.cause) : undefined)
  }
}

/** Says something once a minute. */
export type Warn = (code: WarningCode, event: WarningEvent) => void

/** The event that a handler failed. @param reference Of the payment. */
export const handlerFailure = (reference: string, cause: unknown): WarningEvent => ({
  explanation: `Your handler failed for payment ${quote(reference)}: ${causeText(cause)}. It is told again; a till lists it under "failing" of till.report().`,
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

function messageOf(code: WarningCode, event: WarningEvent): string {
  const { what, hook } = events[code]
  const { reason } = event
  const named = reason === undefined ? what : `${what} (${reason})`
  const begun = named === undefined ? '' : `${named}: `
  const explanation = shortened(maskCardNumbers(explain(event)), longestExplanation)
  const cure = reason === undefined || cures[reason] === undefined ? '' : `${cures[reason]} `
  const more = hook === undefined ? '.' : `; set "${hook}" to be told each time.`
  return `${begun}${explanation} ${cure}This is said at most once a minute${more}`
}

const events: Readonly<Record<WarningCode, { readonly what?: string; readonly hook?: string }>> = {
  WARN_CALLBACK_REFUSED: { what: 'A callback was refused with 403', hook: 'onRejected' },
  WARN_CALLBACK_POSTPONED: {
    what: 'A callback was answered with 503, so that the gateway sends it again',
    hook: 'onReport',
  },
  WARN_CALLBACK_UNMATCHED: {
    what: 'A verified callback is about an order that the store does not have; it is on the list "unmatched"',
    hook: 'onReport',
  },
  WARN_WORK_POSTPONED: {
    what: 'The work in the background could not go on about an order, and tries again',
    hook: 'onReport',
  },
  // Its explanation says who failed.
  WARN_HANDLER_FAILED: {},
  WARN_CUSTOMER_REFUSED: { what: 'What a customer’s browser brought was not taken', hook: 'onRejected' },
  WARN_PAGE_FAILED: { what: 'A page for a customer could not be shown', hook: 'onError' },
  WARN_PATH_REFUSED: { what: 'A path of your site was not taken' },
  WARN_3D_SECURE_STUCK: { what: '3DS could not go on', hook: 'onProblem' },
  WARN_NOT_THE_GATEWAY: { what: 'A request was answered in a form that the gateway does not use' },
  WARN_STATUS_MISSING: {
    what: 'Nothing more was sent for a payment, since it is not known how an order of it stands now',
  },
  WARN_STORE_FAILED: { what: 'The store failed, and is asked again' },
  WARN_UNMATCHED_FAILED: { what: 'A callback of an order that was not sent from here was not taken by "onUnmatched"' },
  WARN_WISH_GONE: { what: 'What was to be done about an order afterwards was not done, and is given up' },
  WARN_WISH_POSTPONED: { what: 'What is to be done about an order afterwards is not done yet, and is tried again' },
}

/** Advice about a reason whose explanation does not say what to do. */
const cures: Readonly<Partial<Record<string, string>>> = {
  'control-mismatch':
    'Compare your control key with the one on the gateway’s merchant page: test and production have their own.',
  'unknown-merchant':
    'Your function that finds the merchant or its keys is called with an object, as in ({ clientOrderId }) => ….',
  unmatched:
    'Give what sends requests and what takes callbacks the same store, "name" and "environment". Is it lost from the store, or made at the gateway or by another system? Then till.adopt({ reference, clientOrderId }) takes it up.',
  'unknown-order':
    'Give what sends requests and what takes customers back the same store, "name" and "environment". Is it lost from the store? Then till.adopt({ reference, clientOrderId }) takes it up.',
  'forged-state':
    'Give the same "stateSecrets" to everything that makes return addresses or reads them, and keep replaced ones for a while.',
  'other-order':
    'Look both ids up at the gateway: it may have made two orders of one request, and may have money of both.',
  'not-shown':
    'The gateway calls again. Does this go on for an hour? Then the gateway contradicts itself about this order: ask the gateway which of the two is so.',
  'no-answer': 'till.check(), or client.check(), says what is wrong with address, login and keys.',
}

/** An error of your functions may hold anything: it is shown as the report shows it. */
function explain({ explanation, cause }: WarningEvent): string {
  if (cause === undefined) return explanation
  const said = causeText(cause)
  return explanation.includes(said) ? explanation : `${explanation} The cause: ${said}.`
}

/** Text of an error, for the middle of a sentence. */
export const causeText = (cause: unknown): string => errorText(cause, longestCause).replace(/\.$/, '')
