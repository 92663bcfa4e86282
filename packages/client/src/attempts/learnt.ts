import { type DocumentStore, learntKey, type PaymentPlace, type Stored } from '@tillkit/protocol'
import type { Settings } from '../config/settings.js'
import { withTimeLimit } from '../transport/deadline.js'
import { longestWait } from './book.js'

/** What a gateway was seen to do. Plain data. */
interface Learnt {
  /** Error code with which status answered for an order that cannot exist. */
  readonly orderNeverSeen: string
}

/**
 * The gateway's word for an order it never saw: the profile's, or the one that a check of any process on the store has learnt.
 *
 * @throws What the store throws, and where it does not answer within five seconds.
 */
export async function neverSeenWord(settings: Settings): Promise<string | undefined> {
  const { profile, book, login } = settings
  const { value } = profile.orderNeverSeen
  return value === undefined && book !== undefined ? inTime(learntWord(login, book.payments), settings) : value
}

/** The word that a check has learnt, for a merchant's login. @throws What the store throws. */
export async function learntWord(
  login: string,
  { store, ...place }: PaymentPlace & { readonly store: Pick<DocumentStore, 'read'> },
): Promise<string | undefined> {
  const { stored } = await store.read(learntKey(login, place))
  return stored === undefined ? undefined : learntOf(stored).orderNeverSeen
}

/**
 * Keeps what a check has learnt, for every process on the store. The latest counts.
 *
 * @throws What the store throws, and where it does not answer within five seconds.
 */
export async function keepLearnt(learnt: Learnt, settings: Settings): Promise<void> {
  const { book, login } = settings
  if (book === undefined) return
  const { store, ...place } = book.payments
  const key = learntKey(login, place)
  const entry = { body: JSON.stringify({ v: 1, ...learnt }), due: null, list: null }
  let { stored } = await inTime(store.read(key), settings)
  while (stored?.body !== entry.body) {
    const write = store.write(key, entry, { after: stored?.writeId, id: book.newId() })
    const written = await inTime(write, settings)
    if (written.kind === 'written') return
    stored = written.current
  }
}

const learntOf = ({ body }: Stored): Learnt => JSON.parse(body)

async function inTime<Value>(promise: Promise<Value>, { wait }: Settings): Promise<Value> {
  const answer = await withTimeLimit(promise, { most: longestWait, wait })
  if (answer.kind === 'kept') return answer.value
  throw new Error(`The store did not answer within ${longestWait / 1000} seconds.`)
}
