/**
 * What is asked of an order, for the rules.
 *
 * @module
 */
import type { GatewayState } from '../fake/gateway-state.js'
import type { ChangeWish } from './rules.js'
import { stageAmount } from './stage-money.js'
import type { Order } from './transactions.js'

/** Puts together what the rules want to know. */
export function changeWish(
  order: Order,
  { amount, gateway }: { readonly amount: bigint | undefined; readonly gateway: GatewayState },
): ChangeWish {
  const { profile } = gateway.settings
  return {
    order,
    amount,
    now: gateway.clock.now(),
    profile,
    text: minor => stageAmount(order, { amount: minor }, profile) ?? String(minor),
  }
}
