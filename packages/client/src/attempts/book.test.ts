import { type Attempt, memoryStore, readDocument, type Store } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import type { ReserveLimit } from '../config/settings.js'
import { openBook } from './book.js'

const attempt = (attemptId: string): Attempt => ({
  attemptId,
  operation: 'sale',
  effect: 'creates',
  stages: ['sale'],
  login: 'merchant',
  baseUrl: 'https://gate.example/paynet',
  endpointId: '39',
  clientOrderId: 'o-1',
  amount: '10.00',
  currency: 'EUR',
  fingerprint: 'f',
  reservedAt: 0,
})

const patient: ReserveLimit = {
  isOver: () => false,
  left: () => 1_000,
  reason: () => undefined,
  signal: () => new AbortController().signal,
}

/** Over from the moment on that `has` says so. */
const overOnce = (has: () => boolean): ReserveLimit => ({ ...patient, isOver: has, reason: () => new Error('over') })

let books = 0

function bookOf(store: Store) {
  books += 1
  const id = `book-${books}`
  return openBook({
    store,
    name: undefined,
    login: 'merchant',
    environment: 'test',
    attemptId: () => id,
    clock: () => 0,
    wait: () => new Promise(resolve => setImmediate(resolve)),
  })
}

const attemptIds = async (store: Store): Promise<readonly string[]> => {
  const { stored } = await store.read('payment/test/merchant/o-1')
  return stored === undefined ? [] : (readDocument(stored).orders[0]?.attempts.map(each => each.attemptId) ?? [])
}

describe('a reservation that is refused', () => {
  it('says so although its time is over by then, and leaves no mark', async () => {
    const store = memoryStore()
    await bookOf(store).reserve(attempt('first'), patient)
    let asked = 0
    // Twice before it is decided, and once afterwards.
    const limit = overOnce(() => {
      asked += 1
      return asked > 2
    })
    const book = bookOf(store)
    expect(await book.reserve(attempt('second'), limit)).toMatchObject({
      kind: 'already-sent',
      earlier: { attemptId: 'first' },
    })
    await book.close()
    expect(await attemptIds(store)).toEqual(['first'])
  })

  it('leaves no mark where somebody else wrote first and its time was over then', async () => {
    const kept = memoryStore()
    let isOver = false
    const write: Store['write'] = async (...given) => {
      await bookOf(kept).reserve(attempt('first'), patient)
      isOver = true
      return kept.write(...given)
    }
    const book = bookOf({ ...kept, write })
    await expect(
      book.reserve(
        attempt('second'),
        overOnce(() => isOver),
      ),
    ).rejects.toThrow('over')
    await book.close()
    expect(await attemptIds(kept)).toEqual(['first'])
  })
})
