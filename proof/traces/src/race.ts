/** Records races of eight processes on one store, and judges all of them together. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Engine, sqliteEngine } from '../../../packages/till/test/kills/engines.js'
import { type RaceOptions, race } from '../../../packages/till/test/till/eight/race.js'
import { linesIn, sharedClock } from './file.js'
import { loggedBy } from './gateway-lines.js'
import type { BookedLine, Line } from './lines.js'
import { byReference, type Trace, tracesOf } from './trace.js'

type Orders = Awaited<ReturnType<typeof race>>['orders']

/** Two clocks of one machine may differ by so much where one of them shows whole milliseconds. */
const slack = 3

/** How a race is run. */
export interface RecordingRace extends Pick<RaceOptions, 'payments' | 'kills'> {
  /** Default: a file of SQLite. */
  readonly open?: () => Promise<Engine>
}

/** Runs a race, and records it. */
export async function recordRace(
  seed: number,
  { payments, kills, open = async () => sqliteEngine() }: RecordingRace,
): Promise<readonly Trace[]> {
  const folder = mkdtempSync(join(tmpdir(), 'tillkit-traces-'))
  const engine = await open()
  try {
    const { orders, calls, kept } = await race(engine, {
      seed,
      ...(payments === undefined ? {} : { payments }),
      ...(kills === undefined ? {} : { kills, timeout: 1_000 }),
      traces: folder,
    })
    const own: readonly Line[] = [
      ...bookedLater(orders),
      ...calls.flatMap(loggedBy),
      ...kept.map(({ key, writeId, version, body }): Line => ({ line: 'kept', key, writeId, version, body })),
    ]
    return tracesOf([...linesIn(folder), ...own], { name: `race ${seed}`, slack, ...byReference })
  } finally {
    await engine.end()
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * The books of orders that nobody has corrected: each stage says when it was made, and when it ended.
 */
function bookedLater(orders: Orders): readonly BookedLine[] {
  const ahead = sharedClock() - 1_000 * Date.now()
  return orders.flatMap(({ orderId, clientOrderId, stages }) => {
    const moments = [...new Set(stages.flatMap(({ createdAt, finalAt }) => [createdAt, finalAt ?? createdAt]))]
    return moments
      .sort((one, other) => one - other)
      .map((now): BookedLine => {
        const then = stages
          .filter(({ createdAt }) => createdAt <= now)
          .map(({ stage, status, serialNumbers, amount, finalAt = Number.POSITIVE_INFINITY }) => ({
            stage,
            status: finalAt <= now ? status : 'processing',
            serialNumbers,
            ...(amount === undefined ? {} : { amount }),
          }))
        return { line: 'booked', t: 1_000 * now + ahead, now, orderId, clientOrderId, stages: then }
      })
  })
}
