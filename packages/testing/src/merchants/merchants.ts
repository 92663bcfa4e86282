import { createPublicKey, type KeyObject } from 'node:crypto'
import { quote, type WireProfile } from '@tillkit/protocol'
import { currencyDigits, importPrivateKey, importPublicKey, type KeyMaterial } from '@tillkit/signing'
import { testPrivateKey, testPublicKey } from '../fixtures/test-keys.js'
import { webAddress } from '../http/addresses.js'

/** An endpoint's id, a 64-bit integer. Pass a large one as a string or a bigint. */
export type EndpointIdOption = string | number | bigint

/** One merchant of a gateway that has several. */
export interface MerchantOptions {
  /** Also the OAuth consumer key. */
  readonly login: string
  /** What customers read on the gateway's pages. Default: the login. */
  readonly merchantName?: string
  /**
   * Address of the merchant's own page of an order, `{clientOrderId}` or `{orderId}` in it: the dashboard links to it. Default:
   * none.
   */
  readonly orderPage?: string
  /** Default: `testControlKey`, which is published and fit for tests only. */
  readonly controlKey?: string
  /**
   * Public half of the key pair: PEM, the bytes of a key file, a JSON Web Key or a `KeyObject`. Default: that of `privateKey`,
   * else that of the published test pair.
   */
  readonly publicKey?: KeyMaterial
  /** Private half, in the same forms, for the options of clients only. Default: that of the published test pair. */
  readonly privateKey?: KeyMaterial
  /** Each with its only currency, if it has one. No two merchants share an endpoint. */
  readonly endpoints?: readonly (EndpointIdOption | { readonly id: EndpointIdOption; readonly currency?: string })[]
  /** Endpoint groups, which take any currency. */
  readonly groups?: readonly EndpointIdOption[]
}

export interface MerchantEndpoint {
  readonly id: string
  readonly group: boolean
  /** The only one. Undefined where any currency is taken. */
  readonly currency: string | undefined
}

export type Merchant = ReturnType<typeof readMerchant>

/** Control key of a merchant that was given none. TEST ONLY: it is published. */
export const testControlKey = '3E6C2A0F-TEST-4D1B-9C55-0B1D5F0A7E21'

/** @throws {TypeError} naming the option that cannot work, and the merchant where there are several. */
export function readMerchants(
  merchants: readonly MerchantOptions[],
  profile: WireProfile,
): readonly [Merchant, ...Merchant[]] {
  const [first, ...others] = merchants.map(each => readMerchant(each, profile))
  if (first === undefined) throw new TypeError('"merchants" is empty. Leave it out for the one merchant "merchant".')
  const read = [first, ...others] as const
  const logins = read.map(({ login }) => login)
  const twice = logins.find((login, index) => logins.indexOf(login) !== index)
  if (twice !== undefined) throw new TypeError(`"merchants" has the login "${twice}" more than once.`)
  // Of a path without the group segment a group's id could be an endpoint's, so they share one set of ids.
  const ids = read.flatMap(({ endpoints }) => endpoints.map(({ id }) => id))
  const shared = ids.find((id, index) => ids.indexOf(id) !== index)
  if (shared !== undefined) throw new TypeError(`The endpoint or group "${shared}" is there more than once.`)
  return read
}

function readMerchant(options: MerchantOptions, profile: WireProfile) {
  const { login, merchantName = login, orderPage, controlKey = testControlKey, endpoints = [], groups = [] } = options
  for (const [option, value] of Object.entries({ login, controlKey })) {
    if (typeof value !== 'string') throw new TypeError(`"${option}" is of type ${typeof value}; it must be a text.`)
  }
  if (login === '') throw new TypeError('"login" is empty. Leave it out for "merchant".')
  if (controlKey === '') throw new TypeError('"controlKey" is empty: anyone can sign with an empty key.')
  if (
    orderPage !== undefined &&
    (webAddress(orderPage) === undefined || !/\{(clientOrderId|orderId)\}/.test(orderPage))
  ) {
    throw new TypeError(
      `"orderPage" is "${orderPage}"; it must be an http or https address with {clientOrderId} or {orderId} in it.`,
    )
  }
  const read: readonly MerchantEndpoint[] = [
    ...endpoints.map(each => {
      const { id, currency } = typeof each === 'object' ? each : { id: each, currency: undefined }
      if (currency !== undefined && currencyDigits(currency, profile.currencyDigits.value) === undefined) {
        throw new TypeError(
          `"currency" is ${quote(String(currency))} for the endpoint ${id} of "${login}", no ISO 4217 code such as "EUR", ` +
            `and the profile's "currencyDigits" do not have it.`,
        )
      }
      return { id: readEndpointId('endpointId', id), group: false, currency }
    }),
    ...groups.map(id => ({ id: readEndpointId('endpointGroupId', id), group: true, currency: undefined })),
  ]
  if (read.length === 0) throw new TypeError(`The merchant "${login}" has no endpoint: set "endpoints" or "groups".`)
  const privateKey = options.privateKey === undefined ? undefined : readPrivateKey(options.privateKey)
  return Object.freeze({
    login,
    merchantName,
    orderPage,
    controlKey,
    publicKey: publicKeyOf(options.publicKey ?? (privateKey && createPublicKey(privateKey))),
    privateKey: privateKey ?? (options.publicKey === undefined ? testPrivateKey : undefined),
    endpoints: read,
  })
}

/** Reads a key that was given at once, and the published one when it is asked for first: few gateways ever need it. */
function publicKeyOf(given: KeyMaterial | undefined): () => KeyObject {
  let read = given === undefined ? undefined : importPublicKey(given).key
  return () => {
    read ??= importPublicKey(testPublicKey).key
    return read
  }
}

/** @returns PKCS#8 PEM, which every client takes; the text itself where it is text. */
function readPrivateKey(privateKey: KeyMaterial): string {
  try {
    const { key } = importPrivateKey(privateKey)
    return typeof privateKey === 'string' ? privateKey : key.export({ type: 'pkcs8', format: 'pem' }).toString()
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : ''
    throw new TypeError(`"privateKey" cannot be read. ${why}`, { cause })
  }
}

/** Whether `text` is an endpoint id: a whole number from 0 to 2^63 - 1 without leading zeros. */
export const isEndpointId = (text: string): boolean => /^(0|[1-9]\d{0,18})$/.test(text) && BigInt(text) < 2n ** 63n

function readEndpointId(option: string, value: EndpointIdOption): string {
  const text = String(value)
  if (isEndpointId(text) && (typeof value !== 'number' || Number.isSafeInteger(value))) return text
  throw new TypeError(`"${option}" is ${text}; it must be a 64-bit integer. Pass a large one as a string or a bigint.`)
}
