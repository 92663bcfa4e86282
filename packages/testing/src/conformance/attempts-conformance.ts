import { randomUUID } from 'node:crypto'
import type { AttemptsPort } from '@tillkit/protocol'
import { attemptsChecks } from './attempts-checks.js'
import { attemptMaker, runChecks } from './samples.js'

/** How a port is checked. */
export interface AttemptsConformanceOptions {
  /**
   * A second port on the same store, as another process has it. Default: the same one, and then two processes are not checked.
   */
  readonly another?: AttemptsPort
  /** How many reservations are asked for at once. Default: 16. */
  readonly concurrency?: number
  /** Makes the ids of this run differ from those of every other run on the same store. Default: a UUID. */
  readonly runId?: string
}

/**
 * Checks an attempts port: that of requests with one identity at most one is sent, that an order has one open change at a
 * time, that endings are kept, and all of that for two processes at once.
 *
 * It leaves about 200 attempts in the store.
 *
 * @returns What is wrong, the name of the check first; an empty list for a port that conforms.
 * @example
 * ```ts
 * expect(await attemptsConformance(portOf(pool), { another: portOf(otherPool) })).toEqual([])
 * ```
 */
export async function attemptsConformance(
  port: AttemptsPort,
  { another = port, concurrency = 16, runId = randomUUID() }: AttemptsConformanceOptions = {},
): Promise<readonly string[]> {
  const contextOf = (index: number) => ({ port, another, concurrency, make: attemptMaker(`${runId}/${index}`) })
  return runChecks(attemptsChecks, contextOf)
}
