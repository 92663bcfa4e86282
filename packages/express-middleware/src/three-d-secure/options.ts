/**
 * Options of the router for 3DS.
 *
 * @module
 */
import {
  isSafeAddress,
  type SafeAddressOptions,
  type StatusAsker,
  type TdsCResResultRequest,
  type TdsMethodUrlResultRequest,
  type TdsPaResResultRequest,
} from '@tillkit/protocol'
import type { Request } from 'express'
import { checkFunction, checkOptionalCount, checkOptionalFunction, type OptionNames } from '../config/options.js'
import { checkVisitOptions, visitOptionNames } from '../customer-return/visit.js'
import type { CustomerVisitOptions } from '../express/customers.js'
import { addressesFor, parseAddress } from '../http/addresses.js'
import { boundedMap } from '../state/bounded-map.js'
import { pageVoice, type ThreeDSecurePages } from './pages/texts.js'

/** One upload. `attemptId` is the same for the same result, so that an attempts port refuses to send it twice. */
type Upload<UploadRequest> = (request: UploadRequest, options: { readonly attemptId: string }) => Promise<unknown>

/** Whatever asks status and uploads results of 3DS; `createClient` of `@tillkit/client` makes one. */
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

/** Options of `threeDSecure`. */
export interface ThreeDSecureOptions extends CustomerVisitOptions {
  /** Asks status and uploads results. It is handed in, so that any client will do. */
  readonly client: ThreeDSecureClient
  /** Public address of the path this is mounted at, such as `https://shop.example/3ds`. https, or loopback. */
  readonly address: URL | string | (() => URL | string)
  /** How long an address is fresh, in seconds. Default: 86400, one day. */
  readonly stateLifetime?: number
  /** What was handed over to whom. Default: `memoryProgress()`, which will do for one process. */
  readonly progress?: ThreeDSecureStore
  /** How the pages look and speak. Default: English, without a name. */
  readonly pages?: ThreeDSecurePages
  /**
   * Told where 3DS could not go on. What it throws is dropped. Default: the process is warned, once a minute at most.
   */
  readonly onProblem?: (problem: ThreeDSecureProblem, request: Request) => void
}

/** Names of those options. */
export const threeDSecureOptionNames: OptionNames<ThreeDSecureOptions> = {
  ...visitOptionNames,
  address: true,
  stateLifetime: true,
  progress: true,
  pages: true,
  onProblem: true,
}

/** @throws {TypeError} when an option is wrong. */
export function checkThreeDSecureOptions(options: ThreeDSecureOptions): void {
  checkVisitOptions(options)
  for (const upload of ['uploadMethodUrlResult', 'uploadCresResult', 'uploadParesResult'] as const) {
    checkFunction(`client.${upload}`, options.client[upload])
  }
  if (typeof options.address !== 'function') checkMountAddress(options.address, addressesFor(options.client))
  checkOptionalCount('stateLifetime', options.stateLifetime)
  checkOptionalFunction('onProblem', options.onProblem)
  const { progress, pages } = options
  if (progress !== undefined) {
    checkFunction('progress.find', progress.find)
    checkFunction('progress.save', progress.save)
  }
  const unknown = Object.keys(pages?.texts ?? {}).find(text => !Object.hasOwn(pageVoice().texts, text))
  if (unknown === undefined) return
  throw new TypeError(
    `Option "pages.texts" has no text "${unknown}". It has: ${Object.keys(pageVoice().texts).join(', ')}.`,
  )
}

/** @throws {TypeError} when it is no absolute https address; http is taken on loopback, or where the client may use it. */
export function checkMountAddress(address: unknown, addresses: SafeAddressOptions): URL {
  const parsed = parseAddress(address)
  if (parsed !== undefined && isSafeAddress(parsed, addresses)) return parsed
  throw new TypeError(
    'Option "address" must be, or return, an absolute https address; http on loopback only, and wherever "client" was made with "allowPlainHttp".',
  )
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
 * @param capacity How many orders are remembered; beyond it the oldest one goes. Default: 20000.
 */
export function memoryProgress({ capacity = 20_000 }: { readonly capacity?: number } = {}): ThreeDSecureStore {
  const orders = boundedMap<ThreeDSecureProgress>(capacity)
  return {
    find: async clientOrderId => orders.get(clientOrderId),
    save: async (clientOrderId, progress) => orders.set(clientOrderId, progress),
  }
}
