import { isUnresolved, movesMoneyOfOrder } from '../../state/attempt-rules.js'
import type { KnownOrder } from '../../state/known.js'
import { hasEnded, shownAttempts } from '../orders/expected.js'

/**
 * Why a person is needed for a capture, return or void that was requested before a moment and was not answered: status cannot show that it
 * was never sent.
 *
 * @param before Milliseconds of the store's clock.
 */
export function changeTooLong(orders: readonly KnownOrder[], before: number): string | undefined {
  for (const order of orders) {
    const found = shownAttempts(order).find(
      ({ attempt, stage }) =>
        movesMoneyOfOrder(attempt) && isUnresolved(attempt) && !hasEnded(stage) && attempt.reservedAt <= before,
    )
    if (found !== undefined)
      return `It is not known what became of the ${found.attempt.operation} of order ${order.clientOrderId}. Ask the gateway whether it has it.`
  }
  return undefined
}
