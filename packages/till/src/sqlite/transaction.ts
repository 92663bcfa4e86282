import type { Step, Value } from './worker/jobs.js'

/** A value that a handler may give to a statement: the till refuses others, for SQLite would keep something else. */
export type SqliteValue = string | number | bigint | boolean | null | Uint8Array

/** The transaction that `commit` hands to the merchant's work. */
export interface SqliteTransaction {
  /**
   * Takes one statement, to be executed together with our document once the work resolves: before that it has no effect, and
   * it gives no rows. Values are bound, never spliced. A whole number is bound as an integer, true and false as 1 and 0.
   *
   * @example
   * ```ts
   * await transaction.run`update orders set state = ${'paid'} where id = ${7}`
   * ```
   * @throws {TypeError} For a value that SQLite cannot keep as it is, for more than one statement, and for a statement that begins
   * or ends a transaction. The commit then fails as well.
   */
  run(statement: TemplateStringsArray, ...values: readonly SqliteValue[]): Promise<void>
  /**
   * The same for a statement that a query builder made: its text with a `?` for each value, and the values.
   *
   * @example
   * ```ts
   * await transaction.run(kysely.updateTable('orders').set({ state }).where('id', '=', 7).compile())
   * ```
   */
  run(query: { readonly sql: string; readonly parameters: readonly unknown[] }): Promise<void>
}

/** Collects the statements of one `commit` until `end`. */
export function collect() {
  const steps: Step[] = []
  let isOver = false
  let problem: unknown
  const transaction: SqliteTransaction = {
    async run(statement: TemplateStringsArray | Query, ...values: readonly SqliteValue[]) {
      if (isOver) throw new TypeError('transaction.run came after its work was over: await it inside the work.')
      try {
        steps.push(stepOf(queryOf(statement, values)))
      } catch (error) {
        problem ??= error
        throw error
      }
    },
  }
  return {
    transaction,
    /** @throws What was wrong with a statement, even where the work did not wait for it. */
    end(): readonly Step[] {
      isOver = true
      if (problem !== undefined) throw problem
      return steps
    },
  }
}

type Query = Parameters<SqliteTransaction['run']>[0]

/** A text alone is refused: values would have been spliced into it. */
function queryOf(statement: TemplateStringsArray | Query, values: readonly SqliteValue[]): Query {
  if (Array.isArray((statement as Partial<TemplateStringsArray> | undefined)?.raw))
    return { sql: (statement as TemplateStringsArray).join('?'), parameters: values }
  const { sql, parameters } = Object(statement)
  if (typeof sql === 'string' && Array.isArray(parameters)) return { sql, parameters }
  throw new TypeError(
    'transaction.run is a template tag: write transaction.run`…`, without brackets. ' +
      'In brackets it takes what a query builder made: { sql, parameters }.',
  )
}

function stepOf({ sql, parameters: values }: Query): Step {
  const bare = sql.replace(quoted, ' ')
  const first = bare.trim().split(/\W/, 1)[0]?.toLowerCase() ?? ''
  if (first === '') throw new TypeError('transaction.run was given an empty statement.')
  if (ownTransaction.includes(first)) {
    throw new TypeError(`transaction.run cannot run ${first.toUpperCase()}: the store begins and ends the transaction.`)
  }
  if (/;\s*\S/.test(bare)) throw new TypeError('transaction.run takes one statement: call it once for each.')
  if (bare.split('?').length - 1 !== values.length || /(?<![\w$])[:@$]\w/.test(bare)) {
    throw new TypeError(
      'transaction.run: write each value in dollar and braces, outside of quotes, and no placeholder of your own.',
    )
  }
  return { sql, values: values.map(bound) }
}

/** Strings, quoted names and comments: what is in them is not part of a statement's structure. */
const quoted = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g

const ownTransaction = [
  'begin',
  'commit',
  'end',
  'rollback',
  'savepoint',
  'release',
  'pragma',
  'attach',
  'detach',
  'vacuum',
]

/** A driver binds every number as REAL, which a text column keeps as `5.0`; libsql ends the process on a boolean. */
function bound(value: unknown, index: number): Value {
  if (value === null || value instanceof Uint8Array) return value
  if (typeof value === 'boolean') return value ? 1n : 0n
  if (typeof value === 'number' && Number.isFinite(value)) return Number.isSafeInteger(value) ? BigInt(value) : value
  if (typeof value === 'bigint' && BigInt.asIntN(64, value) === value) return value
  if (typeof value === 'string' && !/[\0\p{Surrogate}]/u.test(value)) return value
  const found =
    typeof value === 'string' ? 'text with a NUL or half of a surrogate pair' : `a value of type ${typeof value}`
  const cure = value === undefined ? ' Write `value ?? null` for what may be missing.' : ''
  throw new TypeError(`transaction.run cannot bind value ${index + 1}: ${found} is not kept as it is.${cure}`)
}
