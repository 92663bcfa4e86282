import {
  aCount,
  aFunction,
  defaultProfile,
  type OptionCheck,
  type OptionTable,
  required,
  type StatusRequest,
  type StatusResponse,
  type WireProfile,
} from '@tillkit/protocol'
import type { ControlKeys } from '@tillkit/signing'
import type { Rejection } from '../config/errors.js'
import { checkCall, controlKeysOption, profileOption, statusClientOption } from '../config/options.js'
import { resolvingWait, systemClock, systemWait, type Wait } from '../config/time.js'
import { createWarnings, ownWords, type Warn } from '../config/warnings.js'
import type { UnverifiedIds, VerifiedCallback } from './check.js'
import type { OrderStatus } from './order-status.js'

/** A client that asks status; `createClient` of `@tillkit/client` makes one. */
export interface StatusClient {
  /** @see Interface specification, section 4, "status" */
  status(request: StatusRequest): Promise<StatusResponse>
}

/** A merchant whose callbacks are received. */
export interface CallbackMerchant {
  /** Merchant control key, or several while one is being replaced. */
  readonly controlKeys: ControlKeys
  /** It is asked for status. */
  readonly client: StatusClient
}

/**
 * Your function, which is called with what status says. A callback is answered with 200 only once it has resolved. It is called again for
 * every repetition of a callback, so doing the same work twice must do no harm.
 *
 * @param context What came with the callback, such as the request of Express; that of the first where several came together.
 */
export type OnStatus<Context = undefined> = (status: OrderStatus, context: Context | undefined) => void | Promise<void>

/** Options of `callbackReceiver`. `Context` is what you hand in with a callback, e.g. the request of a framework. */
export interface CallbackReceiverOptions<Context = undefined> {
  /**
   * The merchant, or a function that finds one by what a callback says of itself. That is not verified yet: look up by it, and
   * do nothing else. Undefined refuses the callback.
   */
  readonly merchant:
    | CallbackMerchant
    | ((
        ids: UnverifiedIds,
        context: Context | undefined,
      ) => CallbackMerchant | undefined | Promise<CallbackMerchant | undefined>)
  /** Called with what status says, for every callback that status has shown. */
  readonly onStatus: OnStatus<Context>
  /**
   * Longest time to an answer, in milliseconds. After it the answer is 503, the work goes on, and the gateway comes again. Default: 4500,
   * since the fake gateway gives up on a callback after five seconds.
   */
  readonly budget?: number
  /** Least milliseconds between two questions about one order; up to a minute while its callbacks do not pause. Default: 1000. */
  readonly interval?: number
  /**
   * Told how each verified callback ended. Errors that it throws are dropped. Default: the process is warned of every 503 except
   * `not-final`, once a minute for each kind.
   */
  readonly onReport?: (result: ReportedResult, context: Context | undefined) => void
  /** Told why a callback was refused. Errors that it throws are dropped. Default: the process is warned, once a minute for each reason. */
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

/** The end of a verified callback, for your log. `delivered` is answered with 200, everything else with 503: the gateway sends it again. */
export interface ReportedResult {
  readonly kind: /** Your function was called with what status says, and has succeeded. */
    | 'delivered'
    /** Status answered about another order than the callback names. Your function was not called. */
    | 'other-order'
    /** Status says that it is not over yet, no matter what the callback says. Your function was not called. */
    | 'not-final'
    /** Status does not show yet what the callback says: a callback can overtake status. Your function was not called for it. */
    | 'not-shown'
    /** Status could not be asked. */
    | 'no-answer'
    /** It was not done within the budget. The work goes on. */
    | 'busy'
    /** Your function failed. */
    | 'handler-failed'
    /** Another function of yours failed, or the work was not done within a minute. */
    | 'failed'
  /** HTTP status of the answer. */
  readonly status: 200 | 503
  readonly explanation: string
  readonly callback: VerifiedCallback
  /** The error that was thrown, if one was. */
  readonly cause?: unknown
}

/** The end of a callback, and how to answer it. A callback that was not verified is refused with 403 and no word of why. */
export type CallbackResult = ReportedResult | (Rejection & { readonly status: 403 })

/** The form and the context that go with a request. */
export interface WithRequest<Context = undefined> {
  /** The form as a body parser of the framework left it, if one ran. Default: `request.body` of Node.js. */
  readonly body?: unknown
  /** Handed to your functions. */
  readonly context?: Context
}

const milliseconds = aCount({ unit: 'milliseconds' })

const merchantOption: OptionCheck = merchant => {
  if (typeof merchant === 'function') return undefined
  const { controlKeys, client, ...others } = (merchant ?? {}) as Partial<CallbackMerchant>
  if (controlKeys === undefined && 'controlKey' in others) {
    return '"merchant" has a "controlKey". Write "controlKeys": it takes one key, or several.'
  }
  const problem = statusClientOption(client, 'merchant.client')
  if (problem !== undefined) return `"merchant" must be { controlKeys, client } or a function. ${problem}`
  return controlKeysOption(controlKeys, 'merchant.controlKeys')
}

const receiverOptions: OptionTable<CallbackReceiverOptions> = {
  merchant: merchantOption,
  onStatus: required(aFunction),
  budget: milliseconds,
  interval: aCount({ unit: 'milliseconds', least: 0 }),
  onReport: aFunction,
  onRejected: aFunction,
  maxBodyBytes: aCount({ unit: 'bytes' }),
  profile: profileOption('callbackItems'),
  clock: aFunction,
  wait: aFunction,
}

/** @throws {TypeError} naming the option that is wrong. */
export function checkReceiverOptions(factory: string, options: object): void {
  checkCall<object>(factory, options, receiverOptions)
}

export function receiverSettings<Context>(options: CallbackReceiverOptions<Context>) {
  const { clock = systemClock } = options
  const warn = createWarnings(ownWords, { clock })
  return {
    ...options,
    profile: options.profile ?? defaultProfile,
    budget: options.budget ?? 4_500,
    interval: options.interval ?? 1_000,
    clock,
    wait: options.wait === undefined ? systemWait : resolvingWait(options.wait),
    onReport: options.onReport ?? ((result: ReportedResult) => warnOf(result, warn)),
    onRejected: options.onRejected ?? ((rejection: Rejection) => warn('WARN_CALLBACK_REFUSED', rejection)),
  }
}

function warnOf(result: ReportedResult, warn: Warn): void {
  const { kind, explanation, cause } = result
  // An order that is under way asks nothing of anybody: the gateway calls again.
  if (kind === 'delivered' || kind === 'not-final') return
  if (kind === 'handler-failed') warn('WARN_HANDLER_FAILED', { explanation, cause })
  else warn('WARN_CALLBACK_POSTPONED', { reason: kind, explanation, cause })
}

export type ReceiverSettings<Context> = ReturnType<typeof receiverSettings<Context>>
