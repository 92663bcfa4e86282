import {
  type AnyOperation,
  checkOptions,
  defaultProfile,
  notify,
  operations,
  type WireProfile,
} from '@tillkit/protocol'
import { defaultHost, readOrigin } from '../http/addresses.js'
import type { Redaction } from '../log/redact.js'
import type { OrderBook } from '../orders/order-book.js'
import { type Merchant, type MerchantEndpoint, type MerchantOptions, readMerchants } from './merchants.js'
import { type FakeGatewayOptions, optionTable } from './options.js'

/** What of the settings differs between merchants: that of the first one, or of the one whose request is answered. */
interface MerchantSettings extends Omit<Merchant, 'endpoints'> {
  /** Undefined for a merchant who has groups only. */
  readonly endpointId: string | undefined
  readonly endpointGroupId: string | undefined
  /** Of the endpoint. */
  readonly currency: string | undefined
}

type CommonOptions = Omit<FakeGatewayOptions, keyof MerchantSettings | 'merchants' | 'clock' | 'seed'>

/** Options with every default filled in. */
export interface GatewaySettings extends MerchantSettings, Required<CommonOptions> {
  readonly merchants: readonly Merchant[]
  /** What is taken out of everything that is logged or shown. */
  readonly redaction: Redaction
  readonly seed: string
}

/** @throws {TypeError} naming the option that cannot work. */
export function readOptions(options: FakeGatewayOptions): GatewaySettings {
  checkOptions('createFakeGateway', options, optionTable)
  const profile = options.profile ?? defaultProfile
  const merchants = readMerchants(options.merchants === undefined ? [single(options)] : several(options), profile)
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
    formLifetime: options.formLifetime ?? Number.POSITIVE_INFINITY,
    strictFields: options.strictFields ?? false,
    warn: onceEach(options.warn),
    allowCallbacksTo: options.allowCallbacksTo ?? 'loopback',
    origin: readOrigin(options.origin ?? `https://${defaultHost}`, 'origin'),
    maxBodyBytes: options.maxBodyBytes ?? 262_144,
    requestTimeout: options.requestTimeout ?? 30_000,
    maxCalls: options.maxCalls ?? 1000,
    maxOrders: options.maxOrders ?? 100_000,
    outcomes: options.outcomes ?? [],
    faults: options.faults ?? [],
    threeDSecure: options.threeDSecure ?? 'merchant',
    formReplies: options.formReplies ?? false,
    errorsEchoIds: options.errorsEchoIds ?? false,
    operations: { ...operations, ...options.operations },
  })
}

const merchantOptions = [
  'login',
  'merchantName',
  'orderPage',
  'controlKey',
  'publicKey',
  'privateKey',
  'endpointId',
  'endpointGroupId',
  'currency',
] as const satisfies readonly (keyof FakeGatewayOptions)[]

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

/** Lays a merchant out flat. The endpoint is the merchant's first unless one is named. */
export function flatMerchant({ endpoints, ...own }: Merchant, endpoint?: MerchantEndpoint): MerchantSettings {
  const single = endpoint?.group === false ? endpoint : endpoints.find(({ group }) => !group)
  const group = endpoint?.group === true ? endpoint : endpoints.find(each => each.group)
  return {
    ...own,
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
 * Whether the path of an operation takes a group's id where section 4 shows the endpoint's. Paths of some operations have no segment
 * that tells them apart. Of the others the profile only assumes that they do.
 */
export function takesGroupInPlainPath(
  { name }: Pick<AnyOperation, 'name'>,
  { groupPath }: Pick<WireProfile, 'groupPath'>,
): 'always' | 'with-warning' | 'never' {
  if (groupPath.value.without.includes(name)) return 'always'
  return groupPath.assumed ? 'with-warning' : 'never'
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
  const mayBeGroup = takesGroupInPlainPath(row, profile) !== 'never'
  const isNamed = (endpoint: MerchantEndpoint): boolean =>
    endpoint.id === endpointId && (endpoint.group === group || (endpoint.group && mayBeGroup))
  const merchant = merchants.find(({ endpoints }) => endpoints.some(isNamed))
  const own = merchant === undefined ? undefined : flatMerchant(merchant, merchant.endpoints.find(isNamed))
  const settings = { ...gateway.settings, ...own }
  return { ...gateway, settings, orders: ownOrders(settings.login, gateway.orders) }
}

function ownOrders(login: string, all: OrderBook): OrderBook {
  const key = (name: string): string => `${login}\n${name}`
  return {
    ...all,
    byOrderId(orderId) {
      const order = all.byOrderId(orderId)
      return order?.login === login ? order : undefined
    },
    byClientOrderId: clientOrderId => all.byClientOrderId(clientOrderId, login),
    storeCard: (kind, id, card) => all.storeCard(kind, key(id), card),
    card: (kind, id) => all.card(kind, key(id)),
    cardIds: kind =>
      all.cardIds(kind).flatMap(each => (each.startsWith(key('')) ? [each.slice(login.length + 1)] : [])),
  }
}
