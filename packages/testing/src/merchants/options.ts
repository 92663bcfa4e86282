/**
 * Options of the fake gateway, and the settings they come to.
 *
 * @module
 */
import type { KeyObject } from 'node:crypto'
import { type AnyOperation, defaultProfile, notify, operations, type WireProfile } from '@tillkit/protocol'
import { defaultHost, readOrigin } from '../http/addresses.js'
import type { OutcomePlan } from '../orders/outcomes.js'
import type { FakeClock } from '../time/clock.js'
import { flatMerchant, type MerchantSettings } from './merchant-settings.js'
import { type Merchant, type MerchantOptions, readMerchants } from './merchants.js'

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
  /**
   * Gives out order ids above 2^53, which are allowed and which `JSON.parse` changes, in place of seven digits. Default:
   * false.
   */
  readonly largeOrderIds?: boolean
  /** How long an order stays `processing`, in milliseconds. Default: 0. */
  readonly processingTime?: number
  /** The endpoint's only currency. Default: any of ISO 4217 and of the profile's `currencyDigits`. */
  readonly currency?: string
  /** Refuses a request without the fields that public documents call required. Default: false, a warning in the call log. */
  readonly strictFields?: boolean
  /**
   * Told of the warnings of a request, such as what it lacks that public documents call required; once of each.
   * Default: they are in the call log only. `useFakeGateway` prints them.
   */
  readonly warn?: (text: string) => void
  /** Default: `loopback`, so that a copied production address is never called from a test. */
  readonly allowCallbacksTo?: 'loopback' | 'anywhere'
  /** Scheme and host of the gateway until it listens. Default: `https://gateway.test`, which the dispatcher answers. */
  readonly origin?: string
  /** Largest request body, in bytes. Default: 262144. */
  readonly maxBodyBytes?: number
  /** Longest a client may take to send a request over HTTP, in milliseconds. Default: 30000. */
  readonly requestTimeout?: number
  /** Calls kept in the log, oldest dropped first. Default: 1000. */
  readonly maxCalls?: number
  /**
   * Who runs 3DS. `merchant`: status shows each step in `tds_status`, and the merchant uploads its result. `gateway`: status
   * shows `html` and `redirect-to`, and the customer comes back to `redirect_url`. Default: `merchant`.
   */
  readonly threeDSecure?: 'merchant' | 'gateway'
  /**
   * Answers clients that do not ask for JSON form-encoded, refusals with HTTP 200, as gateways of this kind do for older
   * clients. Default: false, they are refused (section 4).
   */
  readonly formReplies?: boolean
  /**
   * Errors echo the merchant's order id, and those about an order that exists the gateway's, as the public documents have
   * it. Default: false, they carry neither. A client has to take both for the refusal of a change.
   */
  readonly errorsEchoIds?: boolean
  /** Outcomes that are always planned, a reset notwithstanding: by amount, say. Default: none. */
  readonly outcomes?: readonly OutcomePlan[]
  /** Several merchants, in place of the options of one: login, keys, endpoint, group and currency. */
  readonly merchants?: readonly MerchantOptions[]
  /** Orders kept, the oldest finished ones dropped first. Default: 100000. */
  readonly maxOrders?: number
  /** Operations of your own, by the name `handle` takes. The fake checks and logs them; `handle` answers them. */
  readonly operations?: Readonly<Record<string, AnyOperation>>
}

/** Options with every default filled in. */
export interface GatewaySettings {
  readonly merchants: readonly Merchant[]
  /** This and the next six are those of one merchant: of the first, or of the one whose request is answered. */
  readonly login: string
  readonly controlKey: string
  readonly publicKey: KeyObject
  readonly privateKey: string | undefined
  /** Undefined for a merchant who has groups only. */
  readonly endpointId: string | undefined
  readonly endpointGroupId: string | undefined
  /** Of the endpoint. */
  readonly currency: string | undefined
  readonly profile: WireProfile
  readonly prefix: string
  readonly seed: string
  readonly largeOrderIds: boolean
  readonly processingTime: number
  readonly strictFields: boolean
  readonly warn: (text: string) => void
  readonly allowCallbacksTo: 'loopback' | 'anywhere'
  readonly origin: string
  readonly maxBodyBytes: number
  readonly requestTimeout: number
  readonly maxCalls: number
  readonly maxOrders: number
  readonly outcomes: readonly OutcomePlan[]
  readonly threeDSecure: 'merchant' | 'gateway'
  readonly formReplies: boolean
  readonly errorsEchoIds: boolean
  readonly operations: Readonly<Record<string, AnyOperation>>
}

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
  largeOrderIds: true,
  processingTime: true,
  currency: true,
  strictFields: true,
  warn: true,
  allowCallbacksTo: true,
  origin: true,
  maxBodyBytes: true,
  requestTimeout: true,
  maxCalls: true,
  maxOrders: true,
  outcomes: true,
  merchants: true,
  threeDSecure: true,
  formReplies: true,
  errorsEchoIds: true,
  operations: true,
}

