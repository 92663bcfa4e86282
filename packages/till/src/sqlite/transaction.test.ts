import { describe, expect, it } from 'vitest'
import { collect, type SqliteTransaction, type SqliteValue } from './transaction.js'

async function stepsOf(work: (transaction: SqliteTransaction) => Promise<void>) {
  const collected = collect()
  await work(collected.transaction)
  return collected.end()
}

describe('transaction.run', () => {
  it('collects statements with their values in order', async () => {
    const steps = await stepsOf(async ({ run }) => {
      await run`insert into a values (${1}, ${'x'})`
      await run`delete from a where b = ${null};`
    })
    expect(steps).toEqual([
      { sql: 'insert into a values (?, ?)', values: [1n, 'x'] },
      { sql: 'delete from a where b = ?;', values: [null] },
    ])
  })

  it('leaves signs alone that stand in strings, names and comments', async () => {
    const steps = await stepsOf(
      ({ run }) => run`update a set "b;?" = 'it''s; what? :x' /* ; ? */ where c = ${1} -- commit; ?`,
    )
    expect(steps).toEqual([
      { sql: `update a set "b;?" = 'it''s; what? :x' /* ; ? */ where c = ? -- commit; ?`, values: [1n] },
    ])
  })

  // The text and the values are what Kysely 0.29.9 compiles to with its SqliteAdapter and SqliteQueryCompiler.
  it('takes what a query builder made, with the same rules', async () => {
    const sql = 'update "orders" set "state" = ?, "note" = \'?\' where "id" = ?'
    const steps = await stepsOf(({ run }) => run({ sql, parameters: ['paid', 7] }))
    expect(steps).toEqual([{ sql, values: ['paid', 7n] }])
    await expect(stepsOf(({ run }) => run({ sql, parameters: ['paid'] }))).rejects.toThrow('placeholder')
    await expect(stepsOf(({ run }) => run({ sql: 'commit', parameters: [] }))).rejects.toThrow('COMMIT')
    const parameters = [new Date(0), 7]
    await expect(stepsOf(({ run }) => run({ sql, parameters }))).rejects.toThrow('cannot bind value 1')
  })

  const refused: Readonly<Record<string, (transaction: SqliteTransaction) => Promise<void>>> = {
    'an end of the transaction': ({ run }) => run`  /* x */ COMMIT`,
    'a savepoint': ({ run }) => run`savepoint a`,
    'a pragma': ({ run }) => run`pragma foreign_keys = off`,
    'a second statement': ({ run }) => run`delete from a; delete from b`,
    'an empty one': ({ run }) => run` -- nothing`,
    'a value within quotes': ({ run }) => run`select '${'x'}'`,
    'a placeholder that is not a value': ({ run }) => run`select ?`,
    'a named placeholder': ({ run }) => run`select :name`,
    'a call with brackets': ({ run }) => run('select 1' as never),
    'a query of another shape': ({ run }) => run({ text: 'select 1', values: [] } as never),
    'a call without a statement': ({ run }) => run(undefined as never),
  }
  it.each(Object.entries(refused))('refuses %s', async (_, work) => {
    await expect(stepsOf(work)).rejects.toThrow(TypeError)
  })

  const unkept: readonly unknown[] = [
    undefined,
    Number.NaN,
    Infinity,
    2n ** 63n,
    'a\0b',
    '\ud800',
    {},
    [1],
    new Date(0),
    () => 1,
  ]
  it.each(unkept)('refuses the value %s', async value => {
    await expect(stepsOf(({ run }) => run`select ${value as SqliteValue}`)).rejects.toThrow('cannot bind value 1')
  })

  it('says what to write for what may be missing', async () => {
    const value = undefined as unknown as SqliteValue
    await expect(stepsOf(({ run }) => run`select ${1}, ${value}`)).rejects.toThrow(
      'transaction.run cannot bind value 2: a value of type undefined is not kept as it is. Write `value ?? null` for what may be missing.',
    )
  })

  it('refuses what comes after the work, which would be lost', async () => {
    const { transaction, end } = collect()
    end()
    await expect(transaction.run`select 1`).rejects.toThrow('await it inside the work')
  })
})
