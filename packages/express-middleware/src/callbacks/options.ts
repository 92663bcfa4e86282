import {
  aCount,
  aFunction,
  checkedLater,
  checkSchedule,
  defaultProfile,
  type KeepingClient,
  type OptionCheck,
  type OptionTable,
  oneOfWords,
  type PollSchedule,
  type WireProfile,
} from '@tillkit/protocol'
import type { ControlKeys } from '@tillkit/signing'
import type { Rejection } from '../config/errors.js'
import { checkCall, controlKeysOption, keepingClientOption, profileOption } from '../config/options.js'
import { resolvingWait, systemClock, systemWait, type Wait } from '../config/time.js'
import { warningsOf } from '../config/warnings.js'
import { checkSameStore, type Telling, tellingOptions } from '../outcomes/telling.js'
import type { OnUnmatched } from '../outcomes/unmatched.js'
import type { UnverifiedIds, VerifiedCallback } from './check.js'

/** A merchant whose callbacks are received. */
export interface CallbackMerchant {
  /** Merchant control key, or several while one is being replaced. */
  readonly controlKeys: ControlKeys
  /** The client that sends the merchant's requests, with the same store: it is asked for status. */
  readonly client: KeepingClient
  /**
   * Where `controlKeys` are of several merchants: the client of the one whose key verified a callback, by the label of that key. Default:
   * `client`.
   */
  readonly clientOf?: (keyLabel: string) => KeepingClient
}

/** How fast the work in the background goes, and whose. */
export interface WorkPace {
  /** The keys of its documents begin with one of these. It takes no others out of the store. */
  readonly prefixes: readonly string[]
  /** Most payments that may be taken out of the store at once now; 0: none. */
  most(): number
  /**
   * Resolves when status may be asked about an order of a login, and as soon as the signal aborts: then a callback came for it, which
   * waits for no turn, or the work ends.
   */
  turn(login: string, signal: AbortSignal): Promise<void>
}

