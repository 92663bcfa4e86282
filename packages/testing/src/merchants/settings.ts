import type { KeyObject } from 'node:crypto'
import type { AnyOperation, WireProfile } from '@tillkit/protocol'
import type { Redaction } from '../log/redact.js'
import type { OrderBook } from '../orders/order-book.js'
import type { OutcomePlan } from '../orders/outcomes.js'
import type { Merchant, MerchantEndpoint } from './merchants.js'

/** What of the settings differs between merchants: that of the first one, or of the one whose request is answered. */
export interface MerchantSettings {
  readonly login: string
  readonly controlKey: string
  readonly publicKey: KeyObject
  readonly privateKey: string | undefined
  /** Undefined for a merchant who has groups only. */
  readonly endpointId: string | undefined
  readonly endpointGroupId: string | undefined
  /** Of the endpoint. */
  readonly currency: string | undefined
}

/** Options with every default filled in. */
export interface GatewaySettings extends MerchantSettings {
  readonly merchants: readonly Merchant[]
  readonly profile: WireProfile
  /** What is taken out of everything that is logged or shown. */
  readonly redaction: Redaction
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

/** The settings for the merchant with this login; unchanged when there is no such merchant. */
export function settingsOfLogin(login: string, settings: GatewaySettings): GatewaySettings {
  if (login === settings.login) return settings
  const merchant = settings.merchants.find(each => each.login === login)
  return merchant === undefined ? settings : { ...settings, ...flatMerchant(merchant) }
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

/**
 * The gateway as one merchant meets it: with the keys of the merchant who has this endpoint, and without the orders and
 * cards of others. Unchanged where no merchant has the endpoint, so that the request is refused.
 */
export function merchantGateway<Gateway extends { readonly settings: GatewaySettings; readonly orders: OrderBook }>(
  { endpointId, group, row }: { readonly endpointId: string; readonly group: boolean; readonly row: AnyOperation },
  gateway: Gateway,
): Gateway {
  const { merchants, profile } = gateway.settings
  // Paths of some operations have no segment that tells a group from an endpoint.
  const mayBeGroup = profile.groupPath.value.without.includes(row.name)
  const isNamed = (endpoint: MerchantEndpoint): boolean =>
    endpoint.id === endpointId && (endpoint.group === group || (endpoint.group && mayBeGroup))
  const merchant = merchants.find(({ endpoints }) => endpoints.some(isNamed))
  const own = merchant === undefined ? undefined : flatMerchant(merchant, merchant.endpoints.find(isNamed))
  const settings = { ...gateway.settings, ...own }
  return { ...gateway, settings, orders: ownOrders(settings.login, gateway.orders) }
}

/** What one merchant sees of the orders and cards. */
function ownOrders(login: string, all: OrderBook): OrderBook {
  const key = (name: string): string => `${login}\n${name}`
  return {
    ...all,
    byOrderId(orderId) {
      const order = all.byOrderId(orderId)
      return order?.login === login ? order : undefined
    },
    byClientOrderId: clientOrderId => all.byClientOrderId(clientOrderId, login),
    storeCardRef: (cardRefId, card) => all.storeCardRef(key(cardRefId), card),
    cardRef: cardRefId => all.cardRef(key(cardRefId)),
    cardRefIds: () =>
      all.cardRefIds().flatMap(each => (each.startsWith(key('')) ? [each.slice(login.length + 1)] : [])),
    storeRecurringPayment: (id, card) => all.storeRecurringPayment(key(id), card),
    recurringPayment: id => all.recurringPayment(key(id)),
  }
}
