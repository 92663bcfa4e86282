import { beforeEach, describe, expect, it } from 'vitest'
import { order, payment, sale } from '../../../test/state/payment-samples.js'
import { evolve } from '../../state/evolve.js'
import { memoryStore } from '../../store/memory-store.js'
import { type Store, StoreError, type WriteOptions, type Written } from '../../store/store.js'
import { reserveAttempt } from '../orders/reserve.js'
import { type ChangeOptions, createDocuments, type ReadDocument } from './documents.js'
import { entryOf, readDocument } from './entry.js'
import type { Patience, StoreTrouble } from './persist.js'

const key = 'payment/test/shop/basket-7'
const unknown = new StoreError('ERR_STORE_UNKNOWN', 'The connection was cut at COMMIT.')
const refused = new StoreError('ERR_STORE_REFUSED', 'The disk is full.')
const schema = new StoreError('ERR_STORE_SCHEMA', 'The tables are of a later release.')
const laterDocument = new StoreError('ERR_STORE_DOCUMENT', 'The document is of a later release.')
const closed = new StoreError('ERR_STORE_CLOSED', 'The store was closed.')

/** Patience that is over once `end` was called. */
function untilEnded(): Patience & { end(): void } {
  const controller = new AbortController()
  return { isOver: () => controller.signal.aborted, signal: () => controller.signal, end: () => controller.abort() }
}
const forever = untilEnded()
const gate: ChangeOptions = { kind: 'gate', patience: forever }
const fact: ChangeOptions = { kind: 'fact', patience: forever }

let ids = 0
beforeEach(() => {
  ids = 0
})

/** Documents on a store, and what was asked of it. Pauses pass in one turn of the event loop. */
function on(parts: Partial<Store> = {}, kept: Store = memoryStore({ clock: () => 1_000 })) {
  const pauses: number[] = []
  const troubles: StoreTrouble[] = []
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
  const documents = createDocuments({ store, newId, wait, onTrouble: trouble => void troubles.push(trouble) })
  return { documents, kept, pauses, troubles, written, reads }
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
  const decision = reserveAttempt(document, sale)
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
    await documents.change(key, reserve, gate)
    expect(await documents.read(key, forever)).toEqual({
      ...known,
      version: 1,
      writeId: 'w-1',
      at: 1_000,
    })
  })

  it('asks again while the store fails, after pauses that double up to five seconds', async () => {
    const kept = memoryStore({ clock: () => 1_000 })
    const { documents, pauses, troubles } = on({ read: failing(9, new Error('away'), kept.read) }, kept)
    expect(await documents.read(key, forever)).toMatchObject({ version: 0 })
    expect(pauses).toEqual([50, 100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000])
    expect(troubles.map(({ failures }) => failures)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
  })

  it('gives up once patience is over, and says why', async () => {
    const patience = untilEnded()
    const read = async () => {
      patience.end()
      throw new Error('no route to host')
    }
    const reading = on({ read }).documents.read(key, patience)
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
    await expect(documents.change(key, reserve, gate)).rejects.toMatchObject({ code: 'ERR_STORE_DOCUMENT' })
    expect((await kept.read(key)).stored?.body).toBe('rows')
  })
})

