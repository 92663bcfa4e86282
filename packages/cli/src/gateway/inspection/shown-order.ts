/**
 * Orders as the control API and the dashboard show them: free text of the merchant's is redacted.
 *
 * @module
 */
import type { OrderView } from '@tillkit/testing'
import { type GatewayState, type Order, orderView, redactionOf, redactText } from '@tillkit/testing/gateway'

/** Texts that the merchant or the customer wrote; anything may be in them. */
const freeText = ['description', 'email', 'callbackUrl', 'notifyUrl', 'redirectUrl'] as const

/** Shows an order, free text redacted. */
export function shownOrder(order: Order, gateway: GatewayState): OrderView {
  const redaction = redactionOf(gateway.settings)
  const view = orderView(order, gateway)
  const texts = freeText.flatMap(name => {
    const text = view[name]
    return text === undefined ? [] : [[name, redactText(text, redaction)] as const]
  })
  const stages = view.stages.map(({ comment, ...stage }) =>
    comment === undefined ? stage : { ...stage, comment: redactText(comment, redaction) },
  )
  return { ...view, ...Object.fromEntries(texts), stages }
}

/** Finds an order by the gateway's id or by the merchant's. */
export const findShownOrder = (id: string, { orders }: Pick<GatewayState, 'orders'>): Order | undefined =>
  orders.byOrderId(id) ?? orders.byClientOrderId(id)
