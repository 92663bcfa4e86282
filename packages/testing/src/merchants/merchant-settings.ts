import type { Merchant, MerchantEndpoint } from './merchants.js'
import type { GatewaySettings } from './options.js'

/** What of the settings differs between merchants. */
export type MerchantSettings = Pick<
  GatewaySettings,
  'login' | 'controlKey' | 'publicKey' | 'privateKey' | 'endpointId' | 'endpointGroupId' | 'currency'
>

/** Lays a merchant out flat. The endpoint is the merchant's first unless one is named. */
export function flatMerchant(merchant: Merchant, endpoint?: MerchantEndpoint): MerchantSettings {
  const { login, controlKey, publicKey, privateKey, endpoints } = merchant
  const single = endpoint?.group === false ? endpoint : endpoints.find(({ group }) => !group)
  const group = endpoint?.group === true ? endpoint : endpoints.find(each => each.group)
  return {
    login,
    controlKey,
    publicKey,
    privateKey,
    endpointId: single?.id,
    endpointGroupId: group?.id,
    currency: (endpoint ?? single)?.currency,
  }
}

/** The settings for the merchant with this login; as they are when there is none. */
export function settingsOfLogin(login: string, settings: GatewaySettings): GatewaySettings {
  if (login === settings.login) return settings
  const merchant = settings.merchants.find(each => each.login === login)
  return merchant === undefined ? settings : { ...settings, ...flatMerchant(merchant) }
}

/** The settings for whoever has this endpoint or group; as they are when nobody has. */
export function settingsOfEndpoint(
  {
    endpointId,
    group,
    mayBeGroup,
  }: { readonly endpointId: string; readonly group: boolean; readonly mayBeGroup: boolean },
  settings: GatewaySettings,
): GatewaySettings {
  const known = byEndpoint(settings).get(endpointId)
  if (known === undefined || (known.group !== group && !(known.group && mayBeGroup))) return settings
  return known.settings
}

/**
 * The endpoint that takes an order: that of the path, or of a group the merchant's own for the currency, else the first one.
 * The group itself where the merchant has no endpoint, or the profile says that replies name it.
 */
export function endpointOfOrder(
  { endpointId, currency }: { readonly endpointId: string; readonly currency: string | undefined },
  { merchants, login, profile }: GatewaySettings,
): string {
  const endpoints = merchants.find(each => each.login === login)?.endpoints ?? []
  const isGroup = endpoints.some(each => each.group && each.id === endpointId)
  if (!isGroup || profile.repliedEndpoint.value === 'group') return endpointId
  const single = endpoints.filter(each => !each.group)
  const fitting = single.find(each => each.currency === currency) ?? single.find(each => each.currency === undefined)
  return (fitting ?? single[0])?.id ?? endpointId
}

type EndpointTable = ReadonlyMap<string, { readonly group: boolean; readonly settings: GatewaySettings }>

/** Kept for as long as the settings are: every request asks. */
const tables = new WeakMap<GatewaySettings, EndpointTable>()

function byEndpoint(settings: GatewaySettings): EndpointTable {
  const known = tables.get(settings)
  if (known !== undefined) return known
  const rows = settings.merchants.flatMap(merchant =>
    merchant.endpoints.map(endpoint => {
      const own: GatewaySettings = Object.freeze({ ...settings, ...flatMerchant(merchant, endpoint) })
      return [endpoint.id, { group: endpoint.group, settings: own }] as const
    }),
  )
  const table = new Map(rows)
  tables.set(settings, table)
  return table
}
