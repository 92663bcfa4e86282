/**
 * Errors of requests that were not sent because of an earlier one.
 *
 * @module
 */
import type { AttemptEnd, AttemptIdentity, RememberedAttempt } from '@tillkit/protocol'
import { assignPresent, type ErrorDetails, GatewayError } from './errors.js'

/** Details of a request that was sent before. */
export interface AlreadySentDetails extends ErrorDetails {
  readonly field: AttemptIdentity['field']
  readonly earlier?: RememberedAttempt | undefined
}

/**
 * An earlier request had the same identity, so nothing was sent now. The request may be right in itself.
 *
 * `moneyMayHaveMoved` speaks of the earlier request: false only where that provably did nothing.
 */
export class AlreadySentError extends GatewayError {
  override readonly name = 'AlreadySentError'
  override readonly code = 'ERR_ALREADY_SENT'
  /**
   * What both have in common: `clientOrderId` of what creates, `orderId` of what changes the whole order, `attemptId` of what
   * changes a part of it.
   */
  readonly field: AttemptIdentity['field']
  /** How the earlier request ended; absent where it has not ended, or it is not known. */
  declare readonly earlierEnding?: AttemptEnd['ending']
  /** The earlier request, where the port said which; of a hosted form, `earlier.end.redirectUrl` is where the customer can go on. Not enumerable. */
  declare readonly earlier?: RememberedAttempt

  constructor(message: string, details: AlreadySentDetails) {
    super(message, { ...details, moneyMayHaveMoved: details.moneyMayHaveMoved ?? true })
    this.field = details.field
    assignPresent(this, { earlierEnding: details.earlier?.end?.ending })
    if (details.earlier !== undefined) Object.defineProperty(this, 'earlier', { value: details.earlier })
  }
}

/**
 * The outcome of an earlier change of the same order is open, so nothing was sent now: a second one could not be told from
 * it. `client.resolve(error.openAttempt)` asks what became of it.
 *
 * `moneyMayHaveMoved` speaks of the earlier change and is always true.
 */
export class OpenChangeError extends GatewayError {
  override readonly name = 'OpenChangeError'
  override readonly code = 'ERR_OPEN_CHANGE'
  /** The earlier change. */
  readonly openAttempt: RememberedAttempt

  constructor(message: string, details: ErrorDetails & { readonly openAttempt: RememberedAttempt }) {
    super(message, { ...details, moneyMayHaveMoved: true })
    this.openAttempt = details.openAttempt
  }
}
