import { type Entry, type Page, type Stored, StoreError, type TakeOptions, type WriteOptions } from '../store/store.js'
import type { Outcome, Work } from './connection.js'
import type { Row, Step } from './worker/jobs.js'

const columns = 'key, version, write_id, body'
const nextPlace = 'UPDATE tillkit_store SET since = max(since + 1, at * 1000)'
const place = '(SELECT since FROM tillkit_store)'

/** A document as it is. */
export const reading = (key: string): Work => ({
  kind: 'read',
  what: `The read of ${JSON.stringify(key)}`,
  steps: [{ sql: `SELECT ${columns} FROM tillkit_documents WHERE key = ?`, values: [key] }],
})

/** The statements that write an entry after another write, in one step that gives a row where it was written, after others. */
export function writingSteps(key: string, { body, due, list }: Entry, { after, id }: WriteOptions): Step[] {
  const entering: Step[] = list === null ? [] : [{ sql: nextPlace, values: [] }]
  if (after === undefined) {
    const sql = `INSERT INTO tillkit_documents (key, version, write_id, list, since, due, body)
      VALUES (?, 1, ?, ?, ${list === null ? 'NULL' : place}, ?, ?) ON CONFLICT (key) DO NOTHING RETURNING version`
    return [...entering, { sql, values: [key, id, list, due, body] }]
  }
  const since = list === null ? 'NULL' : `CASE WHEN list = ? THEN since ELSE ${place} END`
  const sql = `UPDATE tillkit_documents SET version = version + 1, write_id = ?, since = ${since}, list = ?, due = ?, body = ?
    WHERE key = ? AND write_id = ? RETURNING version`
  return [...entering, { sql, values: [id, ...(list === null ? [] : [list]), list, due, body, key, after] }]
}

/** A write, and the document as it is where another write left it. */
export const writing = (key: string, entry: Entry, options: WriteOptions): Work => ({
  kind: 'write',
  what: `The write of ${JSON.stringify(key)}`,
  steps: [
    ...writingSteps(key, entry, options),
    { sql: `SELECT ${columns} FROM tillkit_documents WHERE key = ?`, values: [key], otherwise: true },
  ],
})

/** A new date for a document that is as a write left it. */
export const postponing = (key: string, after: string, due: number): Work => ({
  kind: 'write',
  what: `The postponing of ${JSON.stringify(key)}`,
  cure: 'Repeat it: that changes nothing more.',
  steps: [{ sql: 'UPDATE tillkit_documents SET due = ? WHERE key = ? AND write_id = ?', values: [due, key, after] }],
})

/** The rows that are due at a moment, of keys that begin as they should. */
const dueAt = (moment: string, prefixes: readonly string[] | undefined) => ({
  from:
    `FROM tillkit_documents WHERE due <= ${moment}` +
    `${prefixes === undefined ? '' : ` AND (${prefixes.map(() => 'instr(key, ?) = 1').join(' OR ')})`}`,
  values: prefixes ?? [],
})

/** Whether anything is due: a round that finds nothing writes nothing. */
export function looking(now: number, { prefixes }: TakeOptions): Work {
  const { from, values } = dueAt('max(?, (SELECT at FROM tillkit_store))', prefixes)
  return {
    kind: 'read',
    what: 'The look for what is due',
    steps: [{ sql: `SELECT 1 AS found ${from} LIMIT 1`, values: [now, ...values] }],
  }
}

/** Takes the rows that are due on the clock of the file, the earliest or the latest first, and their new date. */
export function taking({ limit, hold, prefixes, latest = false }: TakeOptions): Work {
  const { from, values } = dueAt('(SELECT at FROM tillkit_store)', prefixes)
  const order = latest ? 'due DESC, key DESC' : 'due, key'
  const due = `${from} ORDER BY ${order} LIMIT CAST(? AS INTEGER)`
  const hide = `UPDATE tillkit_documents SET due = (SELECT at FROM tillkit_store) + CAST(? AS INTEGER)
    WHERE id IN (SELECT id ${due})`
  return {
    kind: 'write',
    what: 'The taking of what is due',
    cure: 'What it may have taken is due again after its hold.',
    steps: [
      { sql: `SELECT ${columns} ${due}`, values: [...values, limit] },
      { sql: hide, values: [hold, ...values, limit] },
    ],
  }
}

/** A page of a list by the time of entering, or of all by key, with one document more than wanted; and how many there are. */
export function listing(list: string | undefined, after: string | undefined, limit: number): Work {
  const what = list === undefined ? 'The list of all documents' : `The list ${JSON.stringify(list)}`
  const [cursor, on, values] =
    list === undefined ? ['key', [], []] : (['since', ['list = ?'], [list]] as [string, string[], string[]])
  const rest = after === undefined ? on : [...on, `${cursor} > ${list === undefined ? '?' : 'CAST(? AS INTEGER)'}`]
  const where = (conditions: readonly string[]) => (conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`)
  const page = `SELECT ${columns}, since FROM tillkit_documents ${where(rest)} ORDER BY ${cursor} LIMIT CAST(? AS INTEGER)`
  return {
    kind: 'read',
    what,
    steps: [
      { sql: page, values: [...values, ...(after === undefined ? [] : [after]), limit + 1] },
      { sql: `SELECT count(*) AS total FROM tillkit_documents ${where(on)}`, values },
    ],
  }
}

/** The page that {@link listing} found. */
export function pageOf({ rows }: Outcome, list: string | undefined, limit: number): Page {
  const [found = [], counted = []] = rows ?? []
  const items = found.slice(0, limit)
  const last = items.at(-1)
  const next = list === undefined ? last?.key : last?.since
  return {
    items: items.map(storedOf),
    total: Number(counted[0]?.total),
    next: found.length > limit ? String(next) : undefined,
  }
}

/** A row as a document. */
export function storedOf({ key, version, write_id: writeId, body }: Row): Stored {
  if (typeof key === 'string' && typeof version === 'number' && typeof writeId === 'string' && typeof body === 'string')
    return { key, version, writeId, body }
  throw new StoreError(
    'ERR_STORE_DOCUMENT',
    `The row of ${JSON.stringify(key)} in tillkit_documents holds other types than this library writes: something else wrote it.`,
  )
}
