import {
  aCount,
  aFunction,
  anObjectWith,
  checkedLater,
  checkSchedule,
  type Inbox,
  type OptionCheck,
  type OptionTable,
  oneOfWords,
  type PollSchedule,
  required,
  type StatusAsker,
  type WireProfile,
} from '@tillkit/protocol'
import type { ControlKeys } from '@tillkit/signing'
import type { Rejection } from '../config/errors.js'
import { checkCall, controlKeysOption, profileOption } from '../config/options.js'
import { resolvingWait, systemClock, systemWait, type Wait } from '../config/time.js'
import { createWarnings } from '../config/warnings.js'
import type { AwaitedOrder } from '../outcomes/ask.js'
import type { OnOutcome } from '../outcomes/tell.js'
import type { UnverifiedIds, VerifiedCallback } from './check.js'

/** A merchant whose callbacks are received. */
export interface CallbackMerchant {
  /** Merchant login. It is part of what identifies an outcome. */
  readonly login: string
  /** Merchant control key, or several while one is being replaced. */
  readonly controlKeys: ControlKeys
  /** Asks status. It is handed in, so that any client will do. */
  readonly client: StatusAsker
}

/** Ids of a verified callback, and the merchant's login. */
export interface CallbackIds {
  /** Merchant login. */
  readonly login: string
  readonly clientOrderId: string
  /** The gateway's order id. */
  readonly orderId: string
}

/** Options of `callbackReceiver`. `Context` is what you hand in with a callback, e.g. the request of a framework. */
export interface CallbackReceiverOptions<Context = undefined> {
  /**
   * The merchant, or a function that finds one by what a callback says of itself. That is not verified yet: look up by it, and
   * do nothing else. Undefined refuses the callback. A stored callback that is worked on again has no context.
   */
  readonly merchant:
    | CallbackMerchant
    | ((
        ids: UnverifiedIds,
        context: Context | undefined,
      ) => CallbackMerchant | undefined | Promise<CallbackMerchant | undefined>)
  /**
   * Finds an order and what is waited for. Undefined while you do not know it: the gateway sends the callback again. A stored
   * callback that is worked on again has no context.
   */
  readonly order: (
    ids: CallbackIds,
    context: Context | undefined,
  ) => AwaitedOrder | undefined | Promise<AwaitedOrder | undefined>
  /** Told of every outcome: once when all goes well, and again while it fails. */
  readonly onOutcome: OnOutcome
  /** Remembers which outcomes were told. `memoryInbox()` where one process receives callbacks. */
  readonly inbox: Inbox
  /**
   * When a callback is answered with 200. `after-handler`: once your handler has succeeded. `after-stored`: once it is in the
   * inbox, which must be durable; it is worked on afterwards. Default: `after-handler`.
   */
  readonly acknowledge?: 'after-handler' | 'after-stored'
  /** Longest time to an answer, in milliseconds. After it the answer is 503, and the work goes on. Default: 5000. */
  readonly budget?: number
  /** How long a handler may take before the outcome may be told elsewhere, in milliseconds. Default: 30000. */
  readonly lease?: number
  /** Least milliseconds between two questions about one order; up to a minute while its callbacks do not pause. Default: 1000. */
  readonly interval?: number
  /** Most orders that are asked about at once. Default: 100. */
  readonly concurrency?: number
  /** When a stored callback that brought no outcome is worked on again. Default: over 14 days, at growing intervals. */
  readonly retry?: PollSchedule
  /**
   * Told what each verified callback came to, and each work on a stored one. What it throws is dropped. Default: the process is
   * warned of what was answered with 503, once a minute for each kind.
   */
  readonly onReport?: (result: ReportedResult, context: Context | undefined) => void
  /** Told why a callback was refused. What it throws is dropped. Default: the process is warned, once a minute for each reason. */
  readonly onRejected?: (rejection: Rejection, context: Context | undefined) => void
  /** Most bytes of a query or a form body. Default: 65536. */
  readonly maxBodyBytes?: number
  /** Default: `defaultProfile`. */
  readonly profile?: WireProfile
  /** Milliseconds since the epoch. Default: the system clock. */
  readonly clock?: () => number
  /** Waits that many milliseconds, or until the signal aborts: it may resolve or reject then. Default: a timer. */
  readonly wait?: Wait
}

/**
 * What a verified callback came to, for your log. `told`, `known` and `stored` are answered with 200; everything else with 503,
 * so that the gateway sends it again.
 */
