import { randomUUID } from 'node:crypto'
import type { Inbox } from '@tillkit/protocol'
import { inboxChecks } from './inbox-checks.js'
import { runChecks } from './samples.js'

/** How an inbox is checked. */
export interface InboxConformanceOptions {
  /**
   * A second inbox on the same store, as another process has it. Default: the same one, and then two processes are not checked.
   */
  readonly another?: Inbox
  /** Lets that many milliseconds pass on the store's clock. Default: a timer; leases of the checks last 60 milliseconds. */
  readonly pass?: (milliseconds: number) => Promise<void>
  /** How many claims are asked for at once. Default: 16. */
  readonly concurrency?: number
  /** Makes the keys of this run differ from those of every other run on the same store. Default: a UUID. */
  readonly runId?: string
}

/**
 * Checks an inbox: that one holder at a time works on a key and one completes it, that a lease which is over holds no other
 * back and completes nothing once another has claimed the key, that an entry is listed until it is completed, and all of that
 * for two processes at once.
 *
 * It leaves about 40 keys in the store, and some entries that wait.
 *
 * @returns What is wrong, the name of the check first; an empty list for an inbox that conforms.
 * @example
 * ```ts
 * expect(await inboxConformance(inboxOf(pool), { another: inboxOf(otherPool) })).toEqual([])
 * ```
 */
export async function inboxConformance(
  inbox: Inbox,
  { another = inbox, pass = realTime, concurrency = 16, runId = randomUUID() }: InboxConformanceOptions = {},
): Promise<readonly string[]> {
  return runChecks(inboxChecks, index => ({ inbox, another, pass, concurrency, key: `${runId}/${index}` }))
}

const realTime = (milliseconds: number): Promise<void> => new Promise(resolve => setTimeout(resolve, milliseconds))
