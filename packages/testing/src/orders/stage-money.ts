/**
 * Amounts of stages in major units.
 *
 * @module
 */
import type { WireProfile } from '@tillkit/protocol'
import { fromMinorUnits } from '@tillkit/signing'
import type { Order, Stage } from './transactions.js'

/** The amount of a stage with exactly the currency's digits, those of the profile first; undefined where it has none. */
export function stageAmount(
  { currency }: Pick<Order, 'currency'>,
  { amount }: Pick<Stage, 'amount'>,
  profile: Pick<WireProfile, 'currencyDigits'>,
): string | undefined {
  if (amount === undefined || currency === undefined) return undefined
  return fromMinorUnits(amount, currency, 'iso-4217', profile.currencyDigits.value)
}
