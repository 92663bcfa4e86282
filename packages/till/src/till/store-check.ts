import { longestWait } from '../payment/book.js'
import { clocksApart } from '../store/clocks-apart.js'
import { type DocumentStore, StoreError, type StoreRisk } from '../store/store.js'
import type { IntakeContext } from './intake.js'
import type { StoreFinding } from './till.js'

/** A key that no document has. */
const absentKey = 'start'

/**
 * Tries whether the store can be read and written; nothing is written. The process is warned of the store's risks. A database that is
 * away may come back, so the process is warned and goes on. So it does where the store gives no answer in ten seconds.
 *
 * @throws What the store says, where waiting does not help: no such file, no right to write, other tables, a wrong password.
 */
export async function checkStore(
  store: DocumentStore,
  { warn, wait, clock }: Pick<IntakeContext, 'warn' | 'wait'> & { readonly clock: () => number },
): Promise<void> {
  const answered = new AbortController()
  const tried = async () => {
    await store.postpone(absentKey, 'none', 0)
    return knownRisks(store, clock)
  }
  const late = wait(longestWait, answered.signal).then(() => {
    throw new StoreError('ERR_STORE_UNREADABLE', `The store did not answer within ${longestWait} ms.`)
  })
  try {
    for (const risk of await Promise.race([tried(), late])) warn('WARN_STORE_RISK', risk)
  } catch (cause) {
    if (isLasting(cause)) throw cause
    warn('WARN_STORE_FAILED', { explanation: 'It could not be used when the till was started.', cause })
  } finally {
    // The wait ends, and nobody hears of it any more.
    late.catch(() => {})
    answered.abort()
  }
}

/** The risks that a store knows of, and that of its clock. If the store cannot read its settings, it reports no risk of theirs. */
async function knownRisks(store: DocumentStore, clock: () => number): Promise<readonly StoreRisk[]> {
  const { at } = await store.read(absentKey)
  const explanation = clocksApart(at, clock())
  const ofClock = explanation === undefined ? [] : [{ reason: 'clocks-apart', explanation }]
  return [...ofClock, ...((await store.risks?.().catch(() => undefined)) ?? [])]
}

/** The finding of `till.check()` about the store; undefined where it has no settings to look at, and its clock is right. */
export async function checkRisks(store: DocumentStore, clock: () => number): Promise<StoreFinding | undefined> {
  const risks = await knownRisks(store, clock).catch(() => undefined)
  if (risks === undefined) return { subject: 'store', verdict: 'cannot-tell', explanation: 'It could not be read.' }
  const explanation = risks.map(each => each.explanation).join(' ')
  if (risks.length > 0) return { subject: 'store', verdict: 'cannot-tell', explanation }
  return store.risks === undefined ? undefined : { subject: 'store', verdict: 'ok', explanation: noRisk }
}

const noRisk = 'None of the settings that can be seen from here lets it lose what it has acknowledged.'

/**
 * Tables of another release; a store that was closed; of PostgreSQL: a wrong password, no such database, no right; and what Node.js says of
 * files.
 */
const lasting = /^(?:ERR_STORE_SCHEMA|ERR_STORE_CLOSED|28[0-9A-Z]{3}|3D000|42501|ENOENT|EACCES|ENOTDIR|EISDIR|EROFS)$/

/** Result codes of SQLite: a file that is read-only, damaged, not to be opened, or no database. */
const lastingInFile: readonly unknown[] = [8, 11, 14, 26]

/** Whether a failure, or what is behind it, is one that does not pass by itself. Any other one may. */
function isLasting(error: unknown): boolean {
  for (let each = error, depth = 0; each instanceof Error && depth < 5; each = each.cause, depth += 1) {
    // The socket of a server that is not up is a file that is not there.
    if (Reflect.get(each, 'syscall') === 'connect') return false
    if (lasting.test(String(Reflect.get(each, 'code')))) return true
    if (lastingInFile.includes(Reflect.get(each, 'errcode'))) return true
  }
  return false
}
