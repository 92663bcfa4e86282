/**
 * The page that a customer has yet to fill in.
 *
 * @module
 */
import { formAddress, type GatewayState, latestStage, type Order, threeDSecureAddress } from '@tillkit/testing/gateway'

/**
 * Finds the address of the page that an order waits for.
 *
 * @returns undefined where there is none, or none that can be opened by itself: a bank's page takes what the shop posts.
 */
export function customerPage(order: Order, gateway: GatewayState): string | undefined {
  const { threeDSecure, verdict } = latestStage(order)
  if (threeDSecure?.step === 'gateway-run') {
    return threeDSecureAddress({ page: 'start', serverTransId: threeDSecure.serverTransId }, gateway)
  }
  const form = verdict === undefined ? gateway.orders.formOf(order.orderId) : undefined
  return form === undefined ? undefined : formAddress(form.token, gateway)
}
