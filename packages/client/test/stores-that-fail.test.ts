/** What a client does with a store that fails, hangs, answers late or holds no document. Counted where requests arrive. */
import { memoryStore, readDocument, type Store, StoreError } from '@tillkit/protocol'
import { describe, expect, it, vi } from 'vitest'
import { type ClientOptions, type ClientWarning, createClient } from '../src/index.js'
import { anyReply, capturing } from './capturing-dispatcher.js'
import { withHeldTime } from './held-time.js'
import { controlKey, saleRequest } from './sample-requests.js'
import { watchedStore } from './watched-store.js'

const never = () => new Promise<never>(() => {})
const began = Date.UTC(2026, 0, 5)
const turn = () => new Promise(resolve => setImmediate(resolve))

/** A client whose pauses pass in one turn, and what arrives of its requests. */
function open(options: Partial<ClientOptions>) {
  const { dispatcher, captured } = capturing(anyReply)
  const waits: number[] = []
  const wait = async (milliseconds: number) => {
    waits.push(milliseconds)
    await turn()
  }
  const client = createClient({
    baseUrl: 'https://gate.example/paynet',
    endpointId: 39,
    login: 'merchant',
    controlKey,
    dispatcher,
    wait,
    ...options,
  })
  return { client, captured, waits }
}

/** Fails the first so many writes: before they are made, or after. */
function lossy(store: Store, times: number, isWritten: boolean): Store & { readonly ids: string[] } {
  const ids: string[] = []
  return {
    ...store,
    ids,
    async write(key, entry, options) {
      ids.push(options.id)
      if (ids.length > times) return store.write(key, entry, options)
      if (isWritten) await store.write(key, entry, options)
      throw new StoreError('ERR_STORE_UNKNOWN', 'The connection was cut at COMMIT.')
    },
  }
}

const ends = async (store: Store): Promise<unknown> => {
  const { items } = await store.list({ limit: 10 })
  return items.flatMap(each => readDocument(each).orders.flatMap(order => order.attempts.map(({ end }) => end?.kind)))
}

