/**
 * What is asked of an order, for the rules.
 *
 * @module
 */
import { fromMinorUnits } from '@tillkit/signing'
import type { GatewayState } from './gateway-state.js'
import type { ChangeWish } from './rules.js'
import type { Order } from './transactions.js'

/** Puts together what the rules want to know. */
export function changeWish(
  order: Order,
  { amount, gateway }: { readonly amount: bigint | undefined; readonly gateway: GatewayState },
): ChangeWish {
  return {
    order,
    amount,
    now: gateway.clock.now(),
    profile: gateway.settings.profile,
    text: minor => (order.currency === undefined ? String(minor) : fromMinorUnits(minor, order.currency)),
  }
}
