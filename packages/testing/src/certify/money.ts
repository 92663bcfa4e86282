/**
 * What the gateway has of an order's money.
 *
 * @module
 */
import { finalOutcome, readMinorUnits, type WireProfile } from '@tillkit/protocol'
import type { OrderView } from '../order-view.js'

/** Whether the gateway holds or has taken money for an order, after all that was given back. */
export function hasMoney({ stages, currency = '' }: OrderView, profile: WireProfile): boolean {
  const sum = (...names: readonly string[]): bigint =>
    stages
      .filter(({ stage, status }) => names.includes(stage) && finalOutcome(status, profile) === 'approved')
      .reduce((all, { amount }) => all + (amount === undefined ? 0n : readMinorUnits(amount, currency, profile)), 0n)
  const taken = sum('sale', 'capture')
  if (taken > 0n) return taken > sum('reversal', 'void', 'chargeback')
  return sum('preauth') > 0n && sum('void', 'cancel') === 0n
}

/** Whether every stage has ended: there is nothing more to find out. */
export const hasEndedAltogether = ({ stages }: OrderView): boolean => stages.every(({ final }) => final)
