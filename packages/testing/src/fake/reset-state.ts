import type { GatewayState } from './gateway-state.js'

/** Forgets orders, cards, calls, callbacks, handlers and faults. Identifiers and the clock go on. */
export function resetState({
  orders,
  signedEvidence,
  log,
  handlers,
  faults,
  outcomes,
  callbackSender,
  schedule,
}: GatewayState): void {
  for (const memory of [orders, signedEvidence, log, handlers, faults, outcomes, callbackSender, schedule])
    memory.clear()
}
