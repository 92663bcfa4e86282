import {
  type Expectation,
  isSettled,
  mayRepeat,
  moneyMoved,
  operations,
  type Settlement,
  type StageName,
} from '@tillkit/protocol'
import type { ExpectedPayment } from '../state/token.js'
import type { OutcomeView } from './options.js'

/**
 * Gives what status has to show of the order that a customer comes back for: a stage that the form starts, over the price that it was
 * opened for. A hold that was captured meanwhile counts as well, for many shops capture as soon as a callback says so.
 *
 * @returns Undefined where no reply would settle it: the state does not say for which price a form was opened that has one.
 */
export function expectationFor(expected: ExpectedPayment | undefined): Expectation | undefined {
  if (expected === undefined) return undefined
  const { operation, amount, currency } = expected
  const { stages, takes } = operations[operation]
  if (stages.length === 0) return undefined
  const names: readonly StageName[] = stages
  const all = names.includes('preauth') ? [...names, 'capture'] : names
  if (amount !== undefined && currency !== undefined) return { stages: all, amount, currency }
  return takes?.amount === false ? { stages: all } : undefined
}

/** The view of a settlement; `checking` without one. */
export function outcomeView(settlement: Settlement | undefined): OutcomeView {
  if (settlement === undefined || !isSettled(settlement)) return 'checking'
  const { stage } = settlement.stage
  // A capture that failed says nothing of the hold.
  if (settlement.kind !== 'approved') return mayRepeat(stage) ? 'checking' : 'declined'
  const moved = moneyMoved(stage)
  return moved === 'unknown' ? 'checking' : views[moved]
}

/** A return or a release is no answer to what a customer pays; a person looks. */
const views = {
  captured: 'paid',
  held: 'held',
  none: 'verified',
  sent: 'sent',
  returned: 'checking',
  released: 'checking',
} as const satisfies Record<Exclude<ReturnType<typeof moneyMoved>, 'unknown'>, OutcomeView>