describe('a reservation', () => {
  it.each([
    ['was not made', false],
    ['was made', true],
  ])(
    'whose write %s before the connection was cut is written again under its id, and sent once',
    async (_, isWritten) => {
      const kept = memoryStore()
      const store = lossy(kept, 3, isWritten)
      const { client, captured } = open({ store })
      expect(await client.sale(saleRequest)).toMatchObject({ orderId: '77' })
      expect(captured).toHaveLength(1)
      expect(new Set(store.ids.slice(0, 4)).size).toBe(1)
      expect(await ends(kept)).toEqual(['accepted'])
    },
  )

  it('that was made, and on which others wrote before that was known, is known again', async () => {
    const kept = memoryStore()
    let cut = true
    const write: Store['write'] = async (key, entry, options) => {
      const written = await kept.write(key, entry, options)
      if (!cut) return written
      cut = false
      await kept.write(key, entry, { after: options.id, id: 'of-somebody-else' })
      throw new Error('the connection was cut')
    }
    const { client, captured } = open({ store: { ...kept, write } })
    expect(await client.sale(saleRequest)).toMatchObject({ orderId: '77' })
    expect(captured).toHaveLength(1)
    expect(await ends(kept)).toEqual(['accepted'])
  })

  it('of which it is not known whether it was made when the call ends sends nothing, and is taken back', async () => {
    const kept = memoryStore()
    const controller = new AbortController()
    let isAway = true
    const write: Store['write'] = async (key, entry, options) => {
      if (!isAway) return kept.write(key, entry, options)
      if (!controller.signal.aborted) await kept.write(key, entry, options)
      controller.abort(new Error('enough'))
      throw new Error('the connection was cut')
    }
    const { client, captured } = open({ store: { ...kept, write } })
    await expect(client.sale(saleRequest, { signal: controller.signal })).rejects.toMatchObject({
      code: 'ERR_NOT_SENT',
    })
    expect(await ends(kept)).toEqual([undefined])
    isAway = false
    while (((await ends(kept)) as unknown[])[0] === undefined) await turn()
    expect([await ends(kept), captured.length]).toEqual([['not-sent'], 0])
    await client.sale(saleRequest)
    expect([await ends(kept), captured.length]).toEqual([['accepted'], 1])
  })

  it('that arrives at the store after it was taken back comes after no write that is there', async () => {
    const kept = memoryStore()
    const controller = new AbortController()
    let late: (() => Promise<unknown>) | undefined
    const write: Store['write'] = async (key, entry, options) => {
      if (late !== undefined) return kept.write(key, entry, options)
      late = () => kept.write(key, entry, options)
      controller.abort(new Error('enough'))
      throw new Error('the connection was cut')
    }
    const { client, captured } = open({ store: { ...kept, write } })
    await expect(client.sale(saleRequest, { signal: controller.signal })).rejects.toMatchObject({
      code: 'ERR_NOT_SENT',
    })
    while (((await ends(kept)) as unknown[])[0] === undefined) await turn()
    expect(await late?.()).toMatchObject({ kind: 'conflict' })
    expect([await ends(kept), captured.length]).toEqual([['not-sent'], 0])
  })

  it.each(['read', 'write'] as const)('is given up at the deadline where %s never answers', async method => {
    await withHeldTime(async pass => {
      const silent = (): Promise<never> => {
        setImmediate(() => pass(60_000))
        return never()
      }
      const { client, captured } = open({ store: { ...memoryStore(), [method]: silent } })
      const call = client.sale(saleRequest, { timeout: 60_000 })
      await expect(call).rejects.toMatchObject({ code: 'ERR_NOT_SENT', moneyMayHaveMoved: false })
      await expect(call).rejects.toThrow('no answer within 60000 ms')
      expect(captured).toHaveLength(0)
    })
  })

  it('that was given up at the deadline says why the store failed until then', async () => {
    await withHeldTime(async pass => {
      const read = () => {
        setImmediate(() => pass(60_000))
        return Promise.reject(new Error('connect ECONNREFUSED 127.0.0.1:5432'))
      }
      const { client, captured } = open({ store: { ...memoryStore(), read }, wait: undefined })
      const call = client.sale(saleRequest, { timeout: 60_000 })
      await expect(call).rejects.toMatchObject({ code: 'ERR_NOT_SENT', cause: { code: 'ERR_STORE_UNREADABLE' } })
      await expect(call).rejects.toThrow(/connect ECONNREFUSED 127\.0\.0\.1:5432\W+Is the database up and reachable\?/)
      expect(captured).toHaveLength(0)
    })
  })

  it('may take its time within the deadline', async () => {
    const kept = memoryStore()
    const slowly = async () => {
      for (let turns = 0; turns < 50; turns += 1) await turn()
    }
    const read: Store['read'] = async key => {
      await slowly()
      return kept.read(key)
    }
    const write: Store['write'] = async (...given) => {
      await slowly()
      return kept.write(...given)
    }
    const { client, captured } = open({ store: { ...kept, read, write }, wait: never })
    expect(await client.sale(saleRequest)).toMatchObject({ orderId: '77' })
    expect(captured).toHaveLength(1)
    expect(await ends(kept)).toEqual(['accepted'])
  })

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['neither yes nor no', { kind: 'yes' }],
  ])('is not made where the store answers %s, and nothing is sent', async (_, answer) => {
    const write = async () => answer as never
    const { client, captured } = open({ store: { ...memoryStore(), write } })
    await expect(client.sale(saleRequest, { timeout: 20 })).rejects.toMatchObject({ code: 'ERR_NOT_SENT' })
    expect(captured).toHaveLength(0)
    await client.close()
  })

  it('that a store makes after the deadline is taken back', async () => {
    const kept = memoryStore()
    const controller = new AbortController()
    let goOn = (): void => {}
    const write: Store['write'] = async (key, entry, options) => {
      if (!controller.signal.aborted) {
        controller.abort(new Error('enough'))
        await new Promise<void>(resolve => {
          goOn = resolve
        })
      }
      return kept.write(key, entry, options)
    }
    const { client, captured } = open({ store: { ...kept, write } })
    await expect(client.sale(saleRequest, { signal: controller.signal })).rejects.toMatchObject({
      cause: { message: 'enough' },
    })
    goOn()
    while (((await ends(kept)) as unknown[])[0] === undefined) await turn()
    expect([await ends(kept), captured.length]).toEqual([['not-sent'], 0])
  })

  it.each([
    ['a disk that is full', new StoreError('ERR_STORE_REFUSED', 'The disk is full.')],
    ['tables of another release', new StoreError('ERR_STORE_SCHEMA', 'The tables are of an older release.')],
    ['a store that was closed', new StoreError('ERR_STORE_CLOSED', 'The store was closed.')],
  ])('is not tried again with %s, and nothing is sent', async (_, failure) => {
    let writes = 0
    const write = () => {
      writes += 1
      return Promise.reject(failure)
    }
    const { client, captured } = open({ store: { ...memoryStore(), write } })
    const call = client.sale(saleRequest)
    await expect(call).rejects.toMatchObject({ code: 'ERR_NOT_SENT', cause: { code: failure.code } })
    await expect(call).rejects.toThrow(failure.message)
    expect([writes, captured.length]).toEqual([failure.code === 'ERR_STORE_REFUSED' ? 1 : writes, 0])
  })

  it.each([
    ['is no JSON', 'rows', 'is no JSON'],
    ['is something else', '{"id":1}', 'is no payment'],
    ['is of a later release', '{"v":3,"reference":"o-1","facts":[]}', 'by a later release (version 3'],
    [
      'has a request without stages',
      '{"v":2,"reference":"o-1","facts":[{"kind":"requested","order":{"login":"m"},"attempt":{"effect":"creates"}}]}',
      'a fact that cannot be read',
    ],
  ])('is not made where what the store has %s', async (_, body, message) => {
    const store = memoryStore()
    await store.write('payment/production/merchant/o-1', { body, due: null, list: null }, { id: 'planted' })
    const { client, captured } = open({ store })
    const call = client.sale(saleRequest)
    await expect(call).rejects.toMatchObject({ code: 'ERR_NOT_SENT', cause: { code: 'ERR_STORE_DOCUMENT' } })
    await expect(call).rejects.toThrow(message)
    expect(captured).toHaveLength(0)
    expect((await store.read('payment/production/merchant/o-1')).stored).toMatchObject({ version: 1, body })
  })
})

