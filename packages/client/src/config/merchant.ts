import { checkedLater, checkOptions, type OptionTable } from '@tillkit/protocol'
import { readEndpoint } from './addresses.js'
import { readCredentials } from './credentials.js'
import type { Merchant } from './options.js'
import type { Endpoint, MerchantSettings, Settings } from './settings.js'

const merchantTable: OptionTable<Merchant> = {
  endpointId: checkedLater,
  endpointGroupId: checkedLater,
  login: checkedLater,
  controlKey: checkedLater,
  privateKey: checkedLater,
}

/**
 * The settings of a call for `merchant`, see adr/0012. They are kept by object, so that a private key is read once; an object whose
 * properties have changed since is read anew.
 *
 * @throws {TypeError} naming the property in quotes. It never holds key material.
 */
export function settingsOf(merchant: Merchant, settings: Settings): MerchantSettings {
  if (typeof merchant !== 'object' || merchant === null) throw new TypeError('It is no object with "login" and keys.')
  const known = settings.merchants.get(merchant)
  if (known !== undefined && isSame(known.from, merchant)) return known
  const from = { ...merchant }
  checkOptions('a merchant', from, merchantTable)
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
