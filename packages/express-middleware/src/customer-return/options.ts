import {
  type AskedSettlement,
  aFunction,
  anObjectWith,
  type OptionTable,
  required,
  type StatusAsker,
  type WireProfile,
} from '@tillkit/protocol'
import type { ControlKeys } from '@tillkit/signing'
import type { CallbackIds } from '../callbacks/options.js'
import type { Rejection } from '../config/errors.js'
import { controlKeysOption, type Polling, pollingOption, profileOption } from '../config/options.js'
import type { AwaitedOrder } from '../outcomes/ask.js'
import { type VisitOutcomes, visitOutcomesOption } from '../outcomes/tell.js'
import { type StateKeeping, stateKeepingOptions } from '../state/state.js'

/** What the page for the customer shows. `checking` whenever status has not settled it: never a guess. */
export type OutcomeView = 'paid' | 'held' | 'verified' | 'sent' | 'declined' | 'checking'

/**
 * Options of all that customers come back to: from a hosted form, and to the pages of 3DS. `Context` is what comes with each of
 * them, such as the request of Express.
 */
export interface VisitOptions<Context> extends StateKeeping {
  /** For the control value of the browser's parameters, which is only ever reported on. */
  readonly controlKeys: ControlKeys
  /** Asks status. It is handed in, so that any client will do. */
  readonly client: StatusAsker
  /**
   * Finds an order, and may be the function that `receiveCallbacks` has. Undefined where you know nothing of it: the customer is
   * sent on with `checking`, as where nothing is waited for, and `onRejected` is told.
   */
  readonly order: (
    ids: Pick<CallbackIds, 'clientOrderId'>,
  ) => AwaitedOrder | undefined | Promise<AwaitedOrder | undefined>
  /**
   * Told of every outcome once, no matter what learns of it first: this visit, another one or a callback. Either this or
   * `onSettlement` is needed.
   */
  readonly outcomes?: VisitOutcomes
  /**
   * Told what status said, each time it was asked, and before `outcomes`. Store what `reduceOrder` of `@tillkit/protocol` makes of
   * your current order and `settlement.observation`, so that what a callback brought meanwhile is not lost. Customers reload, and
   * a callback may have brought the same before: what must run once belongs into `outcomes`.
   */
  readonly onSettlement?: (
    settlement: AskedSettlement,
    context: { readonly clientOrderId: string },
  ) => void | Promise<void>
  /** Path of a GET page of this very site. Anything that leads elsewhere is refused. */
  readonly redirectTo: (result: { readonly clientOrderId: string; readonly view: OutcomeView }) => string
  /** How often status is asked while the customer waits. */
  readonly polling?: Polling
  /** Milliseconds since the epoch. Default: the system clock. */
  readonly clock?: () => number
  /** Default: `defaultProfile`. */
  readonly profile?: WireProfile
  /**
   * Told why a state or the browser's parameters were refused, or that `order` does not know an order. What it throws is dropped.
   * Default: the process is warned, once a minute for each reason.
   */
  readonly onRejected?: (rejection: Rejection, context: Context) => void
}

/** Checks of those options. */
export const visitOptions: OptionTable<VisitOptions<never>> = {
  ...stateKeepingOptions,
  controlKeys: controlKeysOption,
  client: required(anObjectWith(['status'], 'a client, such as createClient of @tillkit/client makes')),
  order: required(aFunction),
  outcomes: visitOutcomesOption,
  onSettlement: aFunction,
  redirectTo: required(aFunction),
  polling: pollingOption,
  clock: aFunction,
  profile: profileOption('browserReturnItems'),
  onRejected: aFunction,
}

/** @throws {TypeError} when options do not go together. */
export function checkVisitOptions(options: VisitOptions<never>): void {
  const { stateSecrets, controlKeys, outcomes, onSettlement } = options
  const keys = (Array.isArray(controlKeys) ? controlKeys : [controlKeys]).map(entry =>
    typeof entry === 'string' ? entry : entry.key,
  )
  // A leak of one of the two must not be a leak of the other.
  if (stateSecrets.some(({ secret }) => typeof secret === 'string' && keys.includes(secret))) {
    throw new TypeError('Option "stateSecrets" holds a control key. Make a secret of its own.')
  }
  if (outcomes === undefined && onSettlement === undefined) {
    throw new TypeError(
      'Option "outcomes" or "onSettlement" is needed: without one, no function of yours learns how the order ended.',
    )
  }
}
