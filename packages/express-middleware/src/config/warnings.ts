/**
 * What goes wrong where no hook is set: the process is warned of it, with the cure.
 *
 * A sender is never told why. So a wrong control key, or a lookup function of the wrong shape, would be answered 403 or 503
 * for ever without a word to the merchant.
 *
 * @module
 */
import { maskCardNumbers } from '@tillkit/protocol'
import type { ReportReason } from '../callbacks/result.js'
import { CallbackError, type RejectionReason } from './errors.js'
import { systemWarn } from './time.js'

/** Codes of these warnings, whose type is `TillkitWarning`. */
export type UnheardCode =
  | 'WARN_CALLBACK_REFUSED'
  | 'WARN_CALLBACK_POSTPONED'
  | 'WARN_CUSTOMER_REFUSED'
  | 'WARN_3D_SECURE_STUCK'

/** Something that a hook would have been told. */
export interface UnheardEvent {
  /** Absent where there is one reason only. */
  readonly reason?: RejectionReason | ReportReason
  readonly explanation: string
  readonly cause?: unknown
}

/** Where warnings go, and by which clock. */
export interface UnheardOptions {
  /** Milliseconds since the epoch. */
  readonly clock: () => number
  /** Default: a warning of the process. */
  readonly warn?: (message: string, code: UnheardCode) => void
}

/** Makes what warns: at most once a minute for each code and reason. No warning holds a key or a card number. */
export function unheardWarnings({
  clock,
  warn = systemWarn,
}: UnheardOptions): (code: UnheardCode, event: UnheardEvent) => void {
  const warnedAt = new Map<string, number>()
  return (code, event) => {
    const kind = `${code} ${event.reason}`
    const now = clock()
    const last = warnedAt.get(kind)
    if (last !== undefined && Math.abs(now - last) < leastPause) return
    warnedAt.set(kind, now)
    warn(messageOf(code, event), code)
  }
}

/** Least milliseconds between two warnings of one kind. */
const leastPause = 60_000

/** Longest explanation that is repeated, in characters. */
const longestExplanation = 500

function messageOf(code: UnheardCode, event: UnheardEvent): string {
  const { what, hook } = events[code]
  const { reason } = event
  const cure = reason === undefined ? undefined : cures[reason]
  const sentences = [
    `${what}${reason === undefined ? '' : ` (${reason})`}: ${maskCardNumbers(explain(event)).slice(0, longestExplanation)}`,
    ...(cure === undefined ? [] : [cure]),
    `This is said at most once a minute; set "${hook}" to be told each time.`,
  ]
  return sentences.join(' ')
}

const events: Readonly<Record<UnheardCode, { readonly what: string; readonly hook: string }>> = {
  WARN_CALLBACK_REFUSED: { what: 'A callback was refused with 403', hook: 'onRejected' },
  WARN_CALLBACK_POSTPONED: {
    what: 'A callback was answered with 503, so that the gateway sends it again',
    hook: 'onReport',
  },
  WARN_CUSTOMER_REFUSED: { what: 'What a customer’s browser brought was not taken', hook: 'onRejected' },
  WARN_3D_SECURE_STUCK: { what: '3DS could not go on', hook: 'onProblem' },
}

/** What to do about a reason, where the explanation does not say it. */
const cures: Readonly<Partial<Record<RejectionReason | ReportReason, string>>> = {
  'control-mismatch':
    'Compare your control key with the one on the gateway’s merchant page: test and production have their own.',
  'unknown-merchant':
    'Your function that finds the merchant or its keys is called with an object, as in ({ clientOrderId }) => ….',
  'unknown-order':
    'Where you do know it, look at option "order": it is called with an object, as in order: ({ clientOrderId }) => findOrder(clientOrderId).',
  'forged-state':
    'Give the same "stateSecrets" to everything that makes return addresses or reads them, and keep replaced ones for a while.',
  'no-answer': 'client.check() of @tillkit/client says what is wrong with address, login and keys.',
  'not-expected': 'What is waited for is "expected" of what option "order" returns.',
}

/**
 * What your functions threw may hold anything: only a mistake in a program is repeated, of the rest its name and code. Node.js gives
 * its own errors a code, and repeats in them the value that it did not take; `fetch` repeats an address with its password.
 */
function explain({ reason, explanation, cause }: UnheardEvent): string {
  const { name, code } = (cause ?? {}) as { readonly name?: unknown; readonly code?: unknown }
  const thrown = [name, code].filter(each => typeof each === 'string' && /^[\w-]{1,60}$/.test(each)).join(' ')
  if (reason === 'failed') {
    return cause === undefined ||
      cause instanceof CallbackError ||
      (cause instanceof TypeError && code === undefined) ||
      cause instanceof ReferenceError
      ? explanation.replace(/\/\/[^\s/@]*@/g, '//***@')
      : `A function of yours, or the inbox, failed${thrown === '' ? '' : ` with ${thrown}`}.`
  }
  return thrown === '' ? explanation : `${explanation} The cause: ${thrown}.`
}
