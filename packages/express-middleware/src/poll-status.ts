/**
 * Asks status a few times, while the customer waits.
 *
 * @module
 */
import {
  type AskedSettlement,
  type AskInput,
  askAndSettle,
  needsPerson,
  nextPause,
  type PollSchedule,
  startPace,
} from '@tillkit/protocol'

/** How often to ask. */
export interface Polling {
  /** Most questions. Default: 4. */
  readonly attempts?: number
  /** Milliseconds between two questions. Default: 1000. */
  readonly interval?: number
  /** Waits that many milliseconds. Default: a timer. */
  readonly wait?: (milliseconds: number) => Promise<void>
}

/** Asks until status settles it, a person must look, or the attempts are used up. @returns The last settlement. */
export async function pollStatus(input: AskInput, polling: Required<Polling>): Promise<AskedSettlement> {
  const { attempts, interval, wait } = polling
  const schedule: PollSchedule = [{ atLeast: interval, atMost: interval, times: attempts - 1 }]
  const random = () => 0
  let pace = startPace(input.clock())
  let settlement = await askAndSettle(input)
  while (!settlement.settled && !needsPerson(settlement)) {
    const next = nextPause(pace, { schedule, now: input.clock(), random })
    if (next === undefined) break
    pace = next.pace
    await wait(next.pause)
    settlement = await askAndSettle({ ...input, order: settlement.order })
  }
  return settlement
}
