import type { SqliteStore } from '@tillkit/till/sqlite'
import { describe, expect, it } from 'vitest'
import { entry, freshFile, openStore } from './ground.js'

/** Rows of the merchant's table, read by way of documents: a commit whose statement fails for every other count. */
async function rowsOf(store: SqliteStore, condition: string): Promise<number> {
  for (let count = 0; ; count++) {
    const sql = Object.assign(
      [`insert into check_count select (select count(*) from orders where ${condition}) - ${count}`],
      {
        raw: [''],
      },
    )
    const outcome = await store
      .commit(
        `probe-${condition}-${count}`,
        ({ run }) => run(sql),
        () => entry('{}'),
      )
      .catch(() => undefined)
    if (outcome !== undefined) return count
  }
}

async function withTables(file = freshFile()): Promise<SqliteStore> {
  const store = openStore(file)
  await store.commit(
    'tables',
    async ({ run }) => {
      await run`create table orders (id text primary key, state text, amount)`
      await run`create table check_count (n integer check (n = 0))`
    },
    () => entry('{}'),
  )
  return store
}

describe('commit', () => {
  it('writes the rows and the document together', async () => {
    const store = await withTables()
    const outcome = await store.commit(
      'k',
      async ({ run }) => {
        await run`insert into orders values (${'o-1'}, ${'paid'}, ${5})`
        await run`update orders set state = ${'told'} where id = ${'o-1'}`
      },
      current => entry(JSON.stringify({ was: current ?? null })),
    )
    expect(outcome).toMatchObject({ kind: 'written', version: 1 })
    expect((await store.read('k')).stored).toEqual({
      key: 'k',
      version: 1,
      writeId: expect.any(String),
      body: '{"was":null}',
    })
    expect(await rowsOf(store, "state = 'told' and typeof(amount) = 'integer'")).toBe(1)
  })

  it('binds values as they are and never splices them', async () => {
    const store = await withTables()
    const nasty = "'; drop table orders; -- $(x) ?"
    await store.commit(
      'k',
      async ({ run }) => {
        await run`insert into orders values (${nasty}, ${7}, ${true})`
        await run`insert into orders values (${'b'}, ${null}, ${new Uint8Array([1, 2])})`
        await run`insert into orders values (${'c'}, ${1.5}, ${9223372036854775807n})`
      },
      () => entry('{}'),
    )
    expect(await rowsOf(store, "id like '''; drop%' and state = '7' and amount = 1")).toBe(1)
    expect(await rowsOf(store, "id = 'b' and state is null and amount = x'0102'")).toBe(1)
    expect(await rowsOf(store, "id = 'c' and state = '1.5' and amount = 9223372036854775807")).toBe(1)
  })

  it('writes nothing where finish gives undefined, throws, or the work throws', async () => {
    const store = await withTables()
    await store.write('k', entry('{"n":1}'), { id: 'i' })
    const work: Parameters<SqliteStore['commit']>[1] = ({ run }) => run`insert into orders values (${'x'}, null, null)`
    expect(await store.commit('k', work, () => undefined)).toMatchObject({
      kind: 'conflict',
      current: { version: 1, body: '{"n":1}' },
    })
    const mistake = new Error('mine')
    const throwing = () => {
      throw mistake
    }
    await expect(store.commit('k', work, throwing)).rejects.toBe(mistake)
    await expect(
      store.commit(
        'k',
        async () => throwing(),
        () => entry('{}'),
      ),
    ).rejects.toBe(mistake)
    expect(await rowsOf(store, "id = 'x'")).toBe(0)
    expect((await store.read('k')).stored?.version).toBe(1)
  })

  it('writes nothing where a statement fails, and says what SQLite said', async () => {
    const store = await withTables()
    const twice: Parameters<SqliteStore['commit']>[1] = async ({ run }) => {
      await run`insert into orders values ('same', null, null)`
      await run`insert into orders values ('same', null, null)`
    }
    await expect(store.commit('k', twice, () => entry('{}'))).rejects.toMatchObject({
      code: 'ERR_STORE_REFUSED',
      message: expect.stringContaining('UNIQUE constraint failed: orders.id'),
      cause: expect.any(Error),
    })
    expect(await rowsOf(store, "id = 'same'")).toBe(0)
    expect((await store.read('k')).stored).toBeUndefined()
  })

  it.each([
    ['a table that is not there', 'no such table: baskets', 'update baskets set state = ? where id = ?'],
    ['a constraint that breaks', 'UNIQUE constraint failed: orders.id', 'insert into orders values (?, ?, 1)'],
  ])('names the statement of the handler at fault, without its values: %s', async (_, said, statement) => {
    const store = await withTables()
    const work: Parameters<SqliteStore['commit']>[1] = async ({ run }) => {
      await run`insert into orders values (${'secret-id'}, ${'paid'}, 1)`
      if (statement.startsWith('insert')) await run`insert into orders values (${'secret-id'}, ${'paid'}, 1)`
      await run`update baskets
        set state = ${'secret'} where id = ${'secret-id'}`
    }
    const { message } = await store
      .commit('k', work, () => entry('{}'))
      .then(
        () => new Error('committed'),
        (error: Error) => error,
      )
    expect(message).toContain('wrote nothing')
    expect(message).toContain(said)
    expect(message).toContain(`in this statement of your handler: "${statement}"`)
    expect(message).not.toContain('secret')
  })

  it('rolls back alone where a statement rolls back by itself', async () => {
    const store = await withTables()
    const others = store.write('other', entry('{}'), { id: 'i' })
    const commit = store.commit(
      'k',
      async ({ run }) => {
        await run`insert into orders values ('same', null, null)`
        await run`insert or rollback into orders values ('same', null, null)`
      },
      () => entry('{}'),
    )
    await expect(commit).rejects.toMatchObject({ code: 'ERR_STORE_REFUSED' })
    expect(await others).toMatchObject({ kind: 'written' })
    expect(await rowsOf(store, "id = 'same'")).toBe(0)
    expect((await store.read('k')).stored).toBeUndefined()
  })

  it('runs the work once and finish again where another writes in between, and keeps what the other wrote', async () => {
    const store = await withTables()
    let works = 0
    const seen: (number | undefined)[] = []
    const first = { pending: undefined as Promise<unknown> | undefined }
    const outcome = await store.commit(
      'k',
      async ({ run }) => {
        works += 1
        await run`insert into orders values ('o', null, null)`
      },
      current => {
        seen.push(current?.version)
        // Posted before the commit itself, so it is written first.
        first.pending ??= store.write('k', entry('{"by":"other"}'), { id: 'i' })
        return entry(JSON.stringify({ over: current?.body ?? null }))
      },
    )
    await first.pending
    expect(outcome).toMatchObject({ kind: 'written', version: 2 })
    expect([works, seen]).toEqual([1, [undefined, 1]])
    expect((await store.read('k')).stored?.body).toBe('{"over":"{\\"by\\":\\"other\\"}"}')
    expect(await rowsOf(store, "id = 'o'")).toBe(1)
  })

  it('holds up nobody while the work runs', async () => {
    const store = await withTables()
    let finishWork = () => {}
    const open = new Promise<void>(resolve => {
      finishWork = resolve
    })
    const commit = store.commit(
      'k',
      () => open,
      () => entry('{}'),
    )
    expect(await store.write('k', entry('{"n":1}'), { id: 'i' })).toMatchObject({ kind: 'written' })
    expect(await store.write('other', entry('{}'), { id: 'j' })).toMatchObject({ kind: 'written' })
    finishWork()
    expect(await commit).toMatchObject({ kind: 'written', version: 2 })
  })

  it('fails where the work ran something that cannot be part of it, even unawaited', async () => {
    const store = await withTables()
    const commit = store.commit(
      'k',
      async ({ run }) => {
        run`commit`.catch(() => {})
      },
      () => entry('{}'),
    )
    await expect(commit).rejects.toThrow('cannot run COMMIT')
    expect((await store.read('k')).stored).toBeUndefined()
  })
})
