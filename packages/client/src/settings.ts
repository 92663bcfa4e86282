/**
 * Settings: the options of a client, checked once and for all when it is made.
 *
 * @module
 */
import { defaultProfile, type WireProfile } from '@tillkit/protocol'
import type { AttemptsPort } from './attempt.js'
import { type BaseUrl, readBaseUrl } from './base-url.js'
import { addressProblem } from './check-addresses.js'
import { type Credentials, type KeyPurpose, readCredentials } from './credentials.js'
import { describeValue } from './describe-value.js'
import { type Endpoint, readEndpoint } from './endpoint.js'
import type { KnownMerchants } from './merchant-settings.js'
import type { ClientObserver } from './observer.js'
import { unknownClientOption } from './option-names.js'
import type { ClientOptions } from './options.js'

/** What is taken from the surroundings where the caller hands over nothing. */
export interface Ambient {
  readonly clock: () => number
  readonly nonce: () => string
  readonly attemptId: () => string
  /** From 0 to below 1. */
  readonly random: () => number
  /** Resolves after so many milliseconds, or when the signal fires. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

/** Checked options. */
export interface Settings extends Ambient, Credentials {
  readonly baseUrl: BaseUrl
  readonly endpoint: Endpoint
  /** What keys may be for, the client's own and those of other merchants. */
  readonly purpose: KeyPurpose
  /** A control key that a request is not signed with, and that is taken out of all text nevertheless. */
  readonly alsoSecret?: string | undefined
  /** Other merchants that calls were made for. */
  readonly merchants: KnownMerchants
  readonly profile: WireProfile
  readonly attempts: AttemptsPort | undefined
  /** Milliseconds. */
  readonly timeout: number
  readonly maxReplyBytes: number
  readonly observer: ClientObserver
  readonly serverCallbackUrl: string | undefined
}

/** Longest delay a timer takes, in milliseconds. */
export const longestTimeout = 2_147_483_647

/**
 * Checks the options of a client.
 *
 * @throws {TypeError} naming the option in quotes. It never holds key material.
 */
export function readSettings(options: ClientOptions, ambient: Ambient): Settings {
  if (typeof options !== 'object' || options === null) throw new TypeError('createClient needs an options object.')
  const unknown = unknownClientOption(options)
  if (unknown !== undefined) throw new TypeError(unknown.problem)
  const baseUrl = readBaseUrl(options.baseUrl)
  const endpoint = readEndpoint(options)
  if ('message' in endpoint) throw new TypeError(endpoint.message)
  const { dispatcher, serverCallbackUrl } = options
  if (dispatcher !== undefined && typeof dispatcher?.dispatch !== 'function') {
    throw new TypeError('"dispatcher" has no method "dispatch". Pass an undici Dispatcher, such as new Agent().')
  }
  const purpose = readPurpose(options, baseUrl.isLoopback)
  return {
    baseUrl,
    endpoint,
    ...readCredentials(options, purpose),
    purpose,
    merchants: new WeakMap(),
    profile: options.profile ?? defaultProfile,
    attempts: readPort(options.attempts),
    timeout: readCount('timeout', options.timeout ?? 30_000),
    maxReplyBytes: readCount('maxReplyBytes', options.maxReplyBytes ?? 262_144),
    observer: options.observer ?? {},
    serverCallbackUrl: readCallbackUrl(serverCallbackUrl),
    clock: options.clock ?? ambient.clock,
    nonce: options.nonce ?? ambient.nonce,
    attemptId: ambient.attemptId,
    random: options.random ?? ambient.random,
    wait: options.wait ?? ambient.wait,
  }
}

/**
 * Checks a whole number of milliseconds or bytes.
 *
 * @throws {TypeError} when it is out of range.
 */
export function readCount(option: 'timeout' | 'maxReplyBytes', value: unknown): number {
  if (typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= longestTimeout) return value
  const unit = option === 'timeout' ? 'milliseconds' : 'bytes'
  throw new TypeError(
    `"${option}" is ${describeValue(value)}; it must be a whole number of ${unit} from 1 to ${longestTimeout}.`,
  )
}

function readCallbackUrl(value: unknown): string | undefined {
  if (value === undefined) return undefined
  if (typeof value !== 'string') throw new TypeError('"serverCallbackUrl" is no text. Write it as a string.')
  const problem = addressProblem(value)
  if (problem !== undefined) throw new TypeError(`"serverCallbackUrl" ${problem}`)
  return value
}

function readPort(port: AttemptsPort | undefined): AttemptsPort | undefined {
  if (port === undefined || (typeof port?.reserve === 'function' && typeof port.settled === 'function')) return port
  throw new TypeError('"attempts" must have the methods "reserve" and "settled", as memoryAttempts() has.')
}

function readPurpose({ environment }: ClientOptions, isLoopback: boolean): KeyPurpose {
  if (environment !== undefined && environment !== 'test' && environment !== 'production') {
    throw new TypeError(`"environment" is ${JSON.stringify(environment)}; it must be "test" or "production".`)
  }
  if (isLoopback && environment === 'production') {
    throw new TypeError('"environment" is "production" while "baseUrl" is this machine, which is always a test.')
  }
  return { environment, isLoopback }
}
