/**
 * What rows mean.
 *
 * @module
 */
import type { Stored } from '@tillkit/protocol'
import type { PostgresRow } from './driver.js'

/** The document of a row; undefined for the row of a left join that found none. Drivers give a bigint as text, number or bigint. */
export const storedIn = (row: PostgresRow | undefined): Stored | undefined =>
  typeof row?.key === 'string' ? { key: row.key, version: Number(row.version), body: String(row.body) } : undefined

/** What the server's clock says, in milliseconds; it stands still where the server's goes back. */
export interface SeenClock {
  /** Takes up a reading, and gives the store's clock. */
  see(at: unknown): number
  /** The greatest reading so far. */
  readonly latest: number
}

export function seenClock(): SeenClock {
  let latest = 0
  return {
    see: at => {
      latest = Math.max(latest, Number(at))
      return latest
    },
    get latest() {
      return latest
    },
  }
}
