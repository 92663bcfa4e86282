import type { Warn } from '@tillkit/express-middleware/core'
import type { DocumentStore } from '@tillkit/protocol'

/** A key that no document has. */
const absentKey = 'start'

/**
 * Tries whether the store can be read and written; nothing is written. A database that is away may come back, so the process is warned and
 * goes on.
 *
 * @throws What the store says, where waiting does not help: no such file, no right to write, other tables, a wrong password.
 */
export async function checkStore(store: DocumentStore, warn: Warn): Promise<void> {
  try {
    await store.read(absentKey)
    await store.postpone(absentKey, 1, 0)
  } catch (cause) {
    if (!mayPass(cause)) throw cause
    warn('WARN_STORE_FAILED', { explanation: 'It could not be used when the till was started.', cause })
  }
}

/** Connections that were not made or ended, and what a server says while it starts, stops, or is full. */
const passing = /^(?:ECONN[A-Z]+|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EPIPE|EAI_AGAIN|57P0[1-5]|53300|08[0-9A-Z]{3})$/

/** Whether a failure, or what is behind it, is one that passes by itself. */
function mayPass(error: unknown): boolean {
  for (let each = error, depth = 0; each instanceof Error && depth < 5; each = each.cause, depth += 1) {
    if (passing.test(String(Reflect.get(each, 'code')))) return true
  }
  return false
}
