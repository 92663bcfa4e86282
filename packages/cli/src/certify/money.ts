/**
 * What the gateway has of an order's money.
 *
 * @module
 */
import { finalOutcome, readMinorUnits, type WireProfile } from '@tillkit/protocol'
import type { OrderView } from '@tillkit/testing'

/** Whether the gateway holds or has taken money for an order, after all that was given back. */
export function hasMoney({ stages, currency = '' }: OrderView, profile: WireProfile): boolean {
  const sum = (...names: readonly string[]): bigint =>
    stages
      .filter(({ stage, status }) => names.includes(stage) && finalOutcome(status, profile) === 'approved')
      .reduce((all, { amount }) => all + (amount === undefined ? 0n : readMinorUnits(amount, currency, profile)), 0n)
  const [sold, captured] = [sum('sale'), sum('capture')]
  // The void of a sale gives it back; that of a hold releases what was not captured.
  if (sold > 0n) return sold > sum('reversal', 'void', 'chargeback')
  if (captured > 0n) return captured > sum('reversal', 'chargeback')
  return sum('preauth') > sum('void', 'cancel')
}

/** Whether every stage has ended: there is nothing more to find out. */
export const hasEndedAltogether = ({ stages }: OrderView): boolean => stages.every(({ final }) => final)
