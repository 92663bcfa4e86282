import {
  type AnyOperation,
  aCount,
  aFlag,
  aFunction,
  anObjectWith,
  aProfile,
  aText,
  checkedLater,
  mustBe,
  type OptionTable,
  oneOfWords,
  type WireProfile,
} from '@tillkit/protocol'
import type { Fault } from '../faults/faults.js'
import type { OutcomePlan } from '../orders/outcomes.js'
import type { FakeClock } from '../time/clock.js'
import type { EndpointIdOption, MerchantOptions } from './merchants.js'

/** How the fake gateway is set up. Everything has a default. */
export interface FakeGatewayOptions
  extends Pick<MerchantOptions, 'orderPage' | 'controlKey' | 'publicKey' | 'privateKey'> {
  /** Merchant login. Default: `merchant`. */
  readonly login?: string
  /** What customers read on the gateway's pages. Default: the login. */
  readonly merchantName?: string
  /** Merchant endpoint, a 64-bit integer. Default: `39`. */
  readonly endpointId?: EndpointIdOption
  /** Endpoint group, reached below the `group` segment of the path. Default: none. */
  readonly endpointGroupId?: EndpointIdOption
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
  /**
   * How long a customer may fill in a hosted form, in milliseconds. Afterwards the page says that it has ended, and status goes on to
   * say processing: no document says what a gateway says of a form that nobody filled in. Default: without end.
   */
  readonly formLifetime?: number
  /** The endpoint's only currency. Default: any of ISO 4217 and of the profile's `currencyDigits`. */
  readonly currency?: string
  /** Refuses a request without the fields that public documents call required. Default: false, a warning in the call log. */
  readonly strictFields?: boolean
  /**
   * Called with the warnings of a request, such as fields that it lacks and public documents call required, and with the address
   * where a callback was answered with 404 or not at all; once for each text. Default: they are in the logs only.
   * `useFakeGateway` prints them.
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
  /** Faults that are armed from the start and again after each reset. Default: none. */
  readonly faults?: readonly Fault[]
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

/** Refuses text such as '500': `time + '500'` joins texts. */
const isNumber = (value: unknown): value is number => typeof value === 'number'

export const optionTable: OptionTable<FakeGatewayOptions> = {
  login: checkedLater,
  merchantName: aText,
  orderPage: checkedLater,
  controlKey: checkedLater,
  endpointId: checkedLater,
  endpointGroupId: checkedLater,
  publicKey: checkedLater,
  privateKey: checkedLater,
  profile: aProfile,
  prefix: mustBe(
    value => /^(\/[A-Za-z0-9._~-]+)+$/.test(String(value)),
    'like "/paynet": a slash first, none last, and never empty, because the prefix is part of the signed address and leaving ' +
      'it out is the mistake to catch',
  ),
  clock: anObjectWith(['now', 'base', 'advance', 'schedule', 'wait', 'clear'], 'createFakeClock({ base })'),
  seed: mustBe(value => ['string', 'number'].includes(typeof value), 'a text or a number'),
  largeOrderIds: aFlag,
  processingTime: mustBe(value => isNumber(value) && value >= 0, 'a number of milliseconds, 0 or more'),
  formLifetime: mustBe(value => isNumber(value) && value > 0, 'a number of milliseconds above 0'),
  currency: checkedLater,
  strictFields: aFlag,
  warn: aFunction,
  allowCallbacksTo: oneOfWords('loopback', 'anywhere'),
  origin: checkedLater,
  maxBodyBytes: aCount({ unit: 'bytes' }),
  requestTimeout: mustBe(value => isNumber(value) && value > 0, 'a number of milliseconds above 0'),
  maxCalls: aCount({ least: 0 }),
  maxOrders: aCount(),
  outcomes: mustBe(Array.isArray, 'a list'),
  faults: mustBe(Array.isArray, 'a list'),
  merchants: mustBe(Array.isArray, 'a list'),
  threeDSecure: oneOfWords('merchant', 'gateway'),
  formReplies: aFlag,
  errorsEchoIds: aFlag,
  operations: checkedLater,
}
