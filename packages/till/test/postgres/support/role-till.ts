/**
 * A till whose store is used by a role of its own.
 *
 * @module
 */
import { createFakeGateway } from '@tillkit/testing'
import { onTestFinished } from 'vitest'
import { createTill, type Till } from '../../../src/index.js'
import { postgresStore } from '../../../src/postgres.js'
import type { Store } from '../../../src/store/store.js'
import { freshGround, serverUrl } from './ground.js'

export interface RoleTill {
  /** Default: the server of this run. */
  readonly url?: string
  /** A setting of the role, such as `synchronous_commit = off`. */
  readonly setting?: string
  /** A role whose rights it has. */
  readonly memberOf?: string
  /** Options of its connections. */
  readonly session?: string
}

/** Makes the role and the till; both are gone once the test has finished. */
export async function roleTill({ url = serverUrl(), setting, memberOf, session = '' }: RoleTill = {}): Promise<Till> {
  const ground = await freshGround({ url })
  const { schema, admin } = ground
  const role = `role_${schema}`
  await admin.query(
    `create role ${role} login ${memberOf === undefined ? '' : `in role ${memberOf}`};
    grant usage on schema "${schema}" to ${role};
    grant select, insert, update on all tables in schema "${schema}" to ${role}`,
  )
  if (setting !== undefined) await admin.query(`alter role ${role} set ${setting}`)
  const own = Object.assign(new URL(url), { username: role }).href
  const pool = ground.pool({ connectionString: own, max: 2, options: session })
  const till = createTill<never>({
    account: createFakeGateway().clientOptions,
    store: postgresStore(pool, { schema }) as unknown as Store<never>,
    address: 'http://127.0.0.1:1/payments',
    returnTo: () => '/',
    onOutcome: () => {},
  })
  onTestFinished(async () => {
    await till.close()
    await pool.end()
    await admin.query(`drop owned by ${role}; drop role ${role}`)
    await ground.end()
  })
  return till
}
