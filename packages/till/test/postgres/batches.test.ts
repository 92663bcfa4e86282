import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { statementsFor } from '../../src/postgres/statements.js'
import { postgresStore } from '../../src/postgres.js'
import { recordingDriver } from './support/drivers.js'
import { entry, errorOf, freshGround, type Ground } from './support/ground.js'

let ground: Ground
let documents: string
beforeAll(async () => {
  ground = await freshGround()
  documents = `"${ground.schema}".documents`
})
afterAll(() => ground.end())

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)

describe('writes of one turn', () => {
  it('share one statement, at most one of each key', async () => {
    const { driver, sent } = recordingDriver(ground.pool())
    const store = postgresStore(driver, { schema: ground.schema })
    await store.read('warm')
    const written = await Promise.all([
      ...numbers(40).map(index => store.write(`turn-${index}`, entry('{}'), { id: `t${index}` })),
      store.write('turn-7', entry('{"second":1}'), { after: 't7', id: 'second' }),
    ])
    expect(written.map(({ kind }) => kind)).toEqual(numbers(41).map(() => 'written'))
    expect(sent.map(({ keys }) => keys)).toEqual([numbers(40).map(index => `turn-${index}`), ['turn-7']])
    expect((await store.read('turn-7')).stored).toEqual({
      key: 'turn-7',
      version: 2,
      writeId: 'second',
      body: '{"second":1}',
    })
  })

  it('share one up to 131,072 bytes, and a large one goes by itself', async () => {
    const { driver, sent } = recordingDriver(ground.pool())
    const store = postgresStore(driver, { schema: ground.schema })
    await store.read('warm')
    const body = (bytes: number) => JSON.stringify('é'.repeat((bytes - 2) / 2))
    await Promise.all([
      store.write('large', entry(body(16_384)), { id: 'large' }),
      ...numbers(40).map(index => store.write(`kb-${index}`, entry(body(4_096)), { id: `kb${index}` })),
    ])
    expect(sent.map(({ keys }) => keys.length).sort()).toEqual([1, 32, 8])
    expect(sent.find(({ keys }) => keys.length === 1)?.keys).toEqual(['large'])
  })

  it('ask the server once where one of a key wins, and the others have lost by that', async () => {
    const { driver, sent } = recordingDriver(ground.pool())
    const store = postgresStore(driver, { schema: ground.schema })
    await store.read('warm')
    const race = numbers(8).map(index => store.write('race', entry(`{"by":${index}}`), { id: `r${index}` }))
    const [winner, ...losers] = await Promise.all(race)
    expect(winner).toMatchObject({ kind: 'written', version: 1 })
    const current = { key: 'race', version: 1, writeId: 'r0', body: '{"by":0}' }
    expect(losers).toEqual(losers.map(() => ({ kind: 'conflict', current, at: expect.any(Number) })))
    expect(sent.map(({ keys }) => keys)).toEqual([['race']])
  })

  it('are not held up by one whose row another transaction holds', async () => {
    const store = postgresStore(ground.pool(), { schema: ground.schema })
    await store.write('held', entry('{}'), { id: 'h0' })
    const holder = await ground.admin.connect()
    await holder.query('begin')
    await holder.query(`select from ${documents} where key = 'held' for update`)
    let isWritten = false
    const held = store.write('held', entry('{"n":2}'), { after: 'h0', id: 'h1' }).then(written => {
      isWritten = true
      return written
    })
    const others = numbers(30).map(index => store.write(`free-${index}`, entry('{}'), { id: `f${index}` }))
    expect((await Promise.all(others)).map(({ kind }) => kind)).toEqual(others.map(() => 'written'))
    expect(isWritten).toBe(false)
    await holder.query('commit')
    holder.release()
    expect(await held).toMatchObject({ kind: 'written', version: 2 })
  })

  it('succeed though the server refuses one of them', async () => {
    await ground.admin.query(`alter table ${documents} add constraint no_bad check (key <> 'bad')`)
    const store = postgresStore(ground.pool(), { schema: ground.schema })
    const bad = errorOf(store.write('bad', entry('{"secret":4711}'), { id: 'b1' }))
    const good = numbers(5).map(index => store.write(`good-${index}`, entry('{}'), { id: `g${index}` }))
    expect((await Promise.all(good)).map(({ kind }) => kind)).toEqual(good.map(() => 'written'))
    expect(await bad).toMatchObject({ name: 'StoreError', code: 'ERR_STORE_REFUSED' })
    expect((await bad).message).not.toContain('4711')
  })
})

describe('a write that the server asks to repeat', () => {
  /** Rejects so many writes to keys that begin with `name`. */
  async function reject(name: string, times: number, state: string): Promise<void> {
    await ground.admin.query(`create sequence "${ground.schema}".${name}_count;
create function "${ground.schema}".${name}() returns trigger language plpgsql as $$ begin
  if new.key like '${name}%' and nextval('"${ground.schema}".${name}_count') <= ${times} then
    raise exception 'try again' using errcode = '${state}';
  end if;
  return new;
end $$;
create trigger ${name} before insert or update on ${documents} for each row execute function "${ground.schema}".${name}()`)
  }

  it.each(['40001', '40P01'])('is repeated, after %s', async state => {
    const name = `again_${state.toLowerCase()}`
    await reject(name, 3, state)
    const store = postgresStore(ground.pool(), { schema: ground.schema })
    const written = await Promise.all(
      [`${name}-1`, 'bystander'].map(key => store.write(key, entry('{}'), { id: `${key}-${state}` })),
    )
    expect(written[0]).toMatchObject({ kind: 'written', version: 1 })
  })

  it('is refused after a while', async () => {
    await reject('never', 1_000_000, '40001')
    const store = postgresStore(ground.pool(), { schema: ground.schema })
    const error = await errorOf(store.write('never-1', entry('{}'), { id: 'n1' }))
    expect(error.code).toBe('ERR_STORE_REFUSED')
    expect(error.message).toContain('It was tried several times')
  })
})

