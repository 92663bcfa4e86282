import { type Page, StoreError } from '../store/store.js'
import type { PostgresQuery } from './driver.js'
import { readError } from './errors.js'
import { storedIn } from './rows.js'
import type { Statements } from './statements.js'

/** The options with which a page is asked for. */
interface PageOptions {
  readonly list?: string
  readonly after?: string
  readonly limit: number
}

/**
 * Reads pages. Each begins behind the last document of the one before, by when that entered its list and by its key: what
 * enters or leaves meanwhile moves no other document to another page.
 */
export function pageReader(read: PostgresQuery, statements: Statements): (options: PageOptions) => Promise<Page> {
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
