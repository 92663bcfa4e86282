/**
 * The page that takes the customer back to the shop: it posts what happened, signed, to the redirect address.
 *
 * @module
 */
import type { GatewayAnswer } from '../gateway-message.js'
import type { GatewayState } from '../gateway-state.js'
import { orderNotification } from '../order-notification.js'
import type { Order } from '../transactions.js'
import { html } from './html.js'
import { messagePage, writePage } from './page.js'
import { submitScript } from './style.js'

/** Writes the return page. It submits itself, and has a button for browsers without scripts. */
export function returnPage(order: Order, state: GatewayState): GatewayAnswer {
  const { redirectUrl } = order
  if (redirectUrl === undefined) return messagePage({ title: 'Done', text: 'You can close this page.', status: 200 })
  // As a browser reads it: written as "http:shop.example" it would otherwise mean a page of the gateway's own.
  const { href, origin } = new URL(redirectUrl)
  const parameters = orderNotification('browserReturn', { order, stage: order.stages[0], state })
  const inputs = parameters.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">\n`)
  return writePage({
    title: 'Back to the shop',
    formOrigin: origin,
    body: html`<h1>Thank you</h1>
<p>You are on your way back to the shop.</p>
<form method="post" action="${href}">
${inputs}<button type="submit">Back to the shop</button>
</form>
<script>${{ html: submitScript }}</script>`,
  })
}
