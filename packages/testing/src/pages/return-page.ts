import { orderNotification } from '../callbacks/signed-callback.js'
import { webAddress } from '../http/addresses.js'
import type { WrittenAnswer } from '../http/message.js'
import { hasEnded, isApproved, type Order } from '../orders/order.js'
import type { GatewayState } from '../state/gateway-state.js'
import { messagePage, postingPage } from './page.js'

/**
 * The address for success or for failure where the order has one, else the common one; that one also while the order is
 * open.
 */
function returnAddress(
  { stages: [stage], redirectUrl, redirectSuccessUrl, redirectFailUrl }: Order,
  now: number,
): string | undefined {
  if (!hasEnded(stage, now)) return redirectUrl
  return (isApproved(stage, now) ? redirectSuccessUrl : redirectFailUrl) ?? redirectUrl
}

/** Writes the return page. Without an address to return to it says that all is done. */
export function returnPage(order: Order, state: GatewayState): WrittenAnswer {
  // Written out in full: a browser would take "http:shop.example" for a page of the gateway.
  const to = webAddress(returnAddress(order, state.clock.now()))
  if (to === undefined) return messagePage(200, 'Done', 'You can close this page.')
  return postingPage({
    title: 'Back to the shop',
    heading: 'Thank you',
    text: 'You are on your way back to the shop.',
    to,
    fields: orderNotification('browserReturn', { order, stage: order.stages[0] }, state),
    button: 'Back to the shop',
  })
}

type PageHost = Pick<GatewayState, 'origin' | 'settings'>

export const formAddress = (token: string, { origin, settings }: PageHost): string =>
  `${origin()}${settings.prefix}/form/${token}`

/** Pages of 3DS: the 3DS method, the challenge, that of 3DS 1.0.2, and that of 3DS which the gateway runs. */
export type ThreeDSecurePageName = 'method' | 'challenge' | 'pareq' | 'start'

export const threeDSecureAddress = (
  { page, serverTransId }: { readonly page: ThreeDSecurePageName; readonly serverTransId: string },
  { origin, settings }: PageHost,
): string => `${origin()}${settings.prefix}/3ds/${page}/${serverTransId}`
