/**
 * Options of the fake gateway, and the settings they come to.
 *
 * @module
 */
import { createPublicKey, type KeyObject } from 'node:crypto'
import { type AnyOperation, defaultProfile, operations, type WireProfile } from '@tillkit/protocol'
import { importPublicKey } from '@tillkit/signing'
import type { FakeClock } from './clock.js'
import { testPrivateKey, testPublicKey } from './fixtures/test-keys.js'

/** How the fake gateway is set up. Everything has a default. */
export interface FakeGatewayOptions {
  /** Merchant login. Default: `merchant`. */
  readonly login?: string
  /** Merchant control key. Default: a published one, fit for tests only. */
  readonly controlKey?: string
  /** Merchant endpoint, a 64-bit integer. Default: `39`. */
  readonly endpointId?: string | number | bigint
  /** Endpoint group, reached below the `group` segment of the path. Default: none. */
  readonly endpointGroupId?: string | number | bigint
  /** Public half of the merchant's key pair, PEM or KeyObject. Default: that of the published test pair. */
  readonly publicKey?: string | KeyObject
  /** Private half, PKCS#8 PEM, for `clientOptions` only. Default: that of the published test pair. */
  readonly privateKey?: string
  readonly profile?: WireProfile
  /** Path before `/api`. Default: `/paynet`. Never empty, because a signature that leaves it out must fail here too. */
  readonly prefix?: string
  /** Default: the time of day, which `clock.advance` moves forward. */
  readonly clock?: FakeClock
  /** The same seed gives the same identifiers. Default: `tillkit`. */
  readonly seed?: string | number
  /** How long an order stays `processing`, in milliseconds. Default: 0. */
  readonly processingTime?: number
  /** The endpoint's only currency. Default: any currency of ISO 4217. */
  readonly currency?: string
  /** Refuses a request without the fields that public documents call required. Default: false, a warning in the call log. */
  readonly strictFields?: boolean
  /** Default: `loopback`, so that a copied production address is never called from a test. */
  readonly allowCallbacksTo?: 'loopback' | 'anywhere'
  /** Scheme and host of the gateway until it listens. Default: `https://gateway.test`, which the dispatcher answers. */
  readonly origin?: string
  /** Largest request body, in bytes. Default: 262144. */
  readonly maxBodyBytes?: number
  /** Calls kept in the log, oldest dropped first. Default: 1000. */
  readonly maxCalls?: number
  /**
   * Who runs 3DS. `merchant`: status shows each step in `tds_status`, and the merchant uploads its result. `gateway`: status
   * shows `html` and `redirect-to`, and the customer comes back to `redirect_url`. Default: `merchant`.
   */
  readonly threeDSecure?: 'merchant' | 'gateway'
  /** Serves the dashboard and the control API below `/__gateway/`, to this machine only. Default: true. */
  readonly dashboard?: boolean
  /** Operations of your own, by the name `handle` takes. The fake checks and logs them; `handle` answers them. */
  readonly operations?: Readonly<Record<string, AnyOperation>>
}

/** Options with every default filled in. */
export interface GatewaySettings {
  readonly login: string
  readonly controlKey: string
  readonly endpointId: string
  readonly endpointGroupId: string | undefined
  readonly publicKey: KeyObject
  readonly privateKey: string | undefined
  readonly profile: WireProfile
  readonly prefix: string
  readonly seed: string
  readonly processingTime: number
  readonly currency: string | undefined
  readonly strictFields: boolean
  readonly allowCallbacksTo: 'loopback' | 'anywhere'
  readonly origin: string
  readonly maxBodyBytes: number
  readonly maxCalls: number
  readonly threeDSecure: 'merchant' | 'gateway'
  readonly dashboard: boolean
  readonly operations: Readonly<Record<string, AnyOperation>>
}

/** Control key of a fake that was given none. TEST ONLY: it is published. */
export const testControlKey = '3E6C2A0F-TEST-4D1B-9C55-0B1D5F0A7E21'

/** Every option, by name: a misspelt one would be left out in silence. */
const optionNames: { readonly [Option in keyof Required<FakeGatewayOptions>]: true } = {
  login: true,
  controlKey: true,
  endpointId: true,
  endpointGroupId: true,
  publicKey: true,
  privateKey: true,
  profile: true,
  prefix: true,
  clock: true,
  seed: true,
  processingTime: true,
  currency: true,
  strictFields: true,
  allowCallbacksTo: true,
  origin: true,
  maxBodyBytes: true,
  maxCalls: true,
  threeDSecure: true,
  dashboard: true,
  operations: true,
}

