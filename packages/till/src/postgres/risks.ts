/**
 * The settings of a server under which a failover may lose what it has acknowledged.
 *
 * @module
 */
import type { StoreRisk } from '../store/store.js'
import type { PostgresQuery, PostgresRow } from './driver.js'

/**
 * All of them, as the store's own connections have them. A role without rights sees of a standby only that something is connected; that is
 * not counted. A subscriber of logical replication is no standby.
 */
const look = `select current_setting('synchronous_commit') as commits,
  current_setting('synchronous_standby_names') as names,
  current_setting('client_min_messages') as messages,
  (select count(*)::text from pg_stat_replication r where r.state in ('streaming', 'catchup')
    and not exists (select from pg_replication_slots s where s.active_pid = r.pid and s.slot_type = 'logical')) as standbys`

/** Asks the server. A server that does not say it has no known risk. */
export async function risksOf(read: PostgresQuery): Promise<readonly StoreRisk[]> {
  const [row] = await read(look, []).catch((): readonly PostgresRow[] => [])
  return row === undefined ? [] : risksIn(row)
}

/** The risks in what a server says of itself. */
export function risksIn({ commits, names, messages, standbys }: PostgresRow): readonly StoreRisk[] {
  const found: StoreRisk[] = []
  const waits = typeof names === 'string' && names.trim() !== ''
  const count = Number(standbys)
  if (names === '' && count > 0) {
    found.push({
      reason: 'asynchronous-standby',
      explanation:
        `PostgreSQL has ${count === 1 ? 'a standby' : `${count} standbys`}, and no commit waits for one: ` +
        '"synchronous_standby_names" is empty. If one takes over, the last payments before that are lost.',
    })
  }
  if (commits === 'local' && waits) {
    found.push({
      reason: 'commits-are-local',
      explanation:
        'PostgreSQL has a synchronous standby, and the commits of this store do not wait for it: "synchronous_commit" is "local" ' +
        'for its role, its database or its connections. If the standby takes over, the last payments before that are lost.',
    })
  }
  if (commits === 'off') {
    found.push({
      reason: 'commits-are-off',
      explanation:
        '"synchronous_commit" of PostgreSQL is "off" for the role, the database or the connections of this store. ' +
        'The store switches it on for its own writes and for handlers; ' +
        'other rows that you write on these connections may be lost in a crash.',
    })
  }
  if (waits && /^(?:error|fatal|panic)$/.test(String(messages))) {
    found.push({
      reason: 'warnings-are-off',
      explanation:
        `"client_min_messages" of PostgreSQL is "${messages}", so the server does not warn where somebody cancels ` +
        'a wait for its standby: such a write counts as kept, and is lost if the standby takes over.',
    })
  }
  return found
}
