/**
 * Reads the meaning of rows.
 *
 * @module
 */

import { describeValue } from '@tillkit/protocol'
import { type Store, type Stored, StoreError } from '../store/store.js'
import type { PostgresQuery, PostgresRow } from './driver.js'
import { readError } from './errors.js'
import type { Statements } from './statements.js'

/** The document of a row; undefined for the row of a left join that found none. Drivers give a bigint as text, number or bigint. */
export const storedIn = (row: PostgresRow | undefined): Stored | undefined =>
  typeof row?.key === 'string'
    ? { key: row.key, version: Number(row.version), writeId: String(row.write_id), body: String(row.body) }
    : undefined

/** The time of the server's clock, in milliseconds; it stands still where the server's goes back. */
export type SeenClock = ReturnType<typeof seenClock>

export function seenClock() {
  let latest = 0
  return {
    /** Takes up a reading, and gives the store's clock. @throws {Error} for what is no time: the driver changed the row. */
    see(at: unknown): number {
      const now = Number(at ?? Number.NaN)
      if (!Number.isSafeInteger(now))
        throw new Error(`The driver gave ${describeValue(at)} in place of the server's time.`)
      latest = Math.max(latest, now)
      return latest
    },
    /** The greatest reading so far. */
    get latest() {
      return latest
    },
  }
}

/** Keys in one statement at most. A payment is below 64 kB. */
const mostKeys = 64

/** Reads of one turn, which are one statement at its end. */
interface Turn {
  readonly keys: Set<string>
  readonly rows: Promise<ReadonlyMap<unknown, PostgresRow>>
}

/**
 * Makes what reads documents. Those that are asked for in one turn of this process share a statement: a payment and the marks of its
 * till, and the payments of callers that were answered together. The statement begins after each of them was asked for.
 */
export function readsTogether(read: PostgresQuery, statements: Statements, clock: SeenClock): Store['read'] {
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

/**
 * Reads pages. Each begins behind the last document of the one before, by when that entered its list and by its key: what
 * enters or leaves meanwhile moves no other document to another page.
 */
export function pageReader(read: PostgresQuery, statements: Statements): Store['list'] {
  return async ({ list, after, limit }) => {
    // One more than asked for shows whether there is a next page.
    const count = String(limit + 1)
    const rows =
      list === undefined
        ? await ask(statements.all, [after ?? '', count])
        : await ask(statements.listed, [list, ...placeOf(after), count])
    const items = rows.flatMap(row => storedIn(row) ?? [])
    const last = rows[limit - 1]
    const next = items.length <= limit ? undefined : list === undefined ? last?.key : `${last?.since}.${last?.key}`
    return {
      items: items.slice(0, limit),
      total: Number(rows[0]?.total),
      next: next === undefined ? undefined : String(next),
    }
  }

  function ask(text: string, parameters: readonly string[]) {
    return read(text, parameters).catch((error: unknown) => {
      throw readError('Reading a page of documents', error)
    })
  }
}

/** When a document entered its list, in microseconds, and its key. */
function placeOf(after: string | undefined): readonly [string, string] {
  if (after === undefined) return ['-1', '']
  const [, since, key] = /^(\d{1,18})\.(.+)$/s.exec(after) ?? []
  if (since !== undefined && key !== undefined) return [since, key]
  throw new StoreError('ERR_STORE_REFUSED', '"after" is not what "next" of a page of this list was.')
}
