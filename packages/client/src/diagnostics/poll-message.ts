/**
 * What the diagnostics channel says of one question for status.
 *
 * @module
 */
import { type AskedSettlement, type AwaitedOutcome, isAwaitedStage, isSettled, type WaitState } from '@tillkit/protocol'
import type { PollMessage } from './channels.js'

/** What came of a question. */
export interface PolledInput extends Pick<PollMessage, 'count' | 'nextIn'> {
  readonly settlement: AskedSettlement
  readonly outcome?: AwaitedOutcome
}

/** Describes a question without the order it was about. */
export function pollMessage({ expected }: WaitState, { count, settlement, outcome, nextIn }: PolledInput): PollMessage {
  return {
    stages: expected.stages.filter(isAwaitedStage),
    count,
    answer: isSettled(settlement) ? 'settled' : settlement.kind,
    ...(outcome === undefined ? {} : { outcome: outcome.kind }),
    ...(nextIn === undefined ? {} : { nextIn }),
  }
}