describe('change', () => {
  it('writes what was decided after the write that it was decided on', async () => {
    const { documents, written } = on()
    const changed = await documents.change(key, reserve, gate)
    expect(changed).toEqual({
      result: 'reserved',
      read: { ...known, version: 1, writeId: 'w-1', at: 1_000 },
    })
    await documents.change(key, note('a'), fact)
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
    await documents.change(key, reserve, gate)
    expect(await documents.change(key, decide, gate)).toMatchObject({ result: 'as it is', read: { version: 1 } })
    expect(written).toHaveLength(1)
  })

  it('decides anew where another process wrote meanwhile, by what is there then', async () => {
    const kept = memoryStore()
    const other = on({}, kept)
    let between: Promise<unknown> | undefined
    const write: Store['write'] = async (...given) => {
      between ??= other.documents.change(key, read => reserve(read), gate)
      await between
      return kept.write(...given)
    }
    const { documents, written } = on({ write }, kept)
    const rival = { ...sale, reservation: 'r-9', attemptId: 'a-9' }
    const { result } = await documents.change(key, ({ document }) => decided(reserveAttempt(document, rival)), gate)
    expect(result).toBe('already-sent')
    expect(written).toHaveLength(1)
  })

  it('has one winner of two processes that reserve the same order at once', async () => {
    const kept = memoryStore()
    const results = await Promise.all(
      ['r-1', 'r-2', 'r-3', 'r-4'].map(reservation =>
        on({}, kept).documents.change(
          key,
          ({ document }) => decided(reserveAttempt(document, { ...sale, reservation, attemptId: reservation })),
          gate,
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
    expect(await documents.change(key, note('a'), gate)).toMatchObject({ result: 'a', read: { version: 1 } })
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
      await on({}, kept).documents.change(key, note('of somebody else'), fact)
      throw unknown
    }
    const { documents, written } = on({ write }, kept)
    expect(await documents.change(key, reserve, gate)).toMatchObject({ result: 'reserved', read: { version: 2 } })
    // The same write, and then none: the reservation is there.
    expect(written.map(({ id }) => id)).toEqual(['w-1', 'w-1'])
  })

  it('does not say that nothing was written where it does not know', async () => {
    const kept = memoryStore()
    const patience = untilEnded()
    const write = async () => {
      patience.end()
      throw unknown
    }
    const changing = on({ write }, kept).documents.change(key, reserve, { kind: 'gate', patience })
    await expect(changing).rejects.toMatchObject({ code: 'ERR_STORE_UNKNOWN' })
    const causes = [unknown, refused]
    const refusing = on({ write: () => Promise.reject(causes.shift()) }, kept).documents.change(key, reserve, gate)
    await expect(refusing).rejects.toMatchObject({ code: 'ERR_STORE_UNKNOWN', cause: refused })
  })

  it('gives a gate up at the first refusal, and goes on with a fact until the disk has room again', async () => {
    const kept = memoryStore()
    const gates = on({ write: failing(3, refused, kept.write) }, kept)
    await expect(gates.documents.change(key, reserve, gate)).rejects.toBe(refused)
    expect(gates.written).toHaveLength(1)
    const facts = on({ write: failing(3, refused, kept.write) }, kept)
    expect(await facts.documents.change(key, note('a'), fact)).toMatchObject({ result: 'a' })
    expect(await notesIn(kept)).toBe('a')
  })

  it('lets other changes go first while the store refuses a fact', async () => {
    const kept = memoryStore()
    const [isFull, isRefused] = [{ now: true }, (body: string) => body.includes('"clientOrderId":"a"')]
    const write: Store['write'] = (of, entry, options) =>
      isFull.now && isRefused(entry.body) ? Promise.reject(refused) : kept.write(of, entry, options)
    const { documents, troubles } = on({ write }, kept)
    const first = documents.change(key, note('a'), fact)
    expect(await documents.change(key, note('b'), fact)).toMatchObject({ result: 'b' })
    expect(await notesIn(kept)).toBe('b')
    isFull.now = false
    await first
    expect(await notesIn(kept)).toBe('ba')
    expect(troubles[0]).toMatchObject({ kind: 'again', key, cause: refused, failures: 1 })
  })

  it.each<[string, (kept: Store) => Partial<Store>]>([
    ['tables that are read', kept => ({ read: failing(3, schema, kept.read) })],
    ['tables that are written', kept => ({ write: failing(3, schema, kept.write) })],
    ['documents', kept => ({ read: failing(3, laterDocument, kept.read) })],
  ])('keeps a fact that meets %s of a later release, with long pauses, until it is written', async (_, failingOf) => {
    const kept = memoryStore()
    const { documents, pauses, troubles } = on(failingOf(kept), kept)
    expect(await documents.change(key, note('a'), fact)).toMatchObject({ result: 'a' })
    expect(await notesIn(kept)).toBe('a')
    expect(pauses).toEqual([30_000, 30_000, 30_000])
    expect(troubles.map(({ kind, failures }) => [kind, failures])).toEqual([
      ['again', 1],
      ['again', 2],
      ['again', 3],
    ])
  })

  it('keeps a fact on which a later release has written, and holds up no gate meanwhile', async () => {
    const kept = memoryStore()
    const later = { body: '{"v":3,"reference":"basket-7","facts":[]}', due: null, list: null }
    const now = entryOf(payment())
    let isLater = false
    const write: Store['write'] = async (of, entry, options) => {
      if (!isLater) await kept.write(of, later, { id: 'later' })
      isLater = true
      return kept.write(of, entry, options)
    }
    const { documents } = on({ write }, kept)
    const noted = documents.change(key, note('a'), fact)
    while (!isLater) await Promise.resolve()
    await expect(documents.change(key, reserve, gate)).rejects.toMatchObject({ code: 'ERR_STORE_DOCUMENT' })
    await kept.write(key, now, { after: 'later', id: 'restored' })
    await noted
    expect(await notesIn(kept)).toBe('a')
  })

  it('gives a fact up that is too large, says so, and holds up none after it', async () => {
    const kept = memoryStore()
    const { documents, troubles, written } = on({}, kept)
    const large = documents.change(key, note('a'.repeat(262_144)), fact)
    const small = documents.change(key, note('b'), fact)
    await expect(large).rejects.toMatchObject({ code: 'ERR_STORE_REFUSED' })
    await small
    expect(await notesIn(kept)).toBe('b')
    expect(troubles).toMatchObject([{ kind: 'given-up', key, cause: { code: 'ERR_STORE_REFUSED' } }])
    expect(written).toHaveLength(1)
  })

  it.each<[string, string, Partial<Store>, string]>([
    ['under a key that cannot be kept', 'k'.repeat(513), {}, 'ERR_STORE_REFUSED'],
    ['once the store is closed', key, { read: () => Promise.reject(closed) }, 'ERR_STORE_CLOSED'],
  ])('gives a fact up %s, and says so', async (_, of, parts, code) => {
    const { documents, troubles } = on(parts)
    await expect(documents.change(of, note('a'), fact)).rejects.toMatchObject({ code })
    expect(troubles).toMatchObject([{ kind: 'given-up', key: of, cause: { code } }])
  })

  it('gives a fact up when nobody waits any more, and says so', async () => {
    const patience = untilEnded()
    const read = async () => {
      patience.end()
      throw schema
    }
    const { documents, troubles } = on({ read })
    await expect(documents.change(key, note('a'), { kind: 'fact', patience })).rejects.toBe(schema)
    expect(troubles.map(({ kind }) => kind)).toEqual(['given-up'])
  })

  it('passes on what a fact throws by itself, and takes it for no trouble of the store', async () => {
    const { documents, troubles } = on()
    const wrong = () => {
      throw new TypeError('no attempt')
    }
    await expect(documents.change(key, wrong, fact)).rejects.toThrow('no attempt')
    expect(troubles).toEqual([])
  })

  it('never drops a fact because another process wrote first', async () => {
    const kept = memoryStore()
    const names = Array.from('abcdefgh')
    await Promise.all(names.map(name => on({}, kept).documents.change(key, note(name), fact)))
    expect(Array.from((await notesIn(kept)) ?? '').sort()).toEqual(names)
  })

  it('lets changes of one document take turns, in the order in which they were asked for, also after one that failed', async () => {
    const kept = memoryStore()
    const { documents, written } = on({ write: failing(1, refused, kept.write) }, kept)
    const changes = Array.from('xabc').map(name => documents.change(key, note(name), gate))
    expect((await Promise.allSettled(changes)).map(({ status }) => status)).toEqual([
      'rejected',
      'fulfilled',
      'fulfilled',
      'fulfilled',
    ])
    expect(await notesIn(kept)).toBe('abc')
    // None of them was in the way of another.
    expect(written).toHaveLength(4)
  })

  it('does not hold up one document for another', async () => {
    const kept = memoryStore()
    const write: Store['write'] = (of, ...given) => (of === key ? new Promise(() => {}) : kept.write(of, ...given))
    const { documents } = on({ write }, kept)
    void documents.change(key, note('a'), fact)
    expect(await documents.change('payment/test/shop/basket-8', note('b'), gate)).toMatchObject({ result: 'b' })
  })

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['something else', { kind: 'yes' }],
    ['a conflict with what is there', { kind: 'conflict', current: undefined, at: 1 }],
  ])('takes %s for no answer, and asks again until patience is over', async (_, answer) => {
    const patience = untilEnded()
    let asked = 0
    const write = async () => {
      asked += 1
      if (asked === 3) patience.end()
      return answer as Written
    }
    const changing = on({ write }).documents.change(key, reserve, { kind: 'gate', patience })
    await expect(changing).rejects.toMatchObject({ code: 'ERR_STORE_UNKNOWN' })
    expect(asked).toBe(3)
  })

  it('decides nothing by a store that does not tell the time', async () => {
    const { documents, written } = on({ read: async () => ({ stored: undefined }) as never })
    await expect(documents.change(key, reserve, gate)).rejects.toMatchObject({ code: 'ERR_STORE_UNREADABLE' })
    expect(written).toEqual([])
  })

  it('asks nothing of the store for a gate whose time was over before its turn came', async () => {
    const patience = untilEnded()
    patience.end()
    const { documents, reads, written } = on()
    await expect(documents.change(key, reserve, { kind: 'gate', patience })).rejects.toMatchObject({
      code: 'ERR_STORE_UNREADABLE',
      message: expect.stringMatching(/The store was not asked\.$/),
      cause: patience.signal().reason,
    })
    expect([reads, written]).toEqual([[], []])
  })

  it('begins with what the document is believed to be, and decides anew where it is not', async () => {
    const { documents, kept, reads } = on()
    const { read } = await documents.change(key, note('a'), fact)
    await documents.change(key, note('b'), { ...fact, from: read })
    expect(reads).toHaveLength(1)
    await documents.change(key, note('c'), { ...fact, from: read })
    expect(await notesIn(kept)).toBe('abc')
  })
})

const decided = (decision: ReturnType<typeof reserveAttempt>) =>
  decision.kind === 'reserved' ? { result: decision.kind, document: decision.document } : { result: decision.kind }
