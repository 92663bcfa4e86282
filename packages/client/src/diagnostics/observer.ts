/**
 * The observer: what a call lets you see. Everything in it is safe to log.
 *
 * @module
 */

import type { Attempt, RawReply, ResolvedSigning } from '@tillkit/protocol'
import { describeValue, nearName } from '@tillkit/protocol'
import type { Parameter } from '@tillkit/signing'
import type { ClientWarning } from '../config/warnings.js'
import type { GatewayErrorCode } from '../errors/errors.js'

/** How a request was authenticated. It holds neither a key nor what was computed with one. */
export interface SignedRequest {
  /** Name of the operation, e.g. `capture`. */
  readonly operation: string
  /** Login of the merchant that the call was made for. */
  readonly login: string
  readonly scheme: ResolvedSigning['scheme']
  /** SHA-256, lower-case hex, of the control value or of `oauth_signature`: correlates without revealing it. */
  readonly fingerprint: string
  /** Control items in the order they were joined, personal data masked; only for scheme `control`. */
  readonly items?: readonly { readonly name: string; readonly value: string }[]
  /** Signature base string with masked values, so not the text that was signed; only for the OAuth schemes. */
  readonly baseString?: string
}

/**
 * How a call ended. `accepted`, `refused`, `not-sent` and `unknown` are of operations that create or change; `answered`,
 * `refused`, `not-sent` and `no-answer` are of operations that read.
 */
export type Ending = 'accepted' | 'refused' | 'not-sent' | 'unknown' | 'answered' | 'no-answer'

/** One request and what came of it, redacted. */
export interface Exchange {
  /** Name of the operation, e.g. `capture`. */
  readonly operation: string
  /** Login of the merchant that the call was made for. */
  readonly login: string
  /** Path of the address, base path and endpoint included. */
  readonly path: string
  readonly scheme: ResolvedSigning['scheme']
  readonly clientOrderId?: string
  /** The gateway's order id: the one it answered with, else the one the request carried. */
  readonly orderId?: string
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  /** Milliseconds since the epoch. */
  readonly finishedAt: number
  /** The form under its wire names, in the order sent, redacted. */
  readonly fields: readonly Parameter[]
  readonly signed: SignedRequest
  /** Absent when no answer began. */
  readonly httpStatus?: number
  /** Our clock minus the answer's `Date` header, in whole seconds; absent without that header. */
  readonly clockDifference?: number
  /** The reply under its wire names, redacted; absent when none could be read. */
  readonly reply?: RawReply
  /** An answer that could not be read as a reply: its beginning, redacted, at most 1000 characters. */
  readonly receivedText?: string
  readonly ending: Ending
  readonly error?: { readonly code: GatewayErrorCode; readonly message: string }
}

/** Sees calls go by. It cannot influence them: what it throws or rejects with is dropped. */
export interface ClientObserver {
  /** Runs just before a request is sent. */
  signed?(signed: SignedRequest): void
  /** Runs after the answer or the failure. Requests that fail the input checks or are not reserved never get here. */
  exchange?(exchange: Exchange): void
  /**
   * Runs when the attempts port could not note an ending. The call's own outcome stands; the attempt stays open. `cause` is
   * a copy of what the port rejected with: its name, code and message, without secrets of the request.
   */
  unsettled?(attempt: Attempt, cause: unknown): void
  /**
   * Runs when a client is made that will probably not work as it is set up, and once in a wait for an outcome whose
   * question was refused for its signature, key or login. Default: a warning of the process.
   */
  warning?(warning: ClientWarning): void
}

const hooks = {
  signed: true,
  exchange: true,
  unsettled: true,
  warning: true,
} as const satisfies Record<keyof ClientObserver, true>

/**
 * Checks an observer. It may be an object of any class with more to it; a hook under a name that is nearly right would
 * silently see nothing.
 *
 * @throws {TypeError} naming what of it cannot work.
 */
export function readObserver(observer: ClientObserver): ClientObserver {
  if (typeof observer !== 'object') {
    throw new TypeError(`"observer" is ${describeValue(observer)}; it must be an object with functions.`)
  }
  const names = Object.keys(hooks) as (keyof ClientObserver)[]
  for (const hook of names) {
    const value: unknown = observer[hook]
    if (value === undefined || typeof value === 'function') continue
    throw new TypeError(`"observer.${hook}" is ${describeValue(value)}; it must be a function.`)
  }
  for (const [name, value] of Object.entries(observer)) {
    const near = typeof value === 'function' && !Object.hasOwn(hooks, name) ? nearName(name, names) : undefined
    if (near === undefined) continue
    throw new TypeError(`"observer.${name.slice(0, 60)}" is called by nobody. Did you mean "${near}"?`)
  }
  return observer
}
