import type { KeyObject } from 'node:crypto'
import type { OperationName, WireProfile } from '@tillkit/protocol'
import type { PrivateKey } from '@tillkit/signing'
import type { Dispatcher } from 'undici'
import type { ClientObserver } from '../diagnostics/observer.js'

/** An endpoint's id: a 64-bit whole number. A `number` must be a safe integer; write longer ones as text or bigint. */
export type EndpointId = string | number | bigint

/** Where a request goes: exactly one of the two. */
export interface EndpointOptions {
  /** Merchant endpoint, which has one currency. */
  readonly endpointId?: EndpointId | undefined
  /** Endpoint group, which has several currencies. Takes the place of the endpoint in the path and in control values. */
  readonly endpointGroupId?: EndpointId | undefined
}

/** A merchant of the gateway: login, keys, and where its requests go. */
export interface Merchant extends EndpointOptions {
  /** Merchant login, also the OAuth consumer key. */
  readonly login: string
  /** Merchant control key: for operations signed with a control value or HMAC-SHA1. */
  readonly controlKey?: string | undefined
  /** RSA private key of at least 2048 bits: for operations signed with RSA-SHA256. See `importPrivateKey`. */
  readonly privateKey?: PrivateKey | string | KeyObject | undefined
}

/**
 * What sends requests: an undici `Agent`, `ProxyAgent`, `MockAgent`, the fake gateway's dispatcher, …
 *
 * undici's own report each start (`onRequestStart`, or `onConnect`) before the first byte leaves, so a request that fails
 * before its start was not sent, and is sent once more. With any other dispatcher (written by hand, or put together with
 * `compose`) such a request ends with an unknown outcome and is not sent again. If yours reports each start, say so with
 * `reportsStart: true` beside `dispatch`. It gets the body as a `Buffer`. One that sends a request again by itself and hides
 * that second start from the handler cannot be stopped; undici's do not.
 *
 * In tests: `MockAgent` with `replyWithError` reports no start, so its requests count as not sent and are asked for twice.
 * To try what happens when an answer is lost, use the fault `commit-then-drop` of `@tillkit/testing`.
 */
export type RequestDispatcher = Pick<Dispatcher, 'dispatch'> & {
  /** Promises that `onRequestStart` or `onConnect` of the handler is called before the first byte of any request leaves. */
  readonly reportsStart?: boolean
}

/** What the base address and the keys are for. */
export type Environment = 'test' | 'production'

/** Options of `createClient`. */
export interface ClientOptions extends Merchant {
  /**
   * Base address, with the gateway's path prefix, e.g. `https://gate.example/paynet`. Must be https unless its host is
   * loopback or `allowPlainHttp` is set, and must carry no query, fragment, user name or password.
   */
  readonly baseUrl: URL | string
  /**
   * Lets `baseUrl` be http on another host than this machine, for a test gateway in a container. Everybody on the network
   * between the two reads card data and can change what is answered. Refused where `environment` is `production`; an
   * address without TLS is always a test. Default: false.
   */
  readonly allowPlainHttp?: boolean | undefined
  /** Default: `defaultProfile`. */
  readonly profile?: WireProfile | undefined
  /** Sends the requests. The client does not close it. Default: a connection pool of the client's own. */
  readonly dispatcher?: RequestDispatcher | undefined
  /**
   * What this address is for. Loopback and plain http are always `test`. A private key labelled for the other environment is refused.
   * Default: not said, which a labelled key does not allow.
   */
  readonly environment?: Environment | undefined
  /** Most a call may take, from connecting to the last byte of the answer, in milliseconds. Default: 30000. */
  readonly timeout?: number | undefined
  /** Most bytes of an answer that are read. Default: 262144. */
  readonly maxReplyBytes?: number | undefined
  /**
   * Sends every request that creates or changes on a connection of its own, opened for it and closed afterwards: no idle
   * connection can break under it, and it costs a handshake. A `dispatcher` of yours cannot be made to open one; it is only
   * asked (undici's `reset`) to close the connection after the answer. Default: false.
   */
  readonly freshConnection?: boolean | undefined
  /**
   * How many more times an operation that reads is sent when its answer fails to come or to be readable, or is HTTP 429 or 5xx.
   * All of them share the one deadline, and each waits as long as the answer's `Retry-After` says: where that is longer than the
   * deadline leaves, the call ends. Nothing else is ever repeated. Default: 2.
   */
  readonly retries?: number | undefined
  /** Milliseconds since the epoch. Default: the system clock. */
  readonly clock?: (() => number) | undefined
  /** Unique random text for each request signed with OAuth. Default: 32 hexadecimal digits. */
  readonly nonce?: (() => string) | undefined
  /** From 0 to below 1; spreads repeated questions out. Default: `Math.random`. */
  readonly random?: (() => number) | undefined
  /** Resolves after so many milliseconds, or as soon as the signal fires; never rejects. Default: a timer. */
  readonly wait?: ((milliseconds: number, signal: AbortSignal) => Promise<void>) | undefined
  /** Sees what the client does. Default: none. */
  readonly observer?: ClientObserver | undefined
  /**
   * Operations that this program uses. A key that one of them needs and that is missing is then an error when the client
   * is made, not when it is called; the others may be called all the same. Default: none.
   */
  readonly uses?: readonly OperationName[] | undefined
  /**
   * `serverCallbackUrl` of requests that create an order, have such a field and set neither it nor `notifyUrl`. Default: none.
   */
  readonly serverCallbackUrl?: string | undefined
}

/** Options of one call. */
export interface CallOptions extends EndpointOptions {
  /** Ends the call early. Once the request has started the outcome is then unknown. */
  readonly signal?: AbortSignal | undefined
  /**
   * Another merchant that the call is made for, with its own login and keys; `endpointId` of the call counts before the
   * merchant's. Make one object for each merchant and hand over the same one each time: its keys are then read once.
   * Default: the client's.
   */
  readonly merchant?: Merchant | undefined
  /** In milliseconds. Default: the client's. */
  readonly timeout?: number | undefined
  /** Sends this request on a connection of its own. Default: the client's, for operations that create or change. */
  readonly freshConnection?: boolean | undefined
  /** Of an operation that reads. Default: the client's. */
  readonly retries?: number | undefined
}

/** Options of a request that is prepared: those of a call, and what its description is to say. */
export interface PrepareOptions extends CallOptions {
  /** Your own id of this request, such as of the parcel that a part of an order is returned for. Default: a fresh UUID. */
  readonly attemptId?: string | undefined
  /** Who wants this request, and why; card numbers are taken out of both. `who` is the login of your session. Default: nobody is named. */
  readonly person?: { readonly who: string; readonly why: string } | undefined
}
