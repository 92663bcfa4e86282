import { quote, type ResolvedSigning } from '@tillkit/protocol'
import {
  type ControlItem,
  fromMinorUnits,
  importPublicKey,
  type Parameter,
  parseAuthorizationHeader,
  toMinorUnits,
  verifyAuthorization,
  verifyControlValue,
} from '@tillkit/signing'
import type { GatewayRequest } from '../http/message.js'
import { publicOAuthParameters, redactValue } from '../log/redact.js'
import { readAmount } from '../orders/order.js'
import { refuse } from '../replies/refusal.js'
import type { Fields, GatewayState } from '../state/gateway-state.js'
import { explainControlMismatch } from './explain-control.js'
import { explainSignatureMismatch } from './explain-signature.js'
import { staleTimestamp, timeNearest } from './replays.js'

interface SignedRequest {
  readonly request: GatewayRequest
  readonly signing: ResolvedSigning
  readonly parameters: readonly Parameter[]
  readonly fields: Fields
  /** Endpoint or endpoint group of the path. */
  readonly endpointId: string
  readonly gateway: GatewayState
}

/** A control value is checked at once, an OAuth signature takes a moment. */
export function checkSignature(signed: SignedRequest): Promise<void> | undefined {
  if (signed.signing.scheme !== 'control') return checkOAuth(signed, signed.signing.scheme)
  checkControl(signed, signed.signing.items)
  return undefined
}

function checkControl(signed: SignedRequest, items: readonly string[]): void {
  const { settings, signedEvidence } = signed.gateway
  const { controlKey, profile } = settings
  const field = profile.controlField.value
  const received = signed.parameters.find(([name]) => name === field)?.[1].trim()
  if (!received) {
    const { authorization } = signed.request.headers
    const oauth = authorization === undefined ? '' : ' An Authorization header does not count here.'
    const text = `There is no "${field}": this operation is signed with a control value (section 5.1).${oauth}`
    refuse('authentication', text)
  }
  const values = controlValues(signed, items)
  const encoding = profile.controlEncoding.value
  const verdict = verifyControlValue({ items, values, received, controlKeys: controlKey, encoding })
  if (verdict.kind === 'verified') return
  if (verdict.reason !== 'mismatch') refuse('authentication', verdict.explanation)
  const evidence = signedEvidence.find(received)
  const candidates = knownValues(signed)
  const mismatch = { items, values, expected: received, controlKey, evidence, candidates }
  const { text, compared } = explainControlMismatch(mismatch)
  refuse('authentication', text, compared)
}

/** What a request says for each control item. It is refused when its amount cannot be read. */
export function controlValues(
  { fields, endpointId, gateway }: Pick<SignedRequest, 'fields' | 'endpointId' | 'gateway'>,
  items: readonly string[],
): Record<string, string> {
  const { settings } = gateway
  const itemValue = (item: string): string => {
    if (item === 'endpointId') return endpointId
    if (item === 'login') return fields.login ?? settings.login
    if (item === 'clientOrderId') return fields.clientOrderId ?? settings.profile.absentClientOrderId.value
    if (item !== 'amount' || fields.amount === undefined) return fields[item] ?? ''
    const { amount, currency } = readAmount(fields, settings)
    const { minorUnits, currencyDigits } = settings.profile
    const text = fromMinorUnits(amount, currency, 'iso-4217', currencyDigits.value)
    return toMinorUnits(text, currency, minorUnits.value, currencyDigits.value)
  }
  return Object.fromEntries(items.map(item => [item, itemValue(item)]))
}

/** Most orders whose values are tried, the latest ones: every wrong control value costs a search through them. */
const searchedOrders = 500

/**
 * What an altered item may have been: the same item of this order, of other orders, the gateway's own settings. With values of
 * items that the operation does not have, the formula of another operation is recognized.
 */
