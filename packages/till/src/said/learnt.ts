import { randomUUID } from 'node:crypto'
import { learntKey, type PaymentPlace } from '../store/keys.js'
import type { DocumentStore } from '../store/store.js'

/** The word for an order that it never saw, which a check of any process has learnt of a login. @throws What the store throws. */
export async function learntWord(
  login: string,
  { store, place }: { readonly store: Pick<DocumentStore, 'read'>; readonly place: PaymentPlace },
): Promise<string | undefined> {
  const { stored } = await store.read(learntKey(login, place))
  return stored === undefined ? undefined : JSON.parse(stored.body).orderNeverSeen
}

/**
 * Keeps what a check has learnt of a login, for every process on the store. The latest counts.
 *
 * @param orderNeverSeen Error code with which status answered for an order that cannot exist.
 * @throws What the store throws.
 */
export async function keepLearnt(
  orderNeverSeen: string,
  login: string,
  { store, place }: { readonly store: Pick<DocumentStore, 'read' | 'write'>; readonly place: PaymentPlace },
): Promise<void> {
  const key = learntKey(login, place)
  const entry = { body: JSON.stringify({ v: 1, orderNeverSeen }), due: null, list: null }
  let { stored } = await store.read(key)
  while (stored?.body !== entry.body) {
    const written = await store.write(key, entry, { after: stored?.writeId, id: randomUUID() })
    if (written.kind === 'written') return
    stored = written.current
  }
}
