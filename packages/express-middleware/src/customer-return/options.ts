import { aFunction, type OptionTable, required, type StatusResponse, type WireProfile } from '@tillkit/protocol'
import type { ControlKeys } from '@tillkit/signing'
import type { StatusClient } from '../callbacks/options.js'
import type { Rejection } from '../config/errors.js'
import { controlKeysOption, profileOption, statusClientOption } from '../config/options.js'
import type { Wait } from '../config/time.js'
import { type StateSecrets, stateSecretsOption } from '../state/token.js'

/** The outcome that the customer's page shows. `checking` whenever status has not settled it: never a guess. */
export type OutcomeView = 'paid' | 'held' | 'verified' | 'sent' | 'declined' | 'checking'

/** The order that a customer comes back for, as status shows it. */
export interface VisitResult {
  /** The merchant's order id, by the state in the path. */
  readonly clientOrderId: string
  readonly view: OutcomeView
  /** The status reply that `view` comes from. Absent with `checking`. */
  readonly reply?: StatusResponse
}

/** Options of what customers come back to. `Context` is what comes with each of them, such as the request of Express. */
export interface VisitOptions<Context> {
  /** It is asked for status. */
  readonly client: StatusClient
  /** Those of `redirectToHostedForm`. The first one signs, all of them verify. */
  readonly stateSecrets: StateSecrets
  /**
   * For the control value of the browser's parameters. If it is right, status is asked by the order id among them; if it is wrong, that is
   * only reported.
   */
  readonly controlKeys: ControlKeys
  /** Path of a GET page of this very site. Anything that leads elsewhere is refused. */
  readonly redirectTo: (result: VisitResult) => string | Promise<string>
  /** Milliseconds since the epoch. Default: the system clock. */
  readonly clock?: () => number
  /** Waits that many milliseconds between two questions, while the customer waits. Default: a timer. */
  readonly wait?: Wait
  /** Default: `defaultProfile`. */
  readonly profile?: WireProfile
  /**
   * Told why a state or the browser's parameters were refused. Errors that it throws are dropped. Default: the process is warned, once a
   * minute for each reason.
   */
  readonly onRejected?: (rejection: Rejection, context: Context) => void
}

/** Checks of those options. */
export const visitOptions: OptionTable<VisitOptions<never>> = {
  client: required(statusClientOption),
  stateSecrets: stateSecretsOption,
  controlKeys: controlKeysOption,
  redirectTo: required(aFunction),
  clock: aFunction,
  wait: aFunction,
  profile: profileOption('browserReturnItems'),
  onRejected: aFunction,
}

/** @throws {TypeError} when options do not go together. */
export function checkVisitOptions<Context>({ stateSecrets, controlKeys }: VisitOptions<Context>): void {
  const keys = (Array.isArray(controlKeys) ? controlKeys : [controlKeys]).map(entry =>
    typeof entry === 'string' ? entry : entry.key,
  )
  // A leak of one of the two must not be a leak of the other.
  if (stateSecrets.some(({ secret }) => typeof secret === 'string' && keys.includes(secret))) {
    throw new TypeError('Option "stateSecrets" holds a control key. Make a secret of its own.')
  }
}
