/**
 * The page that takes the customer back to the shop: it posts what happened, signed, to the redirect address.
 *
 * @module
 */
import type { GatewayAnswer } from '../gateway-message.js'
import type { GatewayState } from '../gateway-state.js'
import { orderNotification } from '../order-notification.js'
import type { Order } from '../transactions.js'
import { webAddress } from '../web-address.js'
import { messagePage } from './page.js'
import { postingPage } from './posting-page.js'

/** Writes the return page. Without an address to return to it says that all is done. */
export function returnPage(order: Order, state: GatewayState): GatewayAnswer {
  // As a browser reads it: written as "http:shop.example" it would otherwise mean a page of the gateway's own.
  const to = webAddress(order.redirectUrl)
  if (to === undefined) return messagePage({ title: 'Done', text: 'You can close this page.', status: 200 })
  return postingPage({
    title: 'Back to the shop',
    heading: 'Thank you',
    text: 'You are on your way back to the shop.',
    to,
    fields: orderNotification('browserReturn', { order, stage: order.stages[0], state }),
    button: 'Back to the shop',
  })
}
