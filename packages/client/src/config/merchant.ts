import { type Endpoint, readEndpoint } from './addresses.js'
import { type Merchant, readCredentials } from './credentials.js'
import { unknownMerchantOption } from './option-names.js'
import type { Settings } from './settings.js'

/** What a merchant came to. */
export interface MerchantSettings {
  /** The client's settings with the merchant's login, keys and, where it names one, endpoint. */
  readonly settings: Settings
  /** Whether the endpoint is the client's although the login is not: the call must name one. */
  readonly lacksEndpoint: boolean
}

/** Merchants that were read before and what they were read from, by the object that was handed over. */
export type KnownMerchants = WeakMap<Merchant, MerchantSettings & { readonly from: Merchant }>

/**
 * The settings of a call for `merchant`. They are kept by object, so that a private key is read once; an object whose
 * properties have changed since is read anew.
 *
 * @throws {TypeError} naming the property in quotes. It never holds key material.
 */
export function settingsOf(merchant: Merchant, settings: Settings): MerchantSettings {
  if (typeof merchant !== 'object' || merchant === null) throw new TypeError('It is no object with "login" and keys.')
  const known = settings.merchants.get(merchant)
  if (known !== undefined && isSame(known.from, merchant)) return known
  const from = { ...merchant }
  const unknown = unknownMerchantOption(from)
  if (unknown !== undefined) throw new TypeError(unknown.problem)
  const credentials = readCredentials(from, settings.purpose)
  const endpoint = endpointOf(from)
  const read = {
    from,
    settings: { ...settings, ...credentials, endpoint: endpoint ?? settings.endpoint },
    lacksEndpoint: endpoint === undefined && credentials.login !== settings.login,
  }
  settings.merchants.set(merchant, read)
  return read
}

function endpointOf({ endpointId, endpointGroupId }: Merchant): Endpoint | undefined {
  if (endpointId === undefined && endpointGroupId === undefined) return undefined
  const endpoint = readEndpoint({ endpointId, endpointGroupId })
  if ('message' in endpoint) throw new TypeError(endpoint.message)
  return endpoint
}

const properties = ['login', 'controlKey', 'privateKey', 'endpointId', 'endpointGroupId'] as const

const isSame = (before: Merchant, now: Merchant): boolean => properties.every(name => before[name] === now[name])