describe('how an attempt ended', () => {
  it('is not hidden by a store that fails, which the observer hears of, and is written once it can be', async () => {
    const kept = watchedStore()
    let isAway = false
    const write: Store['write'] = (key, entry, options) =>
      isAway ? Promise.reject(new Error('the database is down')) : kept.write(key, entry, options)
    const heard: string[] = []
    const observer = {
      unsettled: (_: unknown, cause: unknown) => heard.push(String(cause)),
      signed() {
        isAway = true
      },
    }
    const { client, captured } = open({ store: { ...kept, write }, observer })

    expect(await client.sale(saleRequest)).toMatchObject({ orderId: '77' })
    expect(heard).toEqual(['Error: the store did not take the ending within 5000 ms; it is tried again until it does'])
    expect(kept.attempts()[0]).not.toHaveProperty('end')
    isAway = false
    while (kept.attempts()[0]?.end === undefined) await turn()
    expect(kept.attempts()).toMatchObject([{ end: { kind: 'accepted', orderId: '77' } }])
    expect(captured).toHaveLength(1)
  })

  it('is merged into what others wrote meanwhile, and neither is lost', async () => {
    const kept = watchedStore()
    const { client: other } = open({ store: kept })
    const part = { clientOrderId: 'o-1', orderId: '77', amount: '1.00', currency: 'EUR' }
    const observer = { signed: () => void 0 }
    let between: Promise<unknown> | undefined
    const write: Store['write'] = async (key, entry, options) => {
      // Once the sale is reserved and sent, another process writes first.
      if (options.after !== undefined && between === undefined) {
        between = other.capture(part, { attemptId: 'between' })
        await between
      }
      return kept.write(key, entry, options)
    }
    const { client } = open({ store: { ...kept, write }, observer })
    await client.sale(saleRequest)
    while (kept.attempts().some(({ end }) => end === undefined)) await turn()
    expect(kept.attempts()).toMatchObject([
      { operation: 'sale', end: { kind: 'accepted' } },
      { operation: 'capture', end: { kind: 'accepted' } },
    ])
  })

  it('is waited for when the client is closed', async () => {
    const kept = watchedStore()
    let writes = 0
    const write: Store['write'] = async (key, entry, options) => {
      writes += 1
      // The first of its endings fails twice.
      if (writes === 2 || writes === 3) throw new Error('the database is away')
      return kept.write(key, entry, options)
    }
    const { client } = open({
      store: { ...kept, write },
      wait: async milliseconds => (milliseconds >= 5_000 ? never() : undefined),
    })
    const call = client.sale(saleRequest)
    await call
    await client.close()
    expect(kept.attempts()).toMatchObject([{ end: { kind: 'accepted' } }])
  })
})

describe('a store that fails', () => {
  /** Sells with a store that cannot be read until the deadline of the call comes. */
  const sellWithoutStore = (options: Partial<ClientOptions>) =>
    withHeldTime(async pass => {
      const read = () => {
        setImmediate(() => pass(60_000))
        return Promise.reject(Object.assign(new Error('the database is down'), { code: 'ECONNREFUSED' }))
      }
      const { client } = open({ store: { ...memoryStore(), read }, clock: () => began, ...options })
      const call = client.sale(saleRequest, { timeout: 60_000 })
      await expect(call).rejects.toMatchObject({ code: 'ERR_NOT_SENT' })
    })

  /** Work that an earlier test of the process has left may warn as well. */
  const ofThisStore = ([message]: readonly unknown[]) => String(message).includes('ECONNREFUSED')

  it('is heard of by the process, with the cure, and once while it goes on', async () => {
    const emit = vi.spyOn(process, 'emitWarning').mockReturnValue()
    await sellWithoutStore({})
    const warned = emit.mock.calls.map(call => [...call] as unknown[])
    emit.mockRestore()
    expect(warned.filter(ofThisStore)).toEqual([
      [
        expect.stringMatching(/The cause: Error ECONNREFUSED\. .*reachable\?/),
        { type: 'TillkitWarning', code: 'WARN_STORE_FAILED' },
      ],
    ])
  })

  it('is told to the observer in place of the process', async () => {
    const emit = vi.spyOn(process, 'emitWarning').mockReturnValue()
    const heard: string[] = []
    const observer = { warning: ({ code }: ClientWarning) => void heard.push(code) }
    await sellWithoutStore({ observer })
    expect([heard, emit.mock.calls.filter(ofThisStore)]).toEqual([['WARN_STORE_FAILED'], []])
    emit.mockRestore()
  })
})
