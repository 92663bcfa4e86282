/**
 * The control value of a callback taken apart.
 *
 * @module
 */
import { explainControl } from '@tillkit/signing/explain'
import type { CallbackDelivery } from '@tillkit/testing'
import { type GatewayState, settingsOfLogin } from '@tillkit/testing/gateway'
import type { SignatureView } from './call-signature.js'

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