/** Options of `callbackReceiver`. `Context` is what you hand in with a callback, e.g. the request of a framework. */
export interface CallbackReceiverOptions<Context = undefined, Transaction = never> extends Telling<Transaction> {
  /**
   * The merchant, or a function that finds one by what a callback says of itself. That is not verified yet: look up by it, and
   * do nothing else. Undefined refuses the callback. What the store has left to do is worked on without a context.
   */
  readonly merchant:
    | CallbackMerchant
    | ((
        ids: UnverifiedIds,
        context: Context | undefined,
      ) => CallbackMerchant | undefined | Promise<CallbackMerchant | undefined>)
  /**
   * When a callback is answered with 200. `after-handler`: once your handler has succeeded. `after-stored`: once it is in the
   * store, which must be durable; it is worked on afterwards. Default: `after-handler`.
   */
  readonly acknowledge?: 'after-handler' | 'after-stored'
  /**
   * Longest time to an answer, in milliseconds. After it the answer is 503, and the work goes on. Default: 4500, since the fake gateway gives
   * up on a callback after five seconds.
   */
  readonly budget?: number
  /** Least milliseconds between two questions about one order; up to a minute while its callbacks do not pause. Default: 1000. */
  readonly interval?: number
  /** Most orders that are asked about at once. Default: 100. */
  readonly concurrency?: number
  /** When a stored callback that brought no outcome is worked on again. Default: over 14 days, at growing intervals. */
  readonly retry?: PollSchedule
  /** For `@tillkit/till`. Default: 100 payments at once, as fast as status answers. */
  readonly pace?: WorkPace
  /**
   * Told what each verified callback came to, and each work on a stored one. What it throws is dropped. Default: the process is
   * warned of what was answered with 503 or failed, once a minute for each kind.
   */
  readonly onReport?: (result: ReportedResult, context: Context | undefined) => void
  /**
   * Offered each verified callback of an order that no request in the store is behind, once for each status word, or more often where it
   * throws: ten times at most, with growing pauses. Default: they are kept on the list `unmatched`, and the process is warned.
   */
  readonly onUnmatched?: OnUnmatched
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
 * What a verified callback came to, for your log. `told`, `known`, `stored` and `unmatched` are answered with 200; everything else
 * with 503, so that the gateway sends it again.
 */
export interface ReportedResult {
  readonly kind: /** Your handler knows every outcome that there is. */
    | 'told'
    /** Status says nothing that your handler was not told before. */
    | 'known'
    /** It is in the store, and is worked on from now. */
    | 'stored'
    /** No request in the store is behind its order. Its ids are kept on the list `unmatched`. */
    | 'unmatched'
    /** No request in the store is behind its order, and it is not kept: it may be the callback of another one, divided anew. */
    | 'not-kept'
    /** It names another order of the gateway than the store has, or status does. Nothing was told. */
    | 'other-order'
    /** Status says that it is not over yet, no matter what the callback says. */
    | 'not-final'
    /** Status does not show yet what the callback says: a callback can overtake status. */
    | 'not-shown'
    /** Status could not be asked. */
    | 'no-answer'
    /** Your handler is not done within the budget, another delivery is about to tell it, or this was closed before. */
    | 'busy'
    /** Your handler failed. It is told again. */
    | 'handler-failed'
    /** Another function of yours, or the store, failed. */
    | 'failed'
  /** HTTP status of the answer. */
  readonly status: 200 | 503
  readonly explanation: string
  /** The callback; absent where what the store has left to do is worked on. */
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
  const { controlKeys, client, ...others } = (merchant ?? {}) as Partial<CallbackMerchant>
  if (controlKeys === undefined && 'controlKey' in others) {
    return '"merchant" has a "controlKey". Write "controlKeys": it takes one key, or several.'
  }
  const problem = keepingClientOption(client, 'merchant.client')
  if (problem !== undefined) return `"merchant" must be { controlKeys, client } or a function. ${problem}`
  return controlKeysOption(controlKeys, 'merchant.controlKeys')
}

const receiverOptions: OptionTable<CallbackReceiverOptions> = {
  ...tellingOptions,
  merchant: merchantOption,
  acknowledge: oneOfWords('after-handler', 'after-stored'),
  budget: milliseconds,
  interval: aCount({ unit: 'milliseconds', least: 0 }),
  concurrency: aCount(),
  retry: checkedLater,
  pace: () => undefined,
  onReport: aFunction,
  onUnmatched: aFunction,
  onRejected: aFunction,
  maxBodyBytes: aCount({ unit: 'bytes' }),
  profile: profileOption('callbackItems'),
  clock: aFunction,
  wait: aFunction,
}

/** @throws {TypeError} naming the option that is wrong. */
export function checkReceiverOptions(factory: string, options: object): void {
  checkCall<object>(factory, options, receiverOptions)
  const { retry, merchant, store } = options as CallbackReceiverOptions
  if (retry !== undefined) checkSchedule(retry)
  if (typeof merchant !== 'function') checkSameStore(merchant.client, store)
}

/** As long as the gateway itself would repeat it. */
const defaultRetry: PollSchedule = [
  { atLeast: 5_000, atMost: 5_000, times: 12 },
  { atLeast: 60_000, atMost: 60_000, times: 59 },
  { atLeast: 3_600_000, atMost: 3_600_000, times: 335 },
]

export function receiverSettings<Context, Transaction>(options: CallbackReceiverOptions<Context, Transaction>) {
  const { clock = systemClock } = options
  const warn = warningsOf(options)
  const warnOfPostponed = (result: ReportedResult) => {
    if (result.kind === 'handler-failed')
      return warn('WARN_HANDLER_FAILED', { explanation: result.explanation, cause: result.cause })
    if (result.kind === 'unmatched' && options.onUnmatched === undefined)
      warn('WARN_CALLBACK_UNMATCHED', { ...result, reason: result.kind })
    // An order that is under way asks nothing of anybody: the gateway calls again.
    if (result.status === 200 || result.kind === 'not-final') return
    const event = { ...result, reason: result.kind }
    if (result.callback !== undefined) warn('WARN_CALLBACK_POSTPONED', event)
    else if (result.kind !== 'busy') warn('WARN_WORK_POSTPONED', event)
  }
  return {
    ...options,
    profile: options.profile ?? defaultProfile,
    budget: options.budget ?? 4_500,
    lease: options.lease ?? 30_000,
    interval: options.interval ?? 1_000,
    concurrency: options.concurrency ?? 100,
    retry: options.retry ?? defaultRetry,
    clock,
    wait: options.wait === undefined ? systemWait : resolvingWait(options.wait),
    warn,
    /** Whether `warn` says that a handler failed, however that was heard of: then no answer says it again. */
    warnsOfHandlers: options.warn !== undefined,
    onReport: options.onReport ?? warnOfPostponed,
    onRejected: options.onRejected ?? (rejection => warn('WARN_CALLBACK_REFUSED', rejection)),
  }
}

export type ReceiverSettings<Context, Transaction> = ReturnType<typeof receiverSettings<Context, Transaction>>