function knownValues({ fields, gateway, endpointId }: SignedRequest) {
  const { settings, orders } = gateway
  const latest = orders.orders().slice(-searchedOrders).reverse()
  const { orderId, clientOrderId } = fields
  const own = latest.filter(order => order.orderId === orderId || order.clientOrderId === clientOrderId)
  const known = [...own, ...latest]
  const pool: Readonly<Partial<Record<ControlItem, readonly string[]>>> = {
    endpointId: [endpointId, ...settings.merchants.flatMap(({ endpoints }) => endpoints.map(({ id }) => id))],
    login: settings.merchants.map(merchant => merchant.login),
    clientOrderId: known.map(order => order.clientOrderId),
    orderId: known.map(order => order.orderId),
    // Not the amount as it is sent: in major units it is a mistake with a name and a fix of its own.
    amount: known.flatMap(order => order.stages.map(stage => String(stage.amount ?? ''))),
    currency: known.flatMap(order => order.currency ?? []),
    email: known.flatMap(order => order.email ?? []),
    cardRefId: orders.cardIds('cardRef').slice(-searchedOrders),
  }
  return Object.fromEntries(Object.entries(pool).map(([item, values]) => [item, [...new Set(values)]]))
}

async function checkOAuth(signed: SignedRequest, scheme: 'oauth-hmac-sha1' | 'oauth-rsa-sha256'): Promise<void> {
  const { settings, clock, nonces, signedEvidence } = signed.gateway
  const { method, url, headers } = signed.request
  const { authorization } = headers
  const { parameters } = signed
  const isHmac = scheme === 'oauth-hmac-sha1'
  const signatureMethod = isHmac ? 'HMAC-SHA1' : 'RSA-SHA256'
  const header = authorization === undefined ? undefined : parseAuthorizationHeader(authorization)
  const sent = new Map(header?.parameters ?? [])
  const other = sent.get('oauth_signature_method')
  if (other !== undefined && other !== signatureMethod) {
    refuse('authentication', `This operation is signed with ${signatureMethod}, the header says ${quote(other)}.`)
  }
  const consumerKey = sent.get('oauth_consumer_key')
  if (consumerKey !== undefined && consumerKey !== settings.login) {
    refuse('login', `"oauth_consumer_key" is ${quote(consumerKey)}; the login here is "${settings.login}".`)
  }
  const keyEncoding = settings.profile.hmacKeyEncoding.value
  const keys = isHmac
    ? { hmacSecrets: settings.controlKey, keyEncoding }
    : { publicKeys: [{ label: 'merchant', key: settings.publicKey() }] }
  const timestamp = Number(sent.get('oauth_timestamp'))
  const windowSeconds = settings.profile.oauthWindow.value
  const policy = { now: timeNearest(timestamp, clock), windowSeconds, nonces }
  const verdict = await verifyAuthorization({ method, url, parameters, authorization, keys, policy })
  if (verdict.kind === 'verified') return
  if (verdict.reason === 'stale-timestamp') {
    refuse('authentication', staleTimestamp(timestamp, windowSeconds, clock))
  }
  if (verdict.reason !== 'mismatch' || authorization === undefined) {
    const hint = authorization === undefined ? ` This operation is signed with ${signatureMethod} (section 5).` : ''
    refuse('authentication', `${verdict.explanation}${hint}`)
  }
  const signature = sent.get('oauth_signature') ?? ''
  const mask = (name: string, value: string): string =>
    publicOAuthParameters.has(name) ? value : redactValue([name, value], settings.redaction)
  const { text, compared } = explainSignatureMismatch({
    request: { method, url, parameters, authorization, mask },
    signatureMethod,
    ...(isHmac
      ? { keyName: 'the control key', key: { secrets: { consumerSecret: settings.controlKey, keyEncoding } } }
      : { keyName: 'the key pair', key: { publicKey: importPublicKey(settings.publicKey()) } }),
    evidence: signedEvidence.find(signature, encodeURIComponent(signature)),
  })
  refuse('authentication', text, compared)
}
