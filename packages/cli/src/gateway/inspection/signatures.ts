import { type AnyOperation, resolveSigning } from '@tillkit/protocol'
import { InvalidInputError, type Parameter, percentEncode } from '@tillkit/signing'
import { explainControl, explainSignature } from '@tillkit/signing/explain'
import type { Call, CallbackDelivery } from '@tillkit/testing'
import {
  controlValues,
  type Fields,
  findRoute,
  type GatewayState,
  merchantGateway,
  RefusedRequest,
  readFields,
  settingsOfLogin,
} from '@tillkit/testing/gateway'

/** What a signature covers, card data masked and the control key hidden. */
export interface SignatureView {
  readonly scheme: 'control' | 'oauth-hmac-sha1' | 'oauth-rsa-sha256'
  /** Control items, or parameters in the order they are covered. */
  readonly covered: readonly { readonly name: string; readonly value: string }[]
  /** What is digested or signed: the items joined, or the base string. Absent where an item cannot be read. */
  readonly text?: string
}

/**
 * Takes the signature of a logged request apart.
 *
 * @returns undefined where nothing can be said: the path belongs to no operation, or the header is no OAuth header.
 */
export function callSignature(call: Call, gateway: GatewayState): SignatureView | undefined {
  const { operations, profile } = gateway.settings
  const row = call.operation === undefined ? undefined : operations[call.operation]
  if (row === undefined) return undefined
  const signing = resolveSigning(row, profile)
  if (signing.scheme !== 'control') return oauthView(call, signing.scheme)
  return controlView(call, { row, items: signing.items }, gateway)
}

function controlView(
  call: Call,
  { row, items }: { readonly row: AnyOperation; readonly items: readonly string[] },
  all: GatewayState,
): SignatureView {
  const route = findRoute(call.path, all.settings)
  const gateway = route.kind === 'operation' ? merchantGateway(route, all) : all
  const { controlKey, profile } = gateway.settings
  const scheme = 'control'
  const fields = readFields(call.fields, { row, profile })
  const endpointId = call.path.split('/').at(-1) ?? ''
  try {
    const values = controlValues({ fields, endpointId, gateway }, items)
    const laidOut = explainControl({ items, values, controlKey })
    return { scheme, covered: laidOut.items, text: laidOut.controlString }
  } catch (error) {
    if (!(error instanceof RefusedRequest || error instanceof InvalidInputError)) throw error
    const known: Fields = { endpointId, login: gateway.settings.login, ...fields }
    return { scheme, covered: items.map(name => ({ name, value: known[name] ?? '' })) }
  }
}

/** The request of a call as its OAuth signature covers it, redacted; undefined when it had no OAuth header. */
export function oauthRequest({ oauth, path, fields }: Call) {
  if (oauth === undefined) return undefined
  const url = new URL(`${oauth.origin}${path}`)
  return { method: 'POST', url, parameters: fields, authorization: writeHeader(oauth.parameters) }
}

function oauthView(call: Call, scheme: 'oauth-hmac-sha1' | 'oauth-rsa-sha256') {
  const request = oauthRequest(call)
  if (request === undefined) return undefined
  const { parameters, baseString } = explainSignature(request)
  return { scheme, covered: parameters.map(({ name, value }) => ({ name, value })), text: baseString }
}

const writeHeader = (parameters: readonly Parameter[]): string =>
  `OAuth ${parameters.map(([name, value]) => `${percentEncode(name)}="${percentEncode(value)}"`).join(', ')}`

/** Takes the control value of a callback apart. */
export function callbackSignature(
  { parameters, orderId }: CallbackDelivery,
  { settings, orders }: Pick<GatewayState, 'settings' | 'orders'>,
): SignatureView {
  const { controlKey, profile } = settingsOfLogin(orders.byOrderId(orderId)?.login ?? '', settings)
  const names = profile.callbackParameters.value
  const items: readonly string[] = profile.callbackItems.value
  const sent = new Map(parameters)
  const clientOrderId = names.clientOrderId.map(name => sent.get(name)).find(value => value !== undefined) ?? ''
  const values = {
    status: sent.get(names.status) ?? '',
    orderId: sent.get(names.orderId) ?? '',
    clientOrderId,
    merchantOrderId: clientOrderId,
  }
  const laidOut = explainControl({ items, values, controlKey })
  return { scheme: 'control', covered: laidOut.items, text: laidOut.controlString }
}
