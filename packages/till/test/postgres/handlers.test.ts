import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PostgresTransaction, postgresStore } from '../../src/postgres.js'
import { recordingDriver } from './support/drivers.js'
import { entry, errorOf, freshGround, type Ground } from './support/ground.js'

let ground: Ground
let table: string
beforeAll(async () => {
  ground = await freshGround()
  table = `"${ground.schema}".orders`
  await ground.admin.query(`create table ${table} (id text primary key, state text)`)
})
afterAll(() => ground.end())

const open = (max = 10) => postgresStore(ground.pool({ max }), { schema: ground.schema })
const orders = async (id: string) => (await ground.admin.query(`select state from ${table} where id = $1`, [id])).rows
const insert =
  (id: string) =>
  async ({ client }: PostgresTransaction<pg.PoolClient>) => {
    await client.query(`insert into ${table} values ($1, 'paid')`, [id])
  }

/** A promise, and what resolves it. */
function signal() {
  let give = () => {}
  const given = new Promise<void>(resolve => {
    give = resolve
  })
  return { give, given }
}

describe('commit', () => {
  it('makes values of a template parameters, never text', async () => {
    const store = open()
    const id = `'); drop table ${table}; --`
    await store.commit(
      'spliced',
      async ({ run }) => {
        await run`select set_config('search_path', ${ground.schema}, true)`
        await run`insert into orders (id, state) values (${id}, ${'a'}), (${'second'}, ${null})`
        expect(await run`select state from orders where id = ${id}`).toEqual([{ state: 'a' }])
      },
      () => entry('{}'),
    )
    expect(await orders(id)).toEqual([{ state: 'a' }])
    expect(await orders('second')).toEqual([{ state: null }])
  })

  it('does not hold up writes of its own document while the handler works, and finishes with what they wrote', async () => {
    const store = open()
    await store.write('busy', entry('{"n":1}'), { id: 'b1' })
    const seen: unknown[] = []
    const written = await store.commit(
      'busy',
      async transaction => {
        await insert('busy')(transaction)
        expect(await store.write('busy', entry('{"n":2}'), { after: 'b1', id: 'b2' })).toMatchObject({
          kind: 'written',
        })
        expect(await open().write('busy', entry('{"n":3}'), { after: 'b2', id: 'b3' })).toMatchObject({
          kind: 'written',
        })
      },
      current => {
        seen.push(current)
        return entry('{"n":4}')
      },
    )
    expect(seen).toEqual([{ key: 'busy', version: 3, writeId: 'b3', body: '{"n":3}' }])
    expect(written).toEqual({ kind: 'written', version: 4, at: expect.any(Number) })
    expect(await orders('busy')).toEqual([{ state: 'paid' }])
  })

  it.each(['a pool', 'a driver'])('names the statement of the handler at fault on %s, without its values', async on => {
    const { driver } = recordingDriver(ground.pool())
    const store = on === 'a pool' ? open() : postgresStore(driver, { schema: ground.schema })
    const work = async ({ run }: { readonly run: PostgresTransaction['run'] }) => {
      await run`update baskets
        set state = ${'secret'} where id = ${7}`
    }
    const error = await errorOf(store.commit('named', work, () => entry('{}')))
    // As PostgreSQL says it, with the code of its manual for an undefined table.
    expect(error).toMatchObject({
      code: '42P01',
      message:
        'relation "baskets" does not exist, in this statement of your handler: "update baskets set state = $1 where id = $2"',
    })
    expect(error.stack).toContain(error.message)
  })

  it('keeps what others wrote when it is rolled back', async () => {
    const store = open()
    const answer = await store.commit(
      'kept',
      async transaction => {
        await insert('kept')(transaction)
        await store.write('kept', entry('{"other":1}'), { id: 'k1' })
      },
      () => undefined,
    )
    const current = { key: 'kept', version: 1, writeId: 'k1', body: '{"other":1}' }
    expect(answer).toEqual({ kind: 'conflict', current, at: expect.any(Number) })
    expect((await store.read('kept')).stored).toEqual(current)
    expect(await orders('kept')).toEqual([])
  })

  it('passes on what the handler or finish throws, with everything rolled back', async () => {
    const store = open()
    const own = new Error('the shop is closed')
    const fail = async (transaction: PostgresTransaction<pg.PoolClient>) => {
      await insert('thrown')(transaction)
      throw own
    }
    expect(await errorOf(store.commit('thrown', fail, () => entry('{}')))).toBe(own)
    const finish = () => {
      throw own
    }
    expect(await errorOf(store.commit('thrown', insert('thrown'), finish))).toBe(own)
    expect(await orders('thrown')).toEqual([])
    expect((await store.read('thrown')).stored).toBeUndefined()
  })

  it('runs finish again, and the handler once, where the document was created meanwhile', async () => {
    const other = open()
    let isCreated = false
    const { driver } = recordingDriver(ground.pool(), async () => {
      if (isCreated) return
      isCreated = true
      await other.write('created', entry('{"by":"other"}'), { id: 'c1' })
    })
    let works = 0
    const seen: unknown[] = []
    const written = await postgresStore(driver, { schema: ground.schema }).commit(
      'created',
      async ({ run }) => {
        works += 1
        await run`select 1`
      },
      current => {
        seen.push(current?.body)
        return entry('{"by":"both"}')
      },
    )
    expect(written).toMatchObject({ kind: 'written', version: 2 })
    expect({ works, seen }).toEqual({ works: 1, seen: [undefined, '{"by":"other"}'] })
  })

  it('refuses an entry that cannot be kept, with everything rolled back', async () => {
    const call = open().commit('unfit', insert('unfit'), () => entry('{}', { due: 0.5 }))
    expect((await errorOf(call)).code).toBe('ERR_STORE_REFUSED')
    expect(await orders('unfit')).toEqual([])
  })

  it('refuses where the handler goes on after a statement that failed', async () => {
    const store = open()
    const call = store.commit(
      'swallowed',
      async transaction => {
        await insert('swallowed')(transaction)
        await transaction.run`select * from nowhere`.catch(() => {})
      },
      () => entry('{}'),
    )
    const error = await errorOf(call)
    expect(error.code).toBe('ERR_STORE_REFUSED')
    expect(error.message).toContain('A statement of the handler failed before, and the handler went on')
    expect(await orders('swallowed')).toEqual([])
    expect((await store.read('swallowed')).stored).toBeUndefined()
  })

  it.each(['commit', 'rollback', 'commit; begin'])(
    'refuses where the handler ends the transaction by %s',
    async end => {
      const store = open()
      const call = store.commit(
        'ended',
        async ({ client }) => {
          await client.query(end)
        },
        () => entry('{}'),
      )
      const error = await errorOf(call)
      expect(error.code).toBe('ERR_STORE_REFUSED')
      expect(error.message).toContain('The handler for "ended" ended the transaction itself')
      expect((await store.read('ended')).stored).toBeUndefined()
    },
  )

  // The text is what Kysely 0.29.9 compiles to with its PostgresQueryCompiler.
  it('takes what a query builder made', async () => {
    await open().commit(
      'built',
      async ({ run }) => {
        const sql = `insert into ${table} ("id", "state") values ($1, $2) returning "id"`
        expect(await run({ sql, parameters: ['built', 'paid'] })).toEqual([{ id: 'built' }])
      },
      () => entry('{}'),
    )
    expect(await orders('built')).toEqual([{ state: 'paid' }])
  })

  it('takes no statement after the handler is over, and none that is no template', async () => {
    const store = open()
    const kept: PostgresTransaction<pg.PoolClient>[] = []
    const written = await store.commit(
      'over',
      async transaction => {
        kept.push(transaction)
        const plain = transaction.run('select 1' as unknown as TemplateStringsArray)
        expect((await errorOf(plain)).message).toContain('Write the statement as a template')
      },
      () => entry('{}'),
    )
    expect(written.kind).toBe('written')
    for (const { run } of kept) expect((await errorOf(run`select 1`)).message).toContain('The handler is over')
    expect(kept).toHaveLength(1)
  })

  it('leaves half of the pool to everything else', async () => {
    const store = open(4)
    const { give, given } = signal()
    let working = 0
    const two = signal()
    const works = ['h1', 'h2', 'h3'].map(key =>
      store.commit(
        key,
        async () => {
          working += 1
          if (working === 2) two.give()
          await given
        },
        () => entry('{}'),
      ),
    )
    await two.given
    // Everything else goes on, at its full length, while the handlers wait.
    for (const [id, after] of [['x0'], ['x1', 'x0'], ['x2', 'x1']] as const) {
      await store.write('beside', entry('{}'), { after, id })
    }
    await Promise.all(Array.from({ length: 20 }, () => store.read('beside')))
    expect(working).toBe(2)
    give()
    expect((await Promise.all(works)).map(({ kind }) => kind)).toEqual(['written', 'written', 'written'])
    expect(working).toBe(3)
  })

  it('is finished by close, which refuses everything after', async () => {
    const store = open()
    const { give, given } = signal()
    const begun = signal()
    const commit = store.commit(
      'closing',
      async () => {
        begun.give()
        await given
      },
      () => entry('{}'),
    )
    const write = store.write('closing-2', entry('{}'), { id: 'c' })
    await begun.given
    const closed = store.close()
    const calls = [store.read('a'), store.write('a', entry('{}'), { id: 'a' }), store.list({ limit: 1 })]
    for (const call of calls.map(errorOf)) expect((await call).code).toBe('ERR_STORE_CLOSED')
    give()
    await closed
    expect([(await commit).kind, (await write).kind]).toEqual(['written', 'written'])
    await store.close()
  })
})
