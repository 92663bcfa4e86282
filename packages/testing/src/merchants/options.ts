import type { KeyObject } from 'node:crypto'
import {
  type AnyOperation,
  aCount,
  aFlag,
  aFunction,
  checkedLater,
  checkOptions,
  defaultProfile,
  mustBe,
  notify,
  type OptionTable,
  oneOfWords,
  operations,
  type WireProfile,
} from '@tillkit/protocol'
import { defaultHost, readOrigin } from '../http/addresses.js'
import type { OutcomePlan } from '../orders/outcomes.js'
import type { FakeClock } from '../time/clock.js'
import { type MerchantOptions, readMerchants } from './merchants.js'
import { flatMerchant, type GatewaySettings } from './settings.js'

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
   * Called with the warnings of a request, such as fields that it lacks and public documents call required; once for each text.
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
  /** Outcomes that are planned from the start and again after each reset, for example by amount. Default: none. */
  readonly outcomes?: readonly OutcomePlan[]
  /** Several merchants, in place of the options of one: login, keys, endpoint, group and currency. */
  readonly merchants?: readonly MerchantOptions[]
  /** Orders kept, the oldest finished ones dropped first. Default: 100000. */
  readonly maxOrders?: number
  /**
   * Operations of your own, by the name that `handle` takes. The fake checks, logs and answers them as their rows say; `handle`
   * answers in its place.
   */
  readonly operations?: Readonly<Record<string, AnyOperation>>
}

const optionTable: OptionTable<FakeGatewayOptions> = {
  login: checkedLater,
  controlKey: checkedLater,
  endpointId: checkedLater,
  endpointGroupId: checkedLater,
  publicKey: checkedLater,
  privateKey: checkedLater,
  profile: checkedLater,
  prefix: mustBe(
    value => /^(\/[A-Za-z0-9._~-]+)+$/.test(String(value)),
    'like "/paynet": a slash first, none last, and never empty, because the prefix is part of the signed address and leaving ' +
      'it out is the mistake to catch',
  ),
  clock: checkedLater,
  seed: checkedLater,
  largeOrderIds: aFlag,
  processingTime: mustBe(value => Number(value) >= 0, 'a number of milliseconds, 0 or more'),
  currency: checkedLater,
  strictFields: aFlag,
  warn: aFunction,
  allowCallbacksTo: oneOfWords('loopback', 'anywhere'),
  origin: checkedLater,
  maxBodyBytes: aCount({ unit: 'bytes' }),
  requestTimeout: mustBe(value => Number(value) > 0, 'a number of milliseconds above 0'),
  maxCalls: aCount({ least: 0 }),
  maxOrders: aCount(),
  outcomes: checkedLater,
  merchants: checkedLater,
  threeDSecure: oneOfWords('merchant', 'gateway'),
  formReplies: aFlag,
  errorsEchoIds: aFlag,
  operations: checkedLater,
}

/**
 * Fills in defaults and checks what cannot work.
 *
 * @throws {TypeError} naming the option.
 */
export function readOptions(options: FakeGatewayOptions): GatewaySettings {
  checkOptions('createFakeGateway', options, optionTable)
  const merchants = readMerchants(options.merchants === undefined ? [single(options)] : several(options))
  const profile = options.profile ?? defaultProfile
  return Object.freeze({
    merchants,
    ...flatMerchant(merchants[0]),
    profile,
    redaction: {
      controlKeys: merchants.map(({ controlKey }) => controlKey),
      controlField: profile.controlField.value,
    },
    prefix: options.prefix ?? '/paynet',
    seed: String(options.seed ?? 'tillkit'),
    largeOrderIds: options.largeOrderIds ?? false,
    processingTime: options.processingTime ?? 0,
    strictFields: options.strictFields ?? false,
    warn: onceEach(options.warn),
    allowCallbacksTo: options.allowCallbacksTo ?? 'loopback',
    origin: readOrigin(options.origin ?? `https://${defaultHost}`, 'origin'),
    maxBodyBytes: options.maxBodyBytes ?? 262_144,
    requestTimeout: options.requestTimeout ?? 30_000,
    maxCalls: options.maxCalls ?? 1000,
    maxOrders: options.maxOrders ?? 100_000,
    outcomes: options.outcomes ?? [],
    threeDSecure: options.threeDSecure ?? 'merchant',
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
  const { login = 'merchant', endpointId = '39', endpointGroupId, currency } = options
  return {
    ...options,
    login,
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

/** Passes each text on once. */
function onceEach(tell: FakeGatewayOptions['warn']): GatewaySettings['warn'] {
  const told = new Set<string>()
  return text => {
    if (tell === undefined || told.has(text)) return
    told.add(text)
    notify(() => tell(text))
  }
}