describe('sessions with other settings', () => {
  it('have one winner of each key, in serializable transactions as well', async () => {
    const open = () =>
      postgresStore(ground.pool({ options: '-c default_transaction_isolation=serializable' }), {
        schema: ground.schema,
      })
    const stores = [open(), open(), open()]
    const keys = numbers(12).map(index => `serial-${index}`)
    const winners = new Map<string, string>()
    for (const round of [1, 2]) {
      const idOf = (key: string, by: number) => `${key}-${round}-${by}`
      const written = await Promise.all(
        stores.flatMap((store, by) =>
          keys.map(key => store.write(key, entry(`{"by":${by}}`), { after: winners.get(key), id: idOf(key, by) })),
        ),
      )
      for (const [index, key] of keys.entries()) {
        const ofKey = stores.map((_, by) => written[by * keys.length + index])
        expect(ofKey.filter(each => each?.kind === 'written')).toHaveLength(1)
        expect(ofKey.filter(each => each?.kind === 'conflict')).toHaveLength(2)
        const winner = ofKey.findIndex(each => each?.kind === 'written')
        winners.set(key, idOf(key, winner))
      }
    }
  })

  it('commit durably where a commit need not be', async () => {
    const log = `"${ground.schema}".commits`
    await ground.admin.query(`create table ${log} (key text, setting text);
create function "${ground.schema}".note() returns trigger language plpgsql as $$ begin
  insert into ${log} values (new.key, current_setting('synchronous_commit')); return null;
end $$;
create constraint trigger noted after insert on ${documents} deferrable initially deferred for each row
  when (new.key like 'durable%') execute function "${ground.schema}".note()`)
    const store = postgresStore(ground.pool({ options: '-c synchronous_commit=off' }), { schema: ground.schema })
    await store.write('durable-batch', entry('{}'), { id: 'd1' })
    await store.write('durable-large', entry(JSON.stringify('x'.repeat(20_000))), { id: 'd2' })
    await store.commit(
      'durable-commit',
      async () => {},
      () => entry('{}'),
    )
    const { rows } = await ground.admin.query(`select * from ${log} order by key`)
    expect(rows).toEqual(['batch', 'commit', 'large'].map(name => ({ key: `durable-${name}`, setting: 'on' })))
  })
})

describe('the statements that write', () => {
  it('are planned with index look-ups, though the table is empty when the plan is made', async () => {
    const empty = await freshGround()
    const client = await empty.admin.connect()
    const { writeFree, write, take } = statementsFor(empty.schema)
    await client.query('set plan_cache_mode = force_generic_plan')
    const planOf = async (name: string, text: string, parameters: string) => {
      await client.query(`prepare ${name} as ${text}`)
      const { rows } = await client.query(`explain execute ${name}(${parameters})`)
      return rows.map(row => row['QUERY PLAN']).join('\n')
    }
    const plans = [
      await planOf('free', writeFree, `'[]'`),
      await planOf('waiting', write, `'[]'`),
      await planOf('taking', take, `'50', '1000', '0', '["payment/"]'`),
    ]
    client.release()
    await empty.end()
    for (const plan of plans) {
      expect(plan).toContain('using documents_pkey')
      expect(plan).not.toContain('Seq Scan')
    }
  })

  it('move no index where the date and the list stay', async () => {
    const client = await ground.admin.connect()
    await client.query('begin')
    const { write } = statementsFor(ground.schema)
    const send = (due: number, id: string, after?: string) =>
      client.query(write, [JSON.stringify([{ key: 'hot', after, id, body: '{}', due, list: 'l' }])])
    const hot = async () => {
      const { rows } = await client.query(`select pg_stat_get_xact_tuples_hot_updated($1::regclass) as hot`, [
        documents,
      ])
      return Number(rows[0].hot)
    }
    await send(5, 'a')
    await send(5, 'b', 'a')
    expect(await hot()).toBe(1)
    await send(6, 'c', 'b')
    expect(await hot()).toBe(1)
    await client.query('rollback')
    client.release()
  })

  it('are not needed to postpone to the date that is there', async () => {
    const store = postgresStore(ground.pool(), { schema: ground.schema })
    await store.write('same', entry('{}', { due: 50 }), { id: 's1' })
    const row = async () =>
      (await ground.admin.query(`select due, ctid::text, xmin::text from ${documents} where key = 'same'`)).rows[0]
    const before = await row()
    await store.postpone('same', 's1', 50)
    expect(await row()).toEqual(before)
    await store.postpone('same', 's1', 51)
    expect(await row()).toMatchObject({ due: '51' })
  })
})
