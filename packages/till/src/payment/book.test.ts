import { beforeEach, describe, expect, it } from 'vitest'
import { order, payment, sale } from '../../test/state/payment-samples.js'
import { readDocument } from '../rules/kept/entry.js'
import { permissionToSend } from '../rules/orders/reserve.js'
import { evolve } from '../state/evolve.js'
import { memoryStore } from '../store/memory-store.js'
import { type Store, StoreError, type WriteOptions, type Written } from '../store/store.js'
import { openDocuments, type ReadDocument } from './book.js'

const key = 'payment/test/shop/basket-7'
const unknown = new StoreError('ERR_STORE_UNKNOWN', 'The connection was cut at COMMIT.')
const refused = new StoreError('ERR_STORE_REFUSED', 'The disk is full.')

const { signal: forever } = new AbortController()

let ids = 0
beforeEach(() => {
  ids = 0
})

/** Documents on a store, and what was asked of it. Pauses pass in one turn of the event loop. */
function on(parts: Partial<Store> = {}, kept: Store = memoryStore({ clock: () => 1_000 })) {
  const pauses: number[] = []
  const written: WriteOptions[] = []
  const reads: string[] = []
  const store: Store = {
    ...kept,
    read(of) {
      reads.push(of)
      return (parts.read ?? kept.read)(of)
    },
    write(of, entry, options) {
      written.push(options)
      return (parts.write ?? kept.write)(of, entry, options)
    },
  }
  const newId = () => {
    ids += 1
    return `w-${ids}`
  }
  const wait = async (milliseconds: number) => {
    pauses.push(milliseconds)
    await new Promise(resolve => setImmediate(resolve))
  }
  const documents = openDocuments({ store, newId, wait })
  return { documents, kept, pauses, written, reads }
}

/** Fails so many times, and then asks the store. */
function failing<Args extends readonly unknown[], Result>(
  times: number,
  cause: unknown,
  ask: (...args: Args) => Promise<Result>,
) {
  let calls = 0
  return (...args: Args): Promise<Result> => {
    calls += 1
    return calls > times ? ask(...args) : Promise.reject(cause)
  }
}

/** The payment once its sale was reserved. */
const reservedSale = payment(order({ attempts: [sale] }))
const known = { document: reservedSale }

const reserve = ({ document }: ReadDocument) => {
  const decision = permissionToSend(document, sale)
  return decision.kind === 'reserved'
    ? { result: decision.kind, document: decision.document }
    : { result: decision.kind }
}
/** Writes a change that is wanted of the order with this id: one more fact each time. */
const note = (note: string) => (read: ReadDocument) => {
  const document = read.document ?? payment()
  const wish = { name: 'capture', clientOrderId: note, before: [], since: 0 } as const
  return { result: note, document: evolve(document, { kind: 'follow-up', wish }) }
}
const notesIn = async (store: Store): Promise<string | undefined> => {
  const { stored } = await store.read(key)
  if (stored === undefined) return undefined
  return readDocument(stored)
    .wishes?.map(({ clientOrderId }) => clientOrderId)
    .join('')
}

describe('read', () => {
  it('gives the document, its version, the write that left it so and the store’s time', async () => {
    const { documents } = on()
    expect(await documents.read(key, forever)).toEqual({
      document: undefined,
      version: 0,
      writeId: undefined,
      at: 1_000,
    })
    await documents.decide(key, reserve, forever)
    expect(await documents.read(key, forever)).toEqual({
      ...known,
      version: 1,
      writeId: 'w-1',
      at: 1_000,
    })
  })

  it('asks again while the store fails, after pauses that double up to five seconds', async () => {
    const kept = memoryStore({ clock: () => 1_000 })
    const { documents, pauses } = on({ read: failing(9, new Error('away'), kept.read) }, kept)
    expect(await documents.read(key, forever)).toMatchObject({ version: 0 })
    expect(pauses).toEqual([50, 100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000])
  })

  it('gives up once patience is over, and says why', async () => {
    const patience = new AbortController()
    const read = async () => {
      patience.abort()
      throw new Error('no route to host')
    }
    const reading = on({ read }).documents.read(key, patience.signal)
    await expect(reading).rejects.toMatchObject({
      code: 'ERR_STORE_UNREADABLE',
      cause: { message: 'no route to host' },
    })
    await expect(reading).rejects.toThrow(/"payment\/test\/shop\/basket-7".*no route to host/)
  })

  it.each(['ERR_STORE_SCHEMA', 'ERR_STORE_CLOSED'] as const)('asks once where it failed with %s', async code => {
    const { documents, reads } = on({ read: failing(9, new StoreError(code, 'no'), memoryStore().read) })
    await expect(documents.read(key, forever)).rejects.toMatchObject({ code })
    expect(reads).toHaveLength(1)
  })

  it('refuses what is no document', async () => {
    const { documents, kept } = on()
    await kept.write(key, { body: 'rows', due: null, list: null }, { id: 'other' })
    await expect(documents.read(key, forever)).rejects.toMatchObject({ code: 'ERR_STORE_DOCUMENT' })
    await expect(documents.decide(key, reserve, forever)).rejects.toMatchObject({ code: 'ERR_STORE_DOCUMENT' })
    expect((await kept.read(key)).stored?.body).toBe('rows')
  })
})