/**
 * Fills in defaults and checks what cannot work.
 *
 * @throws {TypeError} naming the option.
 */
export function readOptions(options: FakeGatewayOptions): GatewaySettings {
  const { login = 'merchant', controlKey = testControlKey, prefix = '/paynet', processingTime = 0 } = options
  const unknown = Object.keys(options).find(option => !Object.hasOwn(optionNames, option))
  if (unknown !== undefined) {
    throw new TypeError(`createFakeGateway has no option "${unknown}". It has: ${Object.keys(optionNames).join(', ')}.`)
  }
  if (login === '') throw new TypeError('"login" is empty. Leave it out for "merchant".')
  if (controlKey === '') throw new TypeError('"controlKey" is empty: anyone can sign with an empty key.')
  if (!(processingTime >= 0)) {
    throw new TypeError(`"processingTime" is ${processingTime}; it is a number of milliseconds, 0 or more.`)
  }
  const { threeDSecure = 'merchant' } = options
  if (threeDSecure !== 'merchant' && threeDSecure !== 'gateway') {
    throw new TypeError(`"threeDSecure" is ${JSON.stringify(threeDSecure)}; it must be "merchant" or "gateway".`)
  }
  return Object.freeze({
    login,
    controlKey,
    endpointId: endpoint('endpointId', options.endpointId ?? '39'),
    endpointGroupId:
      options.endpointGroupId === undefined ? undefined : endpoint('endpointGroupId', options.endpointGroupId),
    publicKey: importPublicKey(options.publicKey ?? ownPublicKey(options.privateKey)).key,
    privateKey: options.privateKey ?? (options.publicKey === undefined ? testPrivateKey : undefined),
    profile: options.profile ?? defaultProfile,
    prefix: checkPrefix(prefix),
    seed: String(options.seed ?? 'tillkit'),
    processingTime,
    currency: options.currency,
    strictFields: options.strictFields ?? false,
    allowCallbacksTo: options.allowCallbacksTo ?? 'loopback',
    origin: checkOrigin(options.origin ?? 'https://gateway.test'),
    maxBodyBytes: options.maxBodyBytes ?? 262_144,
    maxCalls: options.maxCalls ?? 1000,
    threeDSecure,
    dashboard: options.dashboard ?? true,
    operations: { ...operations, ...options.operations },
  })
}

function ownPublicKey(privateKey: string | undefined): string | KeyObject {
  if (privateKey === undefined) return testPublicKey
  try {
    return createPublicKey(privateKey)
  } catch (cause) {
    throw new TypeError('"privateKey" cannot be read. Pass a PKCS#8 PEM key, not encrypted, or leave it out.', {
      cause,
    })
  }
}

const largestInt64 = 2n ** 63n - 1n

/** Whether `text` is an endpoint id: a whole number from 0 to 2^63 - 1 without leading zeros. */
export const isEndpointId = (text: string): boolean => /^(0|[1-9]\d{0,18})$/.test(text) && BigInt(text) <= largestInt64

function endpoint(option: string, value: string | number | bigint): string {
  const text = String(value)
  if (isEndpointId(text) && (typeof value !== 'number' || Number.isSafeInteger(value))) return text
  throw new TypeError(`"${option}" is ${text}; it must be a 64-bit integer. Pass a large one as a string or a bigint.`)
}

function checkPrefix(prefix: string): string {
  if (/^(\/[A-Za-z0-9._~-]+)+$/.test(prefix)) return prefix
  throw new TypeError(
    `"prefix" is ${JSON.stringify(prefix)}; it must be like "/paynet": a slash first, none last, and never empty, ` +
      'because the prefix is part of the signed address and leaving it out is the mistake to catch.',
  )
}

function checkOrigin(origin: string): string {
  const url = URL.canParse(origin) ? new URL(origin) : undefined
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.pathname === '/' && url.search === '')
    return url.origin
  throw new TypeError(`"origin" is ${JSON.stringify(origin)}; it must be like "https://gateway.test", without a path.`)
}
