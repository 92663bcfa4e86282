/**
 * Options of a client and of a single call.
 *
 * @module
 */
import type { KeyObject } from 'node:crypto'
import type { WireProfile } from '@tillkit/protocol'
import type { PrivateKey } from '@tillkit/signing'
import type { Dispatcher } from 'undici'
import type { AttemptsPort } from './attempt.js'
import type { EndpointOptions } from './endpoint.js'
import type { ClientObserver } from './observer.js'

/**
 * Whatever sends a request: an undici `Agent`, `ProxyAgent`, `MockAgent`, the fake gateway's dispatcher, …
 *
 * One of your own must report `onRequestStart` (or `onConnect`) before the first byte leaves, as undici's do: a request
 * whose start was never reported counts as not sent and is sent once more.
 */
export type RequestDispatcher = Pick<Dispatcher, 'dispatch'>

/** What the base address and the keys are for. */
export type Environment = 'test' | 'production'

/** Options of `createClient`. */
export interface ClientOptions extends EndpointOptions {
  /**
   * Base address, with the gateway's path prefix, e.g. `https://gate.example/paynet`. Must be https unless its host is
   * loopback, and must carry no query, fragment, user name or password.
   */
  readonly baseUrl: URL | string
  /** Merchant login, also the OAuth consumer key. */
  readonly login: string
  /** Merchant control key: for operations signed with a control value or HMAC-SHA1. */
  readonly controlKey?: string | undefined
  /** RSA private key of at least 2048 bits: for operations signed with RSA-SHA256. See `importPrivateKey`. */
  readonly privateKey?: PrivateKey | string | KeyObject | undefined
  /** Default: `defaultProfile`. */
  readonly profile?: WireProfile | undefined
  /** Sends the requests. The client does not close it. Default: a connection pool of the client's own. */
  readonly dispatcher?: RequestDispatcher | undefined
  /** Remembers attempts. Default: none, so that the client cannot refuse an order that was sent before. */
  readonly attempts?: AttemptsPort | undefined
  /**
   * What this address is for. Loopback is always `test`. A private key labelled for the other environment is refused.
   * Default: not said, which a labelled key does not allow.
   */
  readonly environment?: Environment | undefined
  /** Most a call may take, from connecting to the last byte of the answer, in milliseconds. Default: 30000. */
  readonly timeout?: number | undefined
  /** Most bytes of an answer that are read. Default: 262144. */
  readonly maxReplyBytes?: number | undefined
  /** Milliseconds since the epoch. Default: the system clock. */
  readonly clock?: (() => number) | undefined
  /** Unique random text for each request signed with OAuth. Default: 32 hexadecimal digits. */
  readonly nonce?: (() => string) | undefined
  readonly observer?: ClientObserver | undefined
  /** `serverCallbackUrl` of requests that have such a field and set neither it nor `notifyUrl`. Default: none. */
  readonly serverCallbackUrl?: string | undefined
}

/** Options of one call. */
export interface CallOptions extends EndpointOptions {
  /** Ends the call early. Once the request has started the outcome is then unknown. */
  readonly signal?: AbortSignal | undefined
  /** In milliseconds. Default: the client's. */
  readonly timeout?: number | undefined
  /** Identifies the attempt at an operation that changes an order. Default: a fresh UUID. */
  readonly attemptId?: string | undefined
}
