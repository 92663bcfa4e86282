import {
  aCount,
  aFunction,
  anObjectWith,
  aText,
  checkedLater,
  checkOptions,
  mustBe,
  nested,
  type OptionTable,
  required,
  type StatusAsker,
  type TdsCResResultRequest,
  type TdsMethodUrlResultRequest,
  type TdsPaResResultRequest,
} from '@tillkit/protocol'
import { boundedMap } from '../config/bounded-map.js'
import { checkCall } from '../config/options.js'
import { checkVisitOptions, type VisitOptions, visitOptions } from '../customer-return/options.js'
import { addressesFor, merchantAddress } from '../http/addresses.js'
import { englishTexts, type ThreeDSecurePages } from './pages/document.js'

/** One upload. `attemptId` is the same for the same result, so that a store refuses to send it twice. */
type Upload<UploadRequest> = (request: UploadRequest, options: { readonly attemptId: string }) => Promise<unknown>

/** A client that asks status and uploads results of 3DS; `createClient` of `@tillkit/client` makes one. */
export interface ThreeDSecureClient extends StatusAsker {
  readonly uploadMethodUrlResult: Upload<TdsMethodUrlResultRequest>
  readonly uploadCresResult: Upload<TdsCResResultRequest>
  readonly uploadParesResult: Upload<TdsPaResResultRequest>
}

/** Something that a person should know of. The customer was sent on with `checking`, or waits. */
export interface ThreeDSecureProblem {
  readonly clientOrderId: string
  /** One or two sentences for the log, without card data. */
  readonly explanation: string
  /** What the client threw, if that was it. */
  readonly cause?: unknown
}

/** Progress of one order. Plain JSON, no card data. */
export interface ThreeDSecureProgress {
  /** Steps that were handed over or whose result was uploaded. */
  readonly done: readonly string[]
  /** The latest 3DS method. Times are in milliseconds since the epoch. */
  readonly method?: {
    /** Transaction id of the 3DS server. */
    readonly id: string
    /** When its hidden frame was shown. */
    readonly startedAt: number
    /** When the bank notified us through that frame. */
    readonly notifiedAt?: number
  }
}

/**
 * Keeps progress by the merchant's order id. With several processes keep it where all of them see it, for about a day; the
 * last one to save wins.
 */
export interface ThreeDSecureStore {
  find(clientOrderId: string): Promise<ThreeDSecureProgress | undefined>
  save(clientOrderId: string, progress: ThreeDSecureProgress): Promise<void>
}

/**
 * Progress in memory: for one process, and forgotten when it stops.
 *
 * @param options `capacity`: how many orders are remembered; beyond it the oldest one goes. Default: 20000.
 * @throws {TypeError} when the capacity is no count.
 */
export function memoryProgress(options: { readonly capacity?: number } = {}): ThreeDSecureStore {
  checkOptions('memoryProgress', options, { capacity: aCount() })
  const orders = boundedMap<ThreeDSecureProgress>(options.capacity ?? 20_000)
  return {
    find: async clientOrderId => orders.get(clientOrderId),
    save: async (clientOrderId, progress) => orders.set(clientOrderId, progress),
  }
}

/** Options of the pages of 3DS. `Context` is the request of the framework. */
export interface ThreeDSecureVisitOptions<Context> extends VisitOptions<Context> {
  /** Asks status and uploads results. It is handed in, so that any client will do. */
  readonly client: ThreeDSecureClient
  /** Public address of the path this is mounted at, such as `https://shop.example/3ds`. https, or loopback. */
  readonly address: URL | string | (() => URL | string)
  /** How long an address is fresh, in seconds. Default: 86400, one day. */
  readonly stateLifetime?: number
  /** What was handed over, order by order. Default: `memoryProgress()`, which will do for one process. */
  readonly progress?: ThreeDSecureStore
  /** How the pages look and speak. Default: English, without a name. */
  readonly pages?: ThreeDSecurePages
  /** Told where 3DS could not go on. What it throws is dropped. Default: the process is warned, once a minute at most. */
  readonly onProblem?: (problem: ThreeDSecureProblem, request: Context) => void
}

const aPlainText = mustBe(value => typeof value === 'string', 'a text')

const pagesOptions: OptionTable<ThreeDSecurePages> = {
  shopName: aPlainText,
  language: aText,
  texts: nested(Object.fromEntries(Object.keys(englishTexts).map(name => [name, aPlainText]))),
}

const threeDSecureOptions: OptionTable<ThreeDSecureVisitOptions<never>> = {
  ...visitOptions,
  client: required(
    anObjectWith(
      ['status', 'uploadMethodUrlResult', 'uploadCresResult', 'uploadParesResult'],
      'a client, such as createClient of @tillkit/client makes',
    ),
  ),
  address: checkedLater,
  stateLifetime: aCount({ unit: 'seconds' }),
  progress: anObjectWith(['find', 'save'], 'memoryProgress()'),
  pages: nested(pagesOptions),
  onProblem: aFunction,
}

/** @throws {TypeError} when an option is wrong. */
export function checkThreeDSecureOptions<Context>(options: ThreeDSecureVisitOptions<Context>): void {
  checkCall<object>('threeDSecure', options, threeDSecureOptions)
  checkVisitOptions(options)
  const { address, client } = options
  if (typeof address !== 'function') merchantAddress('address', address, addressesFor(client))
}
