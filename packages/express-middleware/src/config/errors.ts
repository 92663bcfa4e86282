/**
 * Base of every error this package raises on purpose. Narrow with `code`: two copies of a package may be installed. No message
 * helps a sender who is probing.
 */
export abstract class CallbackError extends Error {
  abstract readonly code: string
  /** HTTP status. The error handler of Express answers with it. */
  abstract readonly status: number
}

/** The request is no callback, or no control key verifies it. */
export class CallbackRejectedError extends CallbackError {
  override readonly name = 'CallbackRejectedError'
  override readonly code = 'ERR_CALLBACK_REJECTED'
  override readonly status = 403

  constructor() {
    super('The callback was refused. The reason was given to onRejected, or to the warnings of the process.')
  }
}

/** A customer came back with a state that no state secret has signed. */
export class StateRejectedError extends CallbackError {
  override readonly name = 'StateRejectedError'
  override readonly code = 'ERR_STATE_REJECTED'
  override readonly status = 403

  constructor() {
    super('The return address was refused. The reason was given to onRejected, or to the warnings of the process.')
  }
}

/** Another middleware read the body of the request and did not leave it in `request.body`. */
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

abstract class UnusableAnswerError extends CallbackError {
  override readonly status: 500 | 502

  /** @param status 502 when the gateway gave the answer, 500 when our own code did. */
  constructor(message: string, { status }: { readonly status: 500 | 502 }) {
    super(message)
    this.status = status
  }
}

/** An address that a customer must not be sent to. The message names it without its query. */
export class RedirectRefusedError extends UnusableAnswerError {
  override readonly name = 'RedirectRefusedError'
  override readonly code = 'ERR_REDIRECT_REFUSED'
}

/** An answer is about another order than the one that was asked for. */
export class OrderMismatchError extends UnusableAnswerError {
  override readonly name = 'OrderMismatchError'
  override readonly code = 'ERR_ORDER_MISMATCH'
}

/** One of your functions failed on a callback, see `cause`, or took too long. The gateway sends the callback again. */
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

/** Codes of the errors this package raises. */
export type CallbackErrorCode = AnyCallbackError['code']

/** Stable name of a reason, for counting and alerting. */
export type RejectionReason =
  /** Neither GET nor POST. */
  | 'method'
  /** The body is no form. */
  | 'media-type'
  /** More bytes or parameters than a gateway would send. */
  | 'too-large'
  /** The connection ended before the body did. */
  | 'cut-off'
  /** A signed parameter holds bytes that are not UTF-8, or a zero byte. */
  | 'undecodable'
  /** A signed parameter came twice in the query or in the body, or once in each with different values. */
  | 'repeated-parameter'
  /** The name of a signed parameter has brackets, or a body parser turned it into a list or an object. */
  | 'nested-parameter'
  /** A signed parameter is absent or empty, or an id is a word for nothing such as `null`. */
  | 'missing-parameter'
  /** A signed parameter is longer than the interface allows. */
  | 'too-long'
  /** The merchant's order id came under two names, with two values. */
  | 'contradicting-order-ids'
  /** Your function found no control keys for the callback. */
  | 'unknown-merchant'
  | 'missing-control'
  | 'malformed-control'
  | 'control-mismatch'
  /** The store does not have the order, although one of your own states names it. */
  | 'unknown-order'
  /** A browser return verifies, and is about another order than the state in its path. */
  | 'other-order'
  /** No state secret has signed the state in the path. */
  | 'forged-state'

/** A refusal and its reason. For the merchant's log: the sender is told nothing. */
export interface Rejection {
  readonly kind: 'refused'
  readonly reason: RejectionReason
  /** One or two sentences for the log. They hold no key and no control value; what the sender wrote is quoted and cut. */
  readonly explanation: string
}

export const refused = (reason: RejectionReason, explanation: string): Rejection => ({
  kind: 'refused',
  reason,
  explanation,
})
