import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { migrate, migrations, type PostgresStoreOptions, postgresStore } from '../../src/postgres.js'
import { knexDriver, postgresJsDriver } from './support/drivers.js'
import { entry, errorOf, freshGround, type Ground, serverUrl } from './support/ground.js'

const grounds: Ground[] = []
afterEach(async () => {
  for (const ground of grounds.splice(0)) await ground.end()
})
async function newGround(options: { readonly isMigrated?: boolean } = {}): Promise<Ground> {
  const ground = await freshGround(options)
  grounds.push(ground)
  return ground
}
const versions = async ({ admin, schema }: Ground) =>
  (await admin.query(`select version from "${schema}".migrations order by version`)).rows.map(row => row.version)

describe('migrate', () => {
  it('makes the tables once, however many processes run it at once', async () => {
    const ground = await newGround({ isMigrated: false })
    const pools = Array.from({ length: 6 }, () => ground.pool())
    const reached = await Promise.all(pools.map(pool => migrate(pool, { schema: ground.schema })))
    expect(reached.flat()).toEqual([1])
    expect(await versions(ground)).toEqual([1])
  })

  it('does nothing to tables of this release, and keeps what is in them', async () => {
    const ground = await newGround()
    const store = postgresStore(ground.pool(), { schema: ground.schema })
    await store.write('kept', entry('{}'), { id: 'k' })
    expect(await migrate(ground.pool({ max: 1 }), { schema: ground.schema })).toEqual([])
    expect((await store.read('kept')).stored).toMatchObject({ version: 1 })
  })

  it('leaves tables of a newer release alone', async () => {
    const ground = await newGround()
    await ground.admin.query(`insert into "${ground.schema}".migrations (version) values (99)`)
    const error = await errorOf(migrate(ground.pool(), { schema: ground.schema }))
    expect(error).toMatchObject({ name: 'StoreError', code: 'ERR_STORE_SCHEMA' })
    expect(error.message).toContain('has tables at version 99, of a newer release; this one knows 1.')
  })

  it.each([
    ['postgres.js', postgresJsDriver],
    ['Knex', knexDriver],
  ])('runs through %s', async (_, make) => {
    const ground = await newGround({ isMigrated: false })
    const { driver, end } = make(serverUrl())
    expect(await migrate(driver, { schema: ground.schema })).toEqual([1])
    await end()
  })

  // https://www.postgresql.org/docs/current/ddl-priv.html: CREATE on a database makes schemas, CREATE on a schema makes tables.
  describe('of a role that is not the owner', () => {
    /** Migrates for a role that has only these rights. */
    async function migrateWith(rights: (names: { readonly schema: string; readonly role: string }) => string) {
      const ground = await newGround({ isMigrated: false })
      const { schema } = ground
      const role = `r${schema}`.slice(0, 60)
      await ground.admin.query(`create role "${role}" login; ${rights({ schema, role })}`)
      const pool = ground.pool({ connectionString: Object.assign(new URL(serverUrl()), { username: role }).href })
      const reached = await migrate(pool, { schema }).catch((error: Error) => error)
      await pool.end()
      await ground.admin.query(`drop owned by "${role}" cascade; drop role "${role}"`)
      return { reached, schema }
    }
    const createSchema = ({ schema }: { readonly schema: string }) => `create schema "${schema}"`

    it.each([
      ['its own schema', ({ schema, role }) => `create schema "${schema}" authorization "${role}"`],
      [
        '"usage, create" on the schema',
        names => `${createSchema(names)}; grant usage, create on schema "${names.schema}" to "${names.role}"`,
      ],
      ['"create" on the database', ({ role }) => `grant create on database "${databaseName()}" to "${role}"`],
    ] satisfies Rights[])('needs no more than %s', async (_, rights) => {
      expect((await migrateWith(rights)).reached).toEqual([1])
    })

    it.each([
      ['no right at all', () => ''],
      ['no right on the schema', createSchema],
      [
        '"usage" on the schema',
        names => `${createSchema(names)}; grant usage on schema "${names.schema}" to "${names.role}"`,
      ],
    ] satisfies Rights[])('is told which right it lacks where it has %s', async (_, rights) => {
      const { reached, schema } = await migrateWith(rights)
      expect(reached).toMatchObject({ name: 'StoreError', code: 'ERR_STORE_REFUSED', cause: { code: '42501' } })
      expect(reached).toHaveProperty(
        'message',
        expect.stringContaining(
          `Run migrate as a role that may make tables: one with "create" on the database, or, if the schema "${schema}" exists, with "usage, create" on it.`,
        ),
      )
      expect(reached).not.toHaveProperty('message', expect.stringContaining('select, insert'))
    })
  })
})

