/**
 * Receives callbacks, in whatever framework: a request in, an answer out.
 *
 * @module
 */
import { type Inbox, notify, type PollSchedule, type WireProfile } from '@tillkit/protocol'
import type { Parameter } from '@tillkit/signing'
import { CallbackUnsettledError, type Rejection } from '../config/errors.js'
import {
  defaultMaxBodyBytes,
  endOfTurn,
  resolvingWait,
  systemClock,
  systemWait,
  type TimeLimit,
  timeLimit,
} from '../config/time.js'
import { unheardWarnings } from '../config/warnings.js'
import type { Answer } from '../http/answer.js'
import { readParameters } from '../http/parameters.js'
import type { AnyRequest } from '../http/request.js'
import type { AwaitedOrder } from '../outcomes/ask.js'
import type { Wait } from '../outcomes/order-queue.js'
import type { OnOutcome } from '../outcomes/tell.js'
import { checkCallbackFor, type VerifiedCallback } from './check.js'
import { checkReceiverOptions } from './options.js'
import type { UnverifiedIds } from './read.js'
import { type CallbackReport, callbackAnswer, failedCallbackAnswer, report } from './result.js'
import { type CallbackIds, type CallbackMerchant, settleInTurn } from './settle.js'
import { createStoredCallbacks, defaultRetry } from './stored.js'