describe('decide', () => {
  it('writes what was decided after the write that it was decided on', async () => {
    const { documents, written } = on()
    const changed = await documents.decide(key, reserve, forever)
    expect(changed).toEqual({
      result: 'reserved',
      read: { ...known, version: 1, writeId: 'w-1', at: 1_000 },
    })
    await documents.decide(key, note('a'), forever)
    expect(written).toEqual([
      { id: 'w-1', after: undefined },
      { id: 'w-2', after: 'w-1' },
    ])
  })

  it.each([
    ['nothing', () => ({ result: 'as it is' })],
    ['the very document', ({ document }: ReadDocument) => ({ result: 'as it is', document })],
  ])('writes nothing where %s is decided', async (_, decide) => {
    const { documents, written } = on()
    await documents.decide(key, reserve, forever)
    expect(await documents.decide(key, decide, forever)).toMatchObject({ result: 'as it is', read: { version: 1 } })
    expect(written).toHaveLength(1)
  })

  it('decides anew where another process wrote meanwhile, by what is there then', async () => {
    const kept = memoryStore()
    const other = on({}, kept)
    let between: Promise<unknown> | undefined
    const write: Store['write'] = async (...given) => {
      between ??= other.documents.decide(key, read => reserve(read), forever)
      await between
      return kept.write(...given)
    }
    const { documents, written } = on({ write }, kept)
    const rival = { ...sale, reservation: 'r-9', attemptId: 'a-9' }
    const { result } = await documents.decide(
      key,
      ({ document }) => decided(permissionToSend(document, rival)),
      forever,
    )
    expect(result).toBe('already-sent')
    expect(written).toHaveLength(1)
  })

  it('has one winner of two processes that reserve the same order at once', async () => {
    const kept = memoryStore()
    const results = await Promise.all(
      ['r-1', 'r-2', 'r-3', 'r-4'].map(reservation =>
        on({}, kept).documents.decide(
          key,
          ({ document }) => decided(permissionToSend(document, { ...sale, reservation, attemptId: reservation })),
          forever,
        ),
      ),
    )
    expect(results.map(({ result }) => result).sort()).toEqual([
      'already-sent',
      'already-sent',
      'already-sent',
      'reserved',
    ])
  })

  it.each([true, false])('repeats a write that may have been made under its id (made: %s)', async isMade => {
    const kept = memoryStore()
    let failures = 0
    const write: Store['write'] = async (...given) => {
      if (failures === 3) return kept.write(...given)
      failures += 1
      if (isMade) await kept.write(...given)
      throw unknown
    }
    const { documents, written } = on({ write }, kept)
    expect(await documents.decide(key, note('a'), forever)).toMatchObject({ result: 'a', read: { version: 1 } })
    expect(new Set(written.map(({ id }) => id))).toEqual(new Set(['w-1']))
    expect(await notesIn(kept)).toBe('a')
  })

  it('decides by its own decision where others wrote on top of a write that it gave up', async () => {
    const kept = memoryStore()
    let isFirst = true
    const write: Store['write'] = async (...given) => {
      if (!isFirst) return kept.write(...given)
      isFirst = false
      await kept.write(...given)
      await on({}, kept).documents.decide(key, note('of somebody else'), forever)
      throw unknown
    }
    const { documents, written } = on({ write }, kept)
    expect(await documents.decide(key, reserve, forever)).toMatchObject({ result: 'reserved', read: { version: 2 } })
    // The same write, and then none: the reservation is there.
    expect(written.map(({ id }) => id)).toEqual(['w-1', 'w-1'])
  })

  it('does not say that nothing was written where it does not know', async () => {
    const kept = memoryStore()
    const patience = new AbortController()
    const write = async () => {
      patience.abort()
      throw unknown
    }
    const changing = on({ write }, kept).documents.decide(key, reserve, patience.signal)
    await expect(changing).rejects.toMatchObject({ code: 'ERR_STORE_UNKNOWN' })
    const causes = [unknown, refused]
    const refusing = on({ write: () => Promise.reject(causes.shift()) }, kept).documents.decide(key, reserve, forever)
    await expect(refusing).rejects.toMatchObject({ code: 'ERR_STORE_UNKNOWN', cause: refused })
  })

  it('drops no decision because another process wrote first', async () => {
    const kept = memoryStore()
    const names = Array.from('abcdefgh')
    await Promise.all(names.map(name => on({}, kept).documents.decide(key, note(name), forever)))
    expect(Array.from((await notesIn(kept)) ?? '').sort()).toEqual(names)
  })

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['something else', { kind: 'yes' }],
    ['a conflict with what is there', { kind: 'conflict', current: undefined, at: 1 }],
  ])('takes %s for no answer, and asks again until patience is over', async (_, answer) => {
    const patience = new AbortController()
    let asked = 0
    const write = async () => {
      asked += 1
      if (asked === 3) patience.abort()
      return answer as Written
    }
    const changing = on({ write }).documents.decide(key, reserve, patience.signal)
    await expect(changing).rejects.toMatchObject({ code: 'ERR_STORE_UNKNOWN' })
    expect(asked).toBe(3)
  })

  it('decides nothing by a store that does not tell the time', async () => {
    const { documents, written } = on({ read: async () => ({ stored: undefined }) as never })
    await expect(documents.decide(key, reserve, forever)).rejects.toMatchObject({ code: 'ERR_STORE_UNREADABLE' })
    expect(written).toEqual([])
  })
})

const decided = (decision: ReturnType<typeof permissionToSend>) =>
  decision.kind === 'reserved' ? { result: decision.kind, document: decision.document } : { result: decision.kind }
