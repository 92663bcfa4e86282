import type { Store } from '../store/store.js'
import type { PostgresQuery, PostgresRow } from './driver.js'
import { type SeenClock, storedIn } from './rows.js'
import type { Statements } from './statements.js'

/** The parts of the store that {@link readsTogether} works on. */
export interface ReadOptions {
  readonly read: PostgresQuery
  readonly statements: Pick<Statements, 'read'>
  readonly clock: SeenClock
}

/** Keys in one statement at most. A payment is below 64 kB. */
const mostKeys = 64

/** Reads of one turn, which are one statement at its end. */
interface Turn {
  readonly keys: Set<string>
  readonly rows: Promise<ReadonlyMap<unknown, PostgresRow>>
}

/**
 * Makes what reads documents. Those that are asked for in one turn of this process share a statement:
 * a payment and the marks of its till, and the payments of callers that were answered together.
 * The statement begins after each of them was asked for.
 */
export function readsTogether({ read, statements, clock }: ReadOptions): Store['read'] {
  let turn: Turn | undefined
  const begin = (): Turn => {
    const keys = new Set<string>()
    const rows = (async () => {
      await new Promise(resolve => setImmediate(resolve))
      if (turn?.keys === keys) turn = undefined
      const found = await read(statements.read, [JSON.stringify([...keys])])
      return new Map(found.map(row => [row.asked, row]))
    })()
    return { keys, rows }
  }
  return async key => {
    if (turn === undefined || turn.keys.size === mostKeys) turn = begin()
    turn.keys.add(key)
    const row = (await turn.rows).get(key)
    return { at: clock.see(row?.at), stored: storedIn(row) }
  }
}
