/**
 * Amounts of stages in major units.
 *
 * @module
 */
import { fromMinorUnits } from '@tillkit/signing'
import type { Order, Stage } from './transactions.js'

/** The amount of a stage with exactly the currency's digits; undefined where it has none. */
export function stageAmount(order: Order, stage: Stage): string | undefined {
  if (stage.amount === undefined || order.currency === undefined) return undefined
  return fromMinorUnits(stage.amount, order.currency)
}
