import { checkedLater, checkOptions, checkSchedule, type OptionCheck, type OptionTable } from '@tillkit/protocol'
import { commonTable } from '../config/call-options.js'
import type { AwaitOutcomeOptions } from './types.js'

const aDeadline: OptionCheck = deadline =>
  deadline === undefined || Number.isFinite(deadline)
    ? undefined
    : '"deadline" must be a time in milliseconds since the epoch, e.g. Date.now() + 60_000.'

const stepNames: OptionCheck = steps =>
  steps === undefined || (Array.isArray(steps) && steps.every(each => typeof each === 'string'))
    ? undefined
    : '"shownSteps" must be those of an earlier outcome, unchanged.'

/** Options of a call are checked with the question, which names the order. */
const waitTable: OptionTable<AwaitOutcomeOptions> = {
  deadline: aDeadline,
  schedule: checkedLater,
  signal: commonTable.signal,
  shownSteps: stepNames,
  endpointId: checkedLater,
  endpointGroupId: checkedLater,
  merchant: checkedLater,
  timeout: checkedLater,
  freshConnection: checkedLater,
}

/** The year 1973: what is before it was meant as a duration, or in seconds. A clock of a test may be anywhere. */
const earliestDate = 100_000_000_000

/** @param now Milliseconds since the epoch. @throws {TypeError} naming the option that is wrong. */
export function checkWaitOptions(options: AwaitOutcomeOptions, now: number): void {
  checkOptions('the wait', options, waitTable)
  const { deadline, schedule } = options
  if (deadline !== undefined && deadline > 0 && deadline < earliestDate && now >= earliestDate) {
    throw new TypeError(
      `"deadline" is ${deadline}: a duration, or a time in seconds? Give a time in milliseconds since the epoch, e.g. Date.now() + 60_000.`,
    )
  }
  if (schedule !== undefined) checkSchedule(schedule)
}
