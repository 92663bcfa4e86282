/**
 * Callbacks of an order, each with its deliveries: what is sent again is the same callback.
 *
 * @module
 */
import type { CallbackDelivery } from '@tillkit/testing'
import type { GatewayState } from '@tillkit/testing/gateway'

/** The deliveries of one callback, oldest first, never empty. */
export type Callback = readonly [CallbackDelivery, ...CallbackDelivery[]]

/** Groups the deliveries about an order by what they say and where they went, oldest callback first. */
export function callbacksOfOrder(
  orderId: string,
  { callbackSender }: Pick<GatewayState, 'callbackSender'>,
): readonly Callback[] {
  const callbacks = new Map<string, Callback>()
  for (const delivery of callbackSender.list()) {
    if (delivery.orderId !== orderId) continue
    const key = JSON.stringify([delivery.url, delivery.parameters])
    const before = callbacks.get(key)
    callbacks.set(key, before === undefined ? [delivery] : [...before, delivery])
  }
  return [...callbacks.values()]
}