/** Options of {@link callbackReceiver}. `Context` is whatever you hand in with a callback, e.g. the request of a framework. */
export interface CallbackReceiverOptions<Context = undefined> {
  /**
   * The merchant, or a function that finds one by what a callback says of itself, where several share an address. That is
   * not verified yet: look up by it, and do nothing else. Undefined refuses the callback. The context is undefined where a
   * stored callback is worked on again: it must be found by its ids then.
   */
  readonly merchant:
    | CallbackMerchant
    | ((
        ids: UnverifiedIds,
        context: Context | undefined,
      ) => CallbackMerchant | undefined | Promise<CallbackMerchant | undefined>)
  /**
   * Finds an order and what is waited for. Undefined while you know nothing of it: the gateway sends the callback again.
   * The context is undefined where a stored callback is worked on again.
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
  /**
   * Least milliseconds between two questions about one order. It grows to a minute while callbacks of the order go on coming
   * without a pause. Default: 1000.
   */
  readonly interval?: number
  /** Most orders that are asked about at once. Default: 100. */
  readonly concurrency?: number
  /** When a stored callback that brought no outcome is worked on again. Default: over 14 days, at growing intervals. */
  readonly retry?: PollSchedule
  /**
   * Told what each verified callback came to; with `after-stored`, what its work came to each time. What it throws is
   * dropped. Default: the process is warned of what was answered with 503, once a minute for each reason.
   */
  readonly onReport?: (report: CallbackReport, context: Context | undefined) => void
  /**
   * Told why a callback was refused. The sender is not told. What it throws is dropped. Default: the process is warned, once
   * a minute for each reason.
   */
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

/** How to answer a callback: a rejection with 403 and no word of why, a report with its status. */
export type Received =
  | ({ readonly verified: false; readonly status: 403 } & Rejection)
  | ({ readonly verified: true } & CallbackReport)

/** What goes with a request. */
export interface WithRequest<Context = undefined> {
  /** What a body parser of the framework made of the form, if one ran. Default: `request.body` of Node.js. */
  readonly body?: unknown
  /** Handed to your functions. */
  readonly context?: Context
}

/** Receives callbacks. */
export interface CallbackReceiver<Context = undefined> {
  /**
   * Takes one callback, GET with a query or POST with a form, and says how to answer it. Never throws: what failed is in
   * `error` of the answer, for your log, and the answer is 503 or, where nothing could read the body, 500.
   */
  answer(request: AnyRequest, more?: WithRequest<Context>): Promise<Answer>
  /** The same without the request. Your functions' failures are in the report; only what finding the merchant throws is thrown. */
  receive(parameters: readonly Parameter[], context?: Context): Promise<Received>
  /**
   * Works on stored callbacks that nobody works on: those that a crash left behind. Call it when the process starts, and from
   * time to time where there are several.
   *
   * @returns How many there were, at most 100.
   */
  resume(): Promise<number>
  /** Begins no more work on stored callbacks, and resolves once what was begun is over. They wait in the inbox. */
  close(): Promise<void>
}

/**
 * Makes a receiver of callbacks for any framework. `receiveCallbacks` is the one for Express.
 *
 * @throws {TypeError} when an option is wrong.
 */
export function callbackReceiver<Context = undefined>(
  options: CallbackReceiverOptions<Context>,
): CallbackReceiver<Context> {
  checkReceiverOptions('callbackReceiver', options)
  const { merchant, order, inbox, onOutcome, profile, maxBodyBytes = defaultMaxBodyBytes } = options
  const { budget = 5_000, lease = 30_000, interval = 1_000, concurrency = 100, retry = defaultRetry } = options
  const { clock = systemClock } = options
  const unheard = unheardWarnings({ clock })
  const onRejected = options.onRejected ?? ((rejection: Rejection) => unheard('WARN_CALLBACK_REFUSED', rejection))
  const onReport =
    options.onReport ?? ((each: CallbackReport) => each.status === 503 && unheard('WARN_CALLBACK_POSTPONED', each))
  const wait = options.wait === undefined ? systemWait : resolvingWait(options.wait)
  const isStoredFirst = options.acknowledge === 'after-stored'
  const inTurn = settleInTurn<Context>({ order, onOutcome, inbox, profile, lease, interval, concurrency, clock, wait })
  const find = (ids: UnverifiedIds, context: Context | undefined) =>
    typeof merchant === 'function' ? merchant(ids, context) : merchant

  const settleStored = async (signed: UnverifiedIds, login: string): Promise<CallbackReport> => {
    const holder = await find(signed, undefined)
    if (holder?.login === login) return inTurn.settle({ login, ...signed }, { merchant: holder, context: undefined })
    return report('failed', `Option "merchant" finds no merchant ${login} for order ${signed.clientOrderId}.`)
  }

  const stored = createStoredCallbacks({
    inbox,
    lease: 2 * lease,
    retry,
    clock,
    wait,
    work: (signed, login) => inTurn.within(settleStored(signed, login)),
    onReport: each => onReport(each, undefined),
  })

  const store = async (signed: VerifiedCallback['signed'], login: string): Promise<CallbackReport> => {
    try {
      await stored.put(signed, login)
      return report('stored', 'It is stored, and worked on from now.')
    } catch (cause) {
      return report('failed', 'The inbox did not take the callback.', { cause })
    }
  }

  const refuse = ({ reason, explanation }: Rejection, context: Context | undefined): Received => {
    notify(() => onRejected({ reason, explanation }, context))
    return { verified: false, status: 403, reason, explanation }
  }

  const receiveWithin = async (
    limit: TimeLimit,
    { parameters, context }: { readonly parameters: readonly Parameter[]; readonly context: Context | undefined },
  ): Promise<Received> => {
    const verdict = await limit.race(checkCallbackFor({ parameters, profile, find: ids => find(ids, context) }), () => {
      throw new CallbackUnsettledError(`Option "merchant" found nobody within ${budget} ms.`)
    })
    if (!verdict.verified) return refuse(verdict, context)
    const { callback, holder } = verdict
    const { clientOrderId, orderId } = callback.signed
    const { login } = holder
    const made = await limit.race(
      isStoredFirst
        ? store(callback.signed, login)
        : inTurn.settle({ login, clientOrderId, orderId }, { merchant: holder, context }),
      () =>
        report(
          'busy',
          `It was not settled within ${budget} ms. The work goes on; the gateway sends the callback again.`,
        ),
    )
    const full = { ...made, callback }
    if (made.reason !== 'stored') notify(() => onReport(full, context))
    return { verified: true, ...full }
  }

  const receive = async (parameters: readonly Parameter[], context: Context | undefined): Promise<Received> => {
    const limit = timeLimit(budget, wait)
    try {
      return await receiveWithin(limit, { parameters, context })
    } finally {
      limit.end()
    }
  }

  return {
    async answer(request, { body, context } = {}) {
      try {
        const read = await readParameters(request, { maxBytes: maxBodyBytes, body })
        await endOfTurn()
        return callbackAnswer(read.read ? await receive(read.parameters, context) : refuse(read, context), request)
      } catch (error) {
        return failedCallbackAnswer(error)
      }
    },
    receive: (parameters, context) => receive(parameters, context),
    resume: () => stored.resume(),
    close: () => stored.close(),
  }
}
