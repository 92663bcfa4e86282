import {
  approvedKinds,
  isSettled,
  mayRepeat,
  moneyMoved,
  operations,
  type SettleInput,
  type Settlement,
  type StatusResponse,
  stageOf,
  type WireProfile,
} from '@tillkit/protocol'
import type { ExpectedPayment } from '../state/token.js'
import type { OutcomeView } from './options.js'

type Expected = SettleInput['expected']

/**
 * Gives what status has to show of the order that a customer comes back for: a stage that the form starts, over the price that it was
 * opened for.
 *
 * @returns Undefined where no reply would settle it: the state does not say for which price a form was opened that has one.
 */
export function expectedFor(expected: ExpectedPayment | undefined): Expected | undefined {
  if (expected === undefined) return undefined
  const { operation, amount, currency } = expected
  const { stages, takes } = operations[operation]
  if (stages.length === 0) return undefined
  if (amount !== undefined && currency !== undefined) return { stages, amount, currency }
  return takes?.amount === false ? { stages } : undefined
}

/** Lets a capture over the same price count for the hold that was expected: many shops capture as soon as a callback comes. */
export function expectedOf(reply: StatusResponse, expected: Expected, profile: WireProfile): Expected {
  const isCaptured = expected.stages.includes('preauth') && stageOf(reply, profile) === 'capture'
  return isCaptured ? { ...expected, stages: ['capture'] } : expected
}

/** The view of a settlement; `checking` without one. */
export function outcomeView(settlement: Settlement | undefined): OutcomeView {
  if (settlement === undefined || !isSettled(settlement)) return 'checking'
  const { stage } = settlement.stage
  // A capture that failed says nothing of the hold.
  if (settlement.kind !== 'approved') return mayRepeat(stage) ? 'checking' : 'declined'
  const moved = moneyMoved(stage)
  if (moved === 'unknown') return 'checking'
  const kind = approvedKinds[moved]
  // A return or a release is no answer to what a customer pays; a person looks.
  return kind === 'returned' || kind === 'released' ? 'checking' : kind
}
