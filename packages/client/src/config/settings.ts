/**
 * Settings: the options of a client, checked once and for all when it is made.
 *
 * @module
 */
import { type AttemptsPort, defaultProfile, describeValue, type WireProfile } from '@tillkit/protocol'
import { type ClientObserver, readObserver } from '../diagnostics/observer.js'
import { unsetVariable } from '../errors/messages.js'
import { addressProblem, type BaseUrl, type Endpoint, readBaseUrl, readEndpoint } from './addresses.js'
import { type Credentials, type KeyPurpose, readCredentials } from './credentials.js'
import type { KnownMerchants } from './merchant.js'
import { unknownClientOption } from './option-names.js'
import type { ClientOptions } from './options.js'
import { checkUses } from './used-operations.js'

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
  readonly previousControlKey?: string | undefined
  /** Other merchants that calls were made for. */
  readonly merchants: KnownMerchants
  readonly profile: WireProfile
  readonly attempts: AttemptsPort | undefined
  /** Milliseconds. */
  readonly timeout: number
  readonly maxReplyBytes: number
  readonly freshConnection: boolean
  readonly retries: number
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
  const allowPlainHttp = readFlag('allowPlainHttp', options.allowPlainHttp ?? false)
  const baseUrl = readBaseUrl(options.baseUrl, { allowPlainHttp })
  const endpoint = readEndpoint(options)
  if ('message' in endpoint) throw new TypeError(`${endpoint.message}${ifSwapped(options)}`)
  const { dispatcher, serverCallbackUrl } = options
  if (dispatcher !== undefined && typeof dispatcher?.dispatch !== 'function') {
    throw new TypeError('"dispatcher" has no method "dispatch". Pass an undici Dispatcher, such as new Agent().')
  }
  for (const option of ['clock', 'nonce', 'random', 'wait'] as const) {
    const value: unknown = options[option]
    if (value === undefined || typeof value === 'function') continue
    throw new TypeError(`"${option}" is ${describeValue(value)}; it must be a function.`)
  }
  if (options.profile === null) throw new TypeError(noProfile)
  refuseLostKeys(options)
  const purpose = readPurpose(options, baseUrl)
  const settings: Settings = {
    baseUrl,
    endpoint,
    ...readCredentials(options, purpose),
    purpose,
    merchants: new WeakMap(),
    profile: readProfile(options.profile ?? defaultProfile),
    attempts: readPort(options.attempts),
    timeout: readCount('timeout', options.timeout ?? 30_000),
    maxReplyBytes: readCount('maxReplyBytes', options.maxReplyBytes ?? 262_144),
    freshConnection: readFlag('freshConnection', options.freshConnection ?? false),
    retries: readCount('retries', options.retries ?? 2),
    observer: readObserver(options.observer ?? {}),
    serverCallbackUrl: readCallbackUrl(serverCallbackUrl),
    clock: options.clock ?? ambient.clock,
    nonce: options.nonce ?? ambient.nonce,
    attemptId: ambient.attemptId,
    random: options.random ?? ambient.random,
    wait: options.wait ?? ambient.wait,
  }
  if (options.uses !== undefined) checkUses(options.uses, settings)
  return settings
}

/** Both come in one e-mail, and a login is hardly ever a number. */
function ifSwapped({ login, endpointId, endpointGroupId }: ClientOptions): string {
  const isNumber = typeof login === 'number' || /^\d+$/.test(login ?? '')
  const wrong = endpointId === undefined ? 'endpointGroupId' : 'endpointId'
  const hasText = typeof (endpointId ?? endpointGroupId) === 'string'
  return isNumber && hasText ? ` "login" is a number: are "login" and "${wrong}" swapped?` : ''
}

/** Options that are whole numbers: what they count, and the least of it. */
const counts = {
  timeout: { unit: ' of milliseconds', least: 1 },
  maxReplyBytes: { unit: ' of bytes', least: 1 },
  retries: { unit: '', least: 0 },
} as const

/**
 * Checks a whole number.
 *
 * @throws {TypeError} when it is out of range.
 */
export function readCount(option: keyof typeof counts, value: unknown): number {
  const { unit, least } = counts[option]
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= longestTimeout) return value
  throw new TypeError(
    `"${option}" is ${describeValue(value)}; it must be a whole number${unit} from ${least} to ${longestTimeout}.`,
  )
}

/**
 * Checks an option that is on or off.
 *
 * @throws {TypeError} when it is neither true nor false.
 */
export function readFlag(option: 'freshConnection' | 'allowPlainHttp', value: unknown): boolean {
  if (typeof value === 'boolean') return value
  throw new TypeError(`"${option}" is ${describeValue(value)}; it must be true or false.`)
}

function readCallbackUrl(value: unknown): string | undefined {
  if (value === undefined) return undefined
  if (typeof value !== 'string') throw new TypeError('"serverCallbackUrl" is no text. Write it as a string.')
  const problem = addressProblem(value)
  if (problem !== undefined) throw new TypeError(`"serverCallbackUrl" ${problem}`)
  return value
}

/** A key that is named and has no value got lost on its way; a client for other people's merchants names none. */
function refuseLostKeys(options: ClientOptions): void {
  const named = (['controlKey', 'privateKey'] as const).filter(option => option in options)
  if (named.length === 0 || named.some(option => options[option] !== undefined)) return
  throw new TypeError(
    `"${named.join('" and "')}" ${named.length > 1 ? 'are' : 'is'} there and undefined, and no other key is, so nothing could be ` +
      `sent. ${unsetVariable} Where each call brings its own "merchant", leave the key out.`,
  )
}

const noProfile = '"profile" is no wire profile. Pass what defineProfile() returns.'

function readProfile(profile: WireProfile): WireProfile {
  const isProfile =
    typeof profile === 'object' &&
    profile !== null &&
    Object.keys(defaultProfile).every(name => Object.hasOwn(profile, name))
  if (isProfile) return profile
  throw new TypeError(noProfile)
}

function readPort(port: AttemptsPort | undefined): AttemptsPort | undefined {
  const methods = ['reserve', 'settled', 'changesOf'] as const
  if (port === undefined || methods.every(method => typeof port?.[method] === 'function')) return port
  throw new TypeError('"attempts" must have the methods "reserve", "settled" and "changesOf", as memoryAttempts() has.')
}

function readPurpose(
  { environment, allowPlainHttp }: ClientOptions,
  { isLoopback, isPlainHttp }: Pick<BaseUrl, 'isLoopback' | 'isPlainHttp'>,
): KeyPurpose {
  if (environment !== undefined && environment !== 'test' && environment !== 'production') {
    throw new TypeError(`"environment" is ${describeValue(environment)}; it must be "test" or "production".`)
  }
  if (isLoopback && environment === 'production') {
    throw new TypeError('"environment" is "production" while "baseUrl" is this machine, which is always a test.')
  }
  if (allowPlainHttp === true && environment === 'production') {
    throw new TypeError(
      '"allowPlainHttp" is true while "environment" is "production". Everybody on the way could read card data: use https, ' +
        'and leave "allowPlainHttp" out.',
    )
  }
  return { environment, isTest: isLoopback || isPlainHttp }
}
