/**
 * Reads the meaning of rows.
 *
 * @module
 */
import { describeValue } from '@tillkit/protocol'
import type { Stored } from '../store/store.js'
import type { PostgresRow } from './driver.js'

/** The document of a row; undefined for the row of a left join that found none. Drivers give a bigint as text, number or bigint. */
export const storedIn = (row: PostgresRow | undefined): Stored | undefined =>
  typeof row?.key === 'string'
    ? { key: row.key, version: Number(row.version), writeId: String(row.write_id), body: String(row.body) }
    : undefined

/** The time of the server's clock, in milliseconds; it stands still where the server's goes back. */
export interface SeenClock {
  /** Takes up a reading, and gives the store's clock. @throws {Error} for what is no time: the driver changed the row. */
  see(at: unknown): number
  /** The greatest reading so far. */
  readonly latest: number
}

export function seenClock(): SeenClock {
  let latest = 0
  return {
    see: at => {
      const now = Number(at ?? Number.NaN)
      if (!Number.isSafeInteger(now))
        throw new Error(`The driver gave ${describeValue(at)} in place of the server's time.`)
      latest = Math.max(latest, now)
      return latest
    },
    get latest() {
      return latest
    },
  }
}
