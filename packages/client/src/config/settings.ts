import type { Attempt, WireProfile } from '@tillkit/protocol'
import type { PrivateKey } from '@tillkit/signing'
import type { ClientObserver } from '../diagnostics/observer.js'
import type { Environment, Merchant } from './options.js'

/** A checked base address. */
export interface BaseUrl {
  /** Scheme, host and port. */
  readonly origin: string
  /** Path prefix such as `/paynet`, without a trailing slash; may be empty. It is part of the signed address. */
  readonly prefix: string
  /** The two as one text, without a trailing slash. */
  readonly address: string
  /** Whether requests leave this machine without TLS, which the option `allowPlainHttp` permits in tests. */
  readonly isPlainHttp: boolean
}

/** An endpoint, its id as exact decimal digits. */
export interface Endpoint {
  readonly id: string
  readonly isGroup: boolean
}

/** Checked options. */
export interface Settings {
  readonly baseUrl: BaseUrl
  readonly endpoint: Endpoint
  readonly login: string
  readonly controlKey: string | undefined
  readonly privateKey: PrivateKey | undefined
  /** What the address and all keys are for; `undefined` where that was not said. */
  readonly environment: Environment | undefined
  /** A control key that a request is not signed with, and that is taken out of all text nevertheless. */
  readonly previousControlKey?: string | undefined
  /** Other merchants that calls were made for, by the object that was handed over. */
  readonly merchants: WeakMap<Merchant, KnownMerchant>
  readonly profile: WireProfile
  /** Milliseconds. */
  readonly timeout: number
  readonly maxReplyBytes: number
  readonly freshConnection: boolean
  readonly retries: number
  readonly observer: ClientObserver
  readonly serverCallbackUrl: string | undefined
  readonly clock: () => number
  readonly nonce: () => string
  readonly attemptId: () => string
  /** From 0 to below 1. */
  readonly random: () => number
  /** Resolves after so many milliseconds, or when the signal fires. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

/** A merchant that a call was made for. */
export interface KnownMerchant {
  /** A copy of what it was read from. */
  readonly from: Merchant
  /** The client's settings with the merchant's login, keys and, where it names one, endpoint. */
  readonly settings: Settings
  /** Whether the endpoint is the client's although the login is not: the call must name one. */
  readonly lacksEndpoint: boolean
}

/** Checked options of a call. */
export interface CheckedCallOptions extends Pick<Settings, 'endpoint' | 'timeout' | 'freshConnection' | 'retries'> {
  /** The client's, or those of the merchant that the call is made for. */
  readonly settings: Settings
  readonly signal: AbortSignal | undefined
  readonly attemptId: string | undefined
  readonly person: Attempt['person'] | undefined
}
