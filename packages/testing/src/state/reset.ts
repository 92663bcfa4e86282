import type { GatewayState } from './gateway-state.js'

/** Forgets orders, cards, calls, callbacks, handlers, and faults that no option armed. Identifiers and the clock go on. */
export function resetState(state: GatewayState): void {
  const { orders, lags, signedEvidence, log, journal, handlers, faults, outcomes, callbackSender, schedule } = state
  const memories = [orders, lags, signedEvidence, log, journal, handlers, outcomes, callbackSender, schedule]
  for (const memory of memories) memory.clear()
  faults.reset()
}

/**
 * Lists, one sentence each, requests to unknown paths, faults that never struck, outcomes that decided nothing and handlers that were
 * never asked.
 */
export const unhandled = ({ log, faults, outcomes, handlers }: GatewayState): readonly string[] => [
  ...log
    .list()
    .filter(({ operation }) => operation === undefined)
    .map(({ path, explanation }) => `- A request went to ${path}. ${explanation ?? ''}`),
  ...faults
    .armed()
    .filter(({ times }) => times !== undefined)
    .map(
      ({ fault, operation, times }) =>
        `- The fault "${fault}" is armed ${times} more time(s) for ${operation ?? 'any operation'}.`,
    ),
  ...outcomes
    .unused()
    .map(
      ({ outcome, operation, times }) =>
        `- The outcome "${outcome}" is planned ${times} more time(s) for ${operation ?? 'any operation'}.`,
    ),
  ...handlers.unused().map(operation => `- The handler of "${operation}" was never asked.`),
]
