/**
 * Errors this package hands to Express. Narrow with `code`: two copies of a package may be installed.
 *
 * Express' own error handler answers with `status`. Messages say nothing that would help a sender who is probing; the
 * reason goes to `onRejected`, or to the warnings of the process where it is not set.
 *
 * @module
 */
import { maskCardNumbers } from '@tillkit/protocol'

/** Codes of the errors this package raises. */
export type CallbackErrorCode =
  | 'ERR_CALLBACK_REJECTED'
  | 'ERR_STATE_REJECTED'
  | 'ERR_BODY_CONSUMED'
  | 'ERR_REDIRECT_REFUSED'
  | 'ERR_ORDER_MISMATCH'
  | 'ERR_CALLBACK_UNSETTLED'

/** Base of every error this package raises on purpose. Narrow with `code`. */
export abstract class CallbackError extends Error {
  abstract readonly code: CallbackErrorCode
  /** HTTP status that Express' error handler answers with. */
  abstract readonly status: number
}

/** A callback that nobody who knows a control key has sent, or that is not a callback at all. */
export class CallbackRejectedError extends CallbackError {
  override readonly name = 'CallbackRejectedError'
  override readonly code = 'ERR_CALLBACK_REJECTED'
  override readonly status = 403

  constructor() {
    super('The callback was refused. The reason was given to onRejected, or to the warnings of the process.')
  }
}

/** A customer came back with a state that we did not sign. */
export class StateRejectedError extends CallbackError {
  override readonly name = 'StateRejectedError'
  override readonly code = 'ERR_STATE_REJECTED'
  override readonly status = 403

  constructor() {
    super('The return address was refused. The reason was given to onRejected, or to the warnings of the process.')
  }
}

/** Something read the request's body before us and kept it to itself. */
export class BodyConsumedError extends CallbackError {
  override readonly name = 'BodyConsumedError'
  override readonly code = 'ERR_BODY_CONSUMED'
  override readonly status = 500

  constructor() {
    super(
      'The body of the request was already read, and request.body does not hold it. Something before this consumed the ' +
        'stream. Put this before it, let express.urlencoded() parse the body first, or, under another framework, hand in ' +
        'as "body" what its body parser made of the form.',
    )
  }
}

/** An address that a customer must not be sent to. The message names it without its query. */
export class RedirectRefusedError extends CallbackError {
  override readonly name = 'RedirectRefusedError'
  override readonly code = 'ERR_REDIRECT_REFUSED'
  override readonly status: 500 | 502

  /** @param status 502 when the gateway named the address, 500 when our own code did. */
  constructor(message: string, { status }: { readonly status: 500 | 502 }) {
    super(message)
    this.status = status
  }
}

/** An answer speaks of another order than the one that was asked about. */
export class OrderMismatchError extends CallbackError {
  override readonly name = 'OrderMismatchError'
  override readonly code = 'ERR_ORDER_MISMATCH'
  override readonly status: 500 | 502

  /** @param status 502 when the gateway named the other order, 500 when our own code did. */
  constructor(message: string, { status }: { readonly status: 500 | 502 }) {
    super(message)
    this.status = status
  }
}

/** A callback that one of your functions, or the inbox, failed on, see `cause`, or took too long for. The gateway sends it again. */
export class CallbackUnsettledError extends CallbackError {
  override readonly name = 'CallbackUnsettledError'
  override readonly code = 'ERR_CALLBACK_UNSETTLED'
  override readonly status = 503
}

/** Every error of this package, for `switch (error.code)`. */
export type AnyCallbackError =
  | CallbackRejectedError
  | StateRejectedError
  | BodyConsumedError
  | RedirectRefusedError
  | OrderMismatchError
  | CallbackUnsettledError

/** Stable name of a reason, for counting and alerting. */
export type RejectionReason =
  /** Neither GET nor POST. */
  | 'method'
  /** A body that is no form. */
  | 'media-type'
  /** More bytes or parameters than a gateway would send. */
  | 'too-large'
  /** The connection ended before the body did. */
  | 'cut-off'
  /** An escape that is no UTF-8, or a zero byte in what is signed. */
  | 'undecodable'
  /** A name came twice, in the query, in the body or one in each. */
  | 'repeated-parameter'
  /** A name with brackets, or a value that a body parser turned into a list or an object. */
  | 'nested-parameter'
  /** A signed parameter is absent or empty, or holds a word for nothing in place of an id. */
  | 'missing-parameter'
  /** A signed parameter is longer than the interface allows. */
  | 'too-long'
  /** The merchant's order id came under two names, with two values. */
  | 'contradicting-order-ids'
  /** Your function found no control keys for it. */
  | 'unknown-merchant'
  | 'missing-control'
  | 'malformed-control'
  | 'control-mismatch'
  /** Your function knows no such order, although a state of yours names it. */
  | 'unknown-order'
  /** A browser return that verifies and speaks of another order than the state in its path. */
  | 'other-order'
  /** The state in the path was not signed by any of the state secrets, or is none of this package's. */
  | 'forged-state'

/** A refusal and why. */
export interface Rejection {
  readonly reason: RejectionReason
  /** One or two sentences for the log. Holds no key and no control value; what the sender wrote is quoted and cut. */
  readonly explanation: string
}

/** Longest piece of a sender's text that is quoted in a log line, in characters. */
const quotedLength = 64

/** How much of it is looked at for card numbers. */
const readLength = 1024

/** Quotes what a sender wrote without card numbers, so that it cannot forge log lines or fill the disk. */
export function quote(text: string): string {
  const masked = maskCardNumbers(text.slice(0, readLength))
  return JSON.stringify(text.length > quotedLength ? `${masked.slice(0, quotedLength)}…` : masked)
}
