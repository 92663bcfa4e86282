import {
  aFunction,
  type KeepingClient,
  type OptionTable,
  required,
  type Store,
  type WireProfile,
} from '@tillkit/protocol'
import type { ControlKeys } from '@tillkit/signing'
import type { Rejection } from '../config/errors.js'
import {
  controlKeysOption,
  keepingClientOption,
  type Polling,
  pollingOption,
  profileOption,
} from '../config/options.js'
import { checkSameStore, type Telling, tellingOptions } from '../outcomes/telling.js'
import { type StateKeeping, stateKeepingOptions } from '../state/state.js'

/** What the page for the customer shows. `checking` whenever status has not settled it: never a guess. */
export type OutcomeView = 'paid' | 'held' | 'verified' | 'sent' | 'declined' | 'checking'

/**
 * Options of all that customers come back to: from a hosted form, and to the pages of 3DS. `Context` is what comes with each of
 * them, such as the request of Express.
 */
export interface VisitOptions<Context, Transaction = never> extends StateKeeping, Telling<Transaction> {
  readonly store: Store<Transaction>
  /** For the control value of the browser's parameters, which is only ever reported on. */
  readonly controlKeys: ControlKeys
  /** The client that sent the requests, with the same store: it is asked for status. */
  readonly client: KeepingClient
  /** Path of a GET page of this very site. Anything that leads elsewhere is refused. */
  readonly redirectTo: (result: {
    readonly clientOrderId: string
    readonly view: OutcomeView
  }) => string | Promise<string>
  /** How often status is asked while the customer waits. */
  readonly polling?: Polling
  /** Milliseconds since the epoch. Default: the system clock. */
  readonly clock?: () => number
  /** Default: `defaultProfile`. */
  readonly profile?: WireProfile
  /**
   * Told why a state or the browser's parameters were refused, or that the store does not have an order. What it throws is dropped.
   * Default: the process is warned, once a minute for each reason.
   */
  readonly onRejected?: (rejection: Rejection, context: Context) => void
}

/** Checks of those options. */
export const visitOptions: OptionTable<VisitOptions<never>> = {
  ...stateKeepingOptions,
  controlKeys: controlKeysOption,
  ...tellingOptions,
  client: required(keepingClientOption),
  redirectTo: required(aFunction),
  polling: pollingOption,
  clock: aFunction,
  profile: profileOption('browserReturnItems'),
  onRejected: aFunction,
}

/** @throws {TypeError} when options do not go together. */
export function checkVisitOptions<Context, Transaction>(options: VisitOptions<Context, Transaction>): void {
  const { stateSecrets, controlKeys, client, store } = options
  const keys = (Array.isArray(controlKeys) ? controlKeys : [controlKeys]).map(entry =>
    typeof entry === 'string' ? entry : entry.key,
  )
  // A leak of one of the two must not be a leak of the other.
  if (stateSecrets.some(({ secret }) => typeof secret === 'string' && keys.includes(secret))) {
    throw new TypeError('Option "stateSecrets" holds a control key. Make a secret of its own.')
  }
  checkSameStore(client, store)
}
