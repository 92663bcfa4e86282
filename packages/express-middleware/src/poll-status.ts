/**
 * Asks status a few times, while the customer waits.
 *
 * @module
 */
import { type AskedSettlement, type AskInput, askAndSettle } from '@tillkit/protocol'

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
  let settlement = await askAndSettle(input)
  for (let asked = 1; asked < polling.attempts && mayChange(settlement); asked += 1) {
    await polling.wait(polling.interval)
    settlement = await askAndSettle({ ...input, order: settlement.order })
  }
  return settlement
}

/** What a person must look at does not change by asking again. */
const final: readonly string[] = ['amount-differs', 'corrected', 'other-order']

function mayChange(settlement: AskedSettlement): boolean {
  return !settlement.settled && !final.includes(settlement.reason)
}