type Rights = [string, (names: { readonly schema: string; readonly role: string }) => string]
const databaseName = () => new URL(serverUrl()).pathname.slice(1)

describe('migrations', () => {
  it('are plain SQL, which makes the same tables', async () => {
    const ground = await newGround({ isMigrated: false })
    const client = new pg.Client({ connectionString: serverUrl() })
    await client.connect()
    for (const { sql } of migrations({ schema: ground.schema })) await client.query(`begin;\n${sql}\ncommit`)
    await client.end()
    expect(await versions(ground)).toEqual([1])
    const store = postgresStore(ground.pool(), { schema: ground.schema })
    expect(await store.write('a', entry('{}'), { id: 'a' })).toMatchObject({ kind: 'written' })
  })

  it('have versions that count up from 1', () => {
    expect(migrations().map(({ version }) => version)).toEqual([1])
    expect(migrations()[0]?.sql).toContain('create table "tillkit".documents')
  })
})

describe('a store on other tables', () => {
  it('says that there are none, and works once there are', async () => {
    const ground = await newGround({ isMigrated: false })
    const store = postgresStore(ground.pool(), { schema: ground.schema })
    for (const call of [store.read('a'), store.write('a', entry('{}'), { id: 'a' })]) {
      const error = await errorOf(call)
      expect(error).toMatchObject({ name: 'StoreError', code: 'ERR_STORE_SCHEMA' })
      expect(error.message).toBe(
        `The schema "${ground.schema}" has no tables of a store. Run migrate(pool) of @tillkit/till/postgres once, or the SQL of migrations() with your own tool.`,
      )
    }
    await migrate(ground.admin, { schema: ground.schema })
    expect((await store.read('a')).stored).toBeUndefined()
  })

  it('says that they are of a newer release', async () => {
    const ground = await newGround()
    await ground.admin.query(`insert into "${ground.schema}".migrations (version) values (2)`)
    const error = await errorOf(postgresStore(ground.pool(), { schema: ground.schema }).read('a'))
    expect(error).toMatchObject({ code: 'ERR_STORE_SCHEMA' })
    expect(error.message).toContain('Update @tillkit/till here.')
  })

  it('says that they are of an older release', async () => {
    const ground = await newGround()
    await ground.admin.query(`update "${ground.schema}".migrations set version = 0`)
    const error = await errorOf(postgresStore(ground.pool(), { schema: ground.schema }).read('a'))
    expect(error).toMatchObject({ code: 'ERR_STORE_SCHEMA' })
    expect(error.message).toContain('has tables at version 0; this release needs 1. Run migrate(pool)')
  })

  it('says so where they go away under it', async () => {
    const ground = await newGround()
    const store = postgresStore(ground.pool(), { schema: ground.schema })
    await store.read('a')
    await ground.admin.query(`drop schema "${ground.schema}" cascade`)
    const calls = [
      store.read('a'),
      store.list({ limit: 1 }),
      store.write('a', entry('{}'), { id: 'a' }),
      store.take({ limit: 1, hold: 1 }),
      store.commit(
        'a',
        async () => {},
        () => entry('{}'),
      ),
    ]
    for (const call of calls.map(errorOf)) expect((await call).code).toBe('ERR_STORE_SCHEMA')
  })
})

describe('options', () => {
  let ground: Ground
  beforeAll(async () => {
    ground = await freshGround({ isMigrated: false })
  })
  afterAll(() => ground.end())

  it.each([
    [{ schema: 'Shop' }, '"schema" is "Shop"; it must be a name of lower-case letters, digits and _.'],
    [
      { schema: 'a"; drop table x' },
      '"schema" is "a\\"; drop table x"; it must be a name of lower-case letters, digits and _.',
    ],
    [{ timeout: -1 }, '"timeout" is -1; it must be a whole number of milliseconds from 1 to 2147483647.'],
    [{ prepare: false }, 'postgresStore has no option "prepare". Did you mean "prepared"?'],
  ])('are refused when they are wrong: %j', (options, message) => {
    expect(() => postgresStore(ground.admin, options as PostgresStoreOptions)).toThrow(new TypeError(message))
  })

  it('need a pool with two connections at least', () => {
    expect(() => postgresStore(ground.pool({ max: 1 }))).toThrow(/The pool has one connection; a store needs two/)
  })

  it('need a pool or a driver', () => {
    for (const wrong of [undefined, {}, 'postgres://localhost']) {
      expect(() => postgresStore(wrong as unknown as pg.Pool)).toThrow(/needs a Pool of pg, or a driver/)
    }
  })
})
