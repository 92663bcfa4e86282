import type { GatewayState } from './gateway-state.js'

/** Lists, one sentence each, requests to unknown paths, faults that never struck, outcomes that decided nothing and handlers that were never asked. */
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
