import {
  type AskedSettlement,
  type AskInput,
  aCount,
  aFunction,
  askAndSettle,
  isSettled,
  needsPerson,
  nested,
  nextPause,
  type OptionCheck,
  type PollSchedule,
  startPace,
} from '@tillkit/protocol'
import { systemWait } from '../config/time.js'

/** How often to ask, while a customer waits. */
export interface Polling {
  /** Most questions. Default: 4. */
  readonly attempts?: number
  /** Milliseconds between two questions. Default: 1000. */
  readonly interval?: number
  /** Waits that many milliseconds. Default: a timer. */
  readonly wait?: (milliseconds: number) => Promise<void>
}

export const pollingOption: OptionCheck = nested<Polling>({
  attempts: aCount(),
  interval: aCount({ unit: 'milliseconds', least: 0 }),
  wait: aFunction,
})

/** Fills in the defaults. */
export function pollingOf({ attempts = 4, interval = 1000, wait = systemWait }: Polling = {}): Required<Polling> {
  return { attempts, interval, wait }
}

/** How to ask. */
export interface PollOptions extends Required<Polling> {
  /** Whether a settlement that settles nothing is worth stopping for. Default: never. */
  readonly until?: (settlement: AskedSettlement) => boolean
}

/** Asks until status settles it, a person must look, or the attempts are used up. @returns The last settlement. */
export async function pollStatus(input: AskInput, polling: PollOptions): Promise<AskedSettlement> {
  const { attempts, interval, wait, until = () => false } = polling
  const schedule: PollSchedule = [{ atLeast: interval, atMost: interval, times: attempts - 1 }]
  const random = () => 0
  let pace = startPace(input.clock())
  let settlement = await askAndSettle(input)
  while (!isSettled(settlement) && !needsPerson(settlement) && !until(settlement)) {
    const next = nextPause(pace, { schedule, now: input.clock(), random })
    if (next === undefined) break
    pace = next.pace
    await wait(next.pause)
    settlement = await askAndSettle({ ...input, order: settlement.order })
  }
  return settlement
}
