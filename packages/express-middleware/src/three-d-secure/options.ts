import {
  aCount,
  aFunction,
  anObjectWith,
  aText,
  checkedLater,
  type KeepingClient,
  mustBe,
  nested,
  type OptionTable,
  required,
  type TdsCResResultRequest,
  type TdsMethodUrlResultRequest,
  type TdsPaResResultRequest,
} from '@tillkit/protocol'
import { checkCall } from '../config/options.js'
import { checkVisitOptions, type VisitOptions, visitOptions } from '../customer-return/options.js'
import { addressesFor, merchantAddress } from '../http/addresses.js'
import { checkStateKeeping } from '../state/state.js'
import { anAccent } from './pages/accent.js'
import { englishTexts, type ThreeDSecurePages } from './pages/document.js'

/** One upload. `attemptId` is the same for the same result, so that a store refuses to send it twice. */
type Upload<UploadRequest> = (request: UploadRequest, options: { readonly attemptId: string }) => Promise<unknown>

/** A client that asks status and uploads results of 3DS; `createClient` of `@tillkit/client` makes one. */
export interface ThreeDSecureClient extends KeepingClient {
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

/** Options of the pages of 3DS. `Context` is the request of the framework. */
export interface ThreeDSecureVisitOptions<Context, Transaction = never> extends VisitOptions<Context, Transaction> {
  /** The client that sent the requests, with the same store: it is asked for status, and uploads results. */
  readonly client: ThreeDSecureClient
  /** Public address of the path this is mounted at, such as `https://shop.example/3ds`. https, or loopback. */
  readonly address: URL | string | (() => URL | string)
  /** How long an address is fresh, in seconds. Default: 86400, one day. */
  readonly stateLifetime?: number
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
  accent: anAccent,
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
  pages: nested(pagesOptions),
  onProblem: aFunction,
}

/** @throws {TypeError} when an option is wrong. */
export function checkThreeDSecureOptions<Context, Transaction>(
  options: ThreeDSecureVisitOptions<Context, Transaction>,
): void {
  checkCall<object>('threeDSecure', options, threeDSecureOptions)
  checkVisitOptions(options)
  checkStateKeeping({ ...options, payments: options.client.payments })
  const { address, client } = options
  if (typeof address !== 'function') merchantAddress('address', address, addressesFor(client))
}