/**
 * Fills in defaults and checks what cannot work.
 *
 * @throws {TypeError} naming the option.
 */
export function readOptions(options: FakeGatewayOptions): GatewaySettings {
  const { prefix = '/paynet', processingTime = 0, maxOrders = 100_000 } = options
  const unknown = Object.keys(options).find(option => !Object.hasOwn(optionNames, option))
  if (unknown !== undefined) {
    throw new TypeError(`createFakeGateway has no option "${unknown}". It has: ${Object.keys(optionNames).join(', ')}.`)
  }
  if (!(processingTime >= 0)) {
    throw new TypeError(`"processingTime" is ${processingTime}; it is a number of milliseconds, 0 or more.`)
  }
  const { threeDSecure = 'merchant' } = options
  if (threeDSecure !== 'merchant' && threeDSecure !== 'gateway') {
    throw new TypeError(`"threeDSecure" is ${JSON.stringify(threeDSecure)}; it must be "merchant" or "gateway".`)
  }
  const { requestTimeout = 30_000 } = options
  if (!(requestTimeout > 0)) {
    throw new TypeError(`"requestTimeout" is ${requestTimeout}; it is a number of milliseconds above 0.`)
  }
  if (!(Number.isInteger(maxOrders) && maxOrders >= 1)) {
    throw new TypeError(`"maxOrders" is ${maxOrders}; it must be a whole number from 1 on.`)
  }
  const merchants = readMerchants(options.merchants === undefined ? [single(options)] : several(options))
  return Object.freeze({
    merchants,
    ...firstOf(merchants),
    profile: options.profile ?? defaultProfile,
    prefix: checkPrefix(prefix),
    seed: String(options.seed ?? 'tillkit'),
    largeOrderIds: options.largeOrderIds ?? false,
    processingTime,
    strictFields: options.strictFields ?? false,
    warn: onceEach(options.warn),
    allowCallbacksTo: options.allowCallbacksTo ?? 'loopback',
    origin: readOrigin(options.origin ?? `https://${defaultHost}`, 'origin'),
    maxBodyBytes: options.maxBodyBytes ?? 262_144,
    requestTimeout,
    maxCalls: options.maxCalls ?? 1000,
    maxOrders,
    outcomes: options.outcomes ?? [],
    threeDSecure,
    formReplies: options.formReplies ?? false,
    errorsEchoIds: options.errorsEchoIds ?? false,
    operations: { ...operations, ...options.operations },
  })
}

const merchantOptions = [
  'login',
  'controlKey',
  'publicKey',
  'privateKey',
  'endpointId',
  'endpointGroupId',
  'currency',
] as const satisfies readonly (keyof FakeGatewayOptions)[]

/** The options of one merchant as an entry of `merchants`. */
function single(options: FakeGatewayOptions): MerchantOptions {
  const {
    login = 'merchant',
    controlKey,
    publicKey,
    privateKey,
    endpointId = '39',
    endpointGroupId,
    currency,
  } = options
  return {
    login,
    ...(controlKey === undefined ? {} : { controlKey }),
    ...(publicKey === undefined ? {} : { publicKey }),
    ...(privateKey === undefined ? {} : { privateKey }),
    endpoints: [currency === undefined ? endpointId : { id: endpointId, currency }],
    groups: endpointGroupId === undefined ? [] : [endpointGroupId],
  }
}

function several(options: FakeGatewayOptions): readonly MerchantOptions[] {
  const both = merchantOptions.find(option => options[option] !== undefined)
  if (both === undefined) return options.merchants ?? []
  throw new TypeError(
    `"${both}" is an option of one merchant; with "merchants" each has its own. Leave one of them out.`,
  )
}

function firstOf([first]: readonly Merchant[]): MerchantSettings {
  if (first === undefined) throw new TypeError('"merchants" is empty.')
  return flatMerchant(first)
}

function checkPrefix(prefix: string): string {
  if (/^(\/[A-Za-z0-9._~-]+)+$/.test(prefix)) return prefix
  throw new TypeError(
    `"prefix" is ${JSON.stringify(prefix)}; it must be like "/paynet": a slash first, none last, and never empty, ` +
      'because the prefix is part of the signed address and leaving it out is the mistake to catch.',
  )
}

/** Tells of a text once, however often it comes. */
function onceEach(tell: FakeGatewayOptions['warn']): GatewaySettings['warn'] {
  const told = new Set<string>()
  return text => {
    if (tell === undefined || told.has(text)) return
    told.add(text)
    notify(() => tell(text))
  }
}
