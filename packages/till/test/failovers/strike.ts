/**
 * The ways in which a primary is lost while payments are taken.
 *
 * @module
 */
import { setTimeout as pause } from 'node:timers/promises'
import { postgresStore } from '@tillkit/till/postgres'
import pg from 'pg'
import type { Store } from '../../src/store/store.js'
import type { PostgresProxy } from '../postgres/support/proxy.js'
import { now, toldStore, type WriteEnd } from './ledger.js'
import { asAdmin, type ServerPair } from './pair.js'

/**
 * `killed`: every process of the primary ends at once. `cut-off`: it lives on without its standby, and some of the shops still reach it.
 * `waiting`: its line to the standby is dead; a person cancels the commits that wait for the standby, and then it is killed.
 */
export type Loss = 'killed' | 'cut-off' | 'waiting'

/** The servers, and the two addresses under which shops know the primary. */
export interface Ground {
  readonly pair: ServerPair
  readonly fronts: { readonly most: PostgresProxy; readonly few: PostgresProxy }
  readonly schema: string
  /** A name that no document has yet. */
  readonly probe: string
  /** Options of a connection, as for the shops. */
  readonly session: string
}

/** A loss, seen from outside. */
export interface Lost {
  /** When the primary was alone: what it acknowledges then is nowhere else. Undefined where it was dead at once. */
  readonly alone?: { readonly from: number; readonly to: number; readonly by: 'all' | 'few' }
  /** How often a wait for the standby was cancelled. */
  readonly cancelled: number
  /** Writes that were tried on the primary while it was alone, from here. */
  readonly tried: readonly WriteEnd[]
}

/** Loses the primary, and lets the standby take over. Resolves once there is a new standby. */
export const lose: { readonly [Name in Loss]: (ground: Ground) => Promise<Lost> } = {
  async killed({ pair, fronts }) {
    await pair.primary().kill()
    await pair.promote()
    await Promise.all([fronts.most, fronts.few].map(each => each.pointAt(pair.primary().url)))
    await pair.renew()
    return { cancelled: 0, tried: [] }
  },

  async 'cut-off'(ground) {
    const { pair, fronts } = ground
    const old = pair.primary()
    await Promise.all([pair.line.down(), fronts.most.down()])
    const from = now()
    const trying = tryWrite(old.url, ground)
    await pair.promote()
    await fronts.most.pointAt(pair.primary().url)
    const renewed = pair.renew()
    // The old primary lives as long as this write is waited for.
    const tried = await trying
    const to = now()
    await fronts.few.down()
    await old.kill()
    await fronts.few.pointAt(pair.primary().url)
    await renewed
    return { alone: { from, to, by: 'few' }, cancelled: 0, tried: [tried] }
  },

  async waiting(ground) {
    const { pair, fronts } = ground
    const old = pair.primary()
    pair.line.freeze()
    const from = now()
    const trying = tryWrite(old.url, ground)
    const cancelled = await cancelWaits(old.url, trying)
    const to = now()
    await old.kill()
    await pair.promote()
    await Promise.all([fronts.most, fronts.few].map(each => each.pointAt(pair.primary().url)))
    await pair.renew()
    return { alone: { from, to, by: 'all' }, cancelled, tried: [await trying] }
  },
}

/** One write from here, so that something is tried on a lonely primary whatever the shops are doing. */
async function tryWrite(url: string, { schema, probe, session }: Ground): Promise<WriteEnd> {
  const pool = new pg.Pool({ connectionString: url, max: 2, options: `${session} -c application_name=probe` })
  pool.on('error', () => {})
  const ends: WriteEnd[] = []
  const store = toldStore(postgresStore(pool, { schema, timeout: 1_500 }) as unknown as Store<never>, end =>
    ends.push(end),
  )
  await store.write(probe, { body: '{}', due: null, list: null }, { id: probe }).catch(() => {})
  await pool.end()
  const [end] = ends
  if (end === undefined) throw new Error('The write did not end.')
  return end
}

/** Cancels every wait for the standby, again and again, until the write from here was cancelled three times or is over. */
async function cancelWaits(url: string, trying: Promise<unknown>): Promise<number> {
  let isOver = false
  void trying.then(() => {
    isOver = true
  })
  let [all, ofProbe] = [0, 0]
  await asAdmin(url, async ask => {
    while (ofProbe < 3 && !isOver) {
      const waiting = await ask(
        `select application_name as name, pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`,
      )
      all += waiting.length
      ofProbe += waiting.filter(({ name }) => name === 'probe').length
      await pause(20)
    }
  })
  return all
}