export interface ReportedResult {
  readonly kind: /** Your handler knows every outcome that there is. */
    | 'told'
    /** Status says what your order says already. */
    | 'known'
    /** It is in a durable inbox, and is worked on from now. */
    | 'stored'
    /** Your function knows no such order: the callback may have come before the gateway's answer to your request. */
    | 'unknown-order'
    /** It names another order of the gateway than yours, or status does. Nothing was told. */
    | 'other-order'
    /** Status reports something that is not waited for. */
    | 'not-expected'
    /** Status says that it is not over yet, no matter what the callback says. */
    | 'not-final'
    /** Status could not be asked. */
    | 'no-answer'
    /** Your handler is not done within the budget, or another delivery is about to tell it. */
    | 'busy'
    /** A function of yours or the inbox failed. */
    | 'failed'
  /** HTTP status of the answer. */
  readonly status: 200 | 503
  readonly explanation: string
  /** The callback; absent when an entry of the inbox is worked on again. */
  readonly callback?: VerifiedCallback
  /** What was thrown, if anything was. */
  readonly cause?: unknown
}

/** What a callback came to, and how to answer it. A callback that was not verified is refused with 403 and no word of why. */
export type CallbackResult = ReportedResult | (Rejection & { readonly status: 403 })

/** What goes with a request. */
export interface WithRequest<Context = undefined> {
  /** What a body parser of the framework made of the form, if one ran. Default: `request.body` of Node.js. */
  readonly body?: unknown
  /** Handed to your functions. */
  readonly context?: Context
}

const milliseconds = aCount({ unit: 'milliseconds' })

const merchantOption: OptionCheck = merchant => {
  if (typeof merchant === 'function') return undefined
  const { login, controlKeys, client, ...others } = (merchant ?? {}) as Partial<CallbackMerchant>
  if (typeof login !== 'string' || login === '') {
    return '"merchant" must be { login, controlKeys, client } or a function. "login" is missing.'
  }
  if (controlKeys === undefined && 'controlKey' in others) {
    return '"merchant" has a "controlKey". Write "controlKeys": it takes one key, or several.'
  }
  if (typeof client?.status !== 'function') {
    return '"merchant.client" must have a method "status", as createClient of @tillkit/client makes it.'
  }
  return controlKeysOption(controlKeys, 'merchant.controlKeys')
}

const receiverOptions: OptionTable<CallbackReceiverOptions> = {
  merchant: merchantOption,
  order: required(aFunction),
  onOutcome: required(aFunction),
  inbox: required(
    anObjectWith(['put', 'claim', 'complete', 'release', 'waiting'], 'memoryInbox(), or an inbox in your database'),
  ),
  acknowledge: oneOfWords('after-handler', 'after-stored'),
  budget: milliseconds,
  lease: milliseconds,
  interval: aCount({ unit: 'milliseconds', least: 0 }),
  concurrency: aCount(),
  retry: checkedLater,
  onReport: aFunction,
  onRejected: aFunction,
  maxBodyBytes: aCount({ unit: 'bytes' }),
  profile: profileOption('callbackItems'),
  clock: aFunction,
  wait: aFunction,
}

/** @throws {TypeError} naming the option that is wrong. */
export function checkReceiverOptions<Context>(factory: string, options: CallbackReceiverOptions<Context>): void {
  checkCall<object>(factory, options, receiverOptions)
  if (options.retry !== undefined) checkSchedule(options.retry)
  if (options.acknowledge !== 'after-stored' || options.inbox.durable) return
  throw new TypeError(
    'Option "acknowledge" is "after-stored", and the inbox is not durable: what it stored would be lost when the process ' +
      'stops, and the gateway would not send it again. Use an inbox in your database, or "after-handler".',
  )
}

/** As long as the gateway itself would repeat it. */
const defaultRetry: PollSchedule = [
  { atLeast: 5_000, atMost: 5_000, times: 12 },
  { atLeast: 60_000, atMost: 60_000, times: 59 },
  { atLeast: 3_600_000, atMost: 3_600_000, times: 335 },
]

export function receiverSettings<Context>(options: CallbackReceiverOptions<Context>) {
  const { clock = systemClock } = options
  const warn = createWarnings({ clock })
  const warnOfPostponed = (result: ReportedResult) => {
    if (result.status === 503) warn('WARN_CALLBACK_POSTPONED', { ...result, reason: result.kind })
  }
  return {
    ...options,
    budget: options.budget ?? 5_000,
    lease: options.lease ?? 30_000,
    interval: options.interval ?? 1_000,
    concurrency: options.concurrency ?? 100,
    retry: options.retry ?? defaultRetry,
    clock,
    wait: options.wait === undefined ? systemWait : resolvingWait(options.wait),
    onReport: options.onReport ?? warnOfPostponed,
    onRejected: options.onRejected ?? (rejection => warn('WARN_CALLBACK_REFUSED', rejection)),
  }
}

export type ReceiverSettings<Context> = ReturnType<typeof receiverSettings<Context>>
