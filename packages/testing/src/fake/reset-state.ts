import type { GatewayState } from './gateway-state.js'

/** Forgets orders, cards, calls, callbacks, handlers and faults. Identifiers and the clock go on. */
export function resetState({ orders, ledger, log, handlers, faults, outcomes, courier, agenda }: GatewayState): void {
  for (const memory of [orders, ledger, log, handlers, faults, outcomes, courier, agenda]) memory.clear()
}
