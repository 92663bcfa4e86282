/**
 * Whom outcomes are told to that a customer's visit or the merchant's own question brought to light.
 *
 * @module
 */
import type { Inbox } from '@tillkit/protocol'
import { checkFunction, checkOptionalCount } from '../config/options.js'
import type { OnOutcome } from './deliver-outcome.js'

/** Whom to tell of outcomes, once each. Give `receiveCallbacks` the same inbox and handler. */
export interface VisitOutcomes {
  /** Merchant login. It is part of what identifies an outcome. */
  readonly login: string
  readonly inbox: Inbox
  readonly onOutcome: OnOutcome
  /** How long a handler may take before the outcome may be told elsewhere, in milliseconds. Default: 30000. */
  readonly lease?: number
}

/** @throws {TypeError} when an option is wrong. */
export function checkOptionalOutcomes(outcomes: VisitOutcomes | undefined): void {
  if (outcomes === undefined) return
  const { login, inbox, onOutcome, lease } = outcomes
  if (typeof login !== 'string' || login === '')
    throw new TypeError('Option "outcomes.login" must be the merchant login.')
  for (const method of ['claim', 'complete', 'release'] as const)
    checkFunction(`outcomes.inbox.${method}`, inbox?.[method])
  checkFunction('outcomes.onOutcome', onOutcome)
  checkOptionalCount('outcomes.lease', lease)
}
