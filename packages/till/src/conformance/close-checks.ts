import { check, type StoreCheck, until } from './context.js'
import { entry, must, mustBeWritten, mustRead, mustReject, show, upTo } from './expectations.js'

/** The store's clock, and the end of its use. */
export const closeChecks: readonly StoreCheck[] = [
  check('has one clock, which never goes back', async ({ everywhere }) => {
    const stores = await everywhere()
    let latest = Number.NEGATIVE_INFINITY
    let after: string | undefined
    for (const index of upTo(stores.length * 20)) {
      const store = stores[index % stores.length]!
      for (const kind of ['read', 'write', 'conflict', 'take'] as const) {
        const id = `${kind}.${index}`
        const write = () => store.write('a', entry(`${index}`), { after: kind === 'write' ? after : 'none', id })
        const calls = {
          read: () => store.read('a'),
          take: () => store.take({ limit: 1, hold: 1 }),
          write,
          conflict: write,
        }
        const answer: { readonly at: number; readonly kind?: string } = await calls[kind]()
        const { at } = answer
        if (answer.kind === 'written') after = id
        const expected = { read: undefined, take: undefined, write: 'written', conflict: 'conflict' }[kind]
        must(answer.kind === expected, `A ${kind} gave ${show(answer)}.`)
        must(Number.isSafeInteger(at), `The clock said ${at} in a ${kind}; expected whole milliseconds.`)
        must(at >= latest, `The clock went back by ${latest - at} ms, to ${at} in a ${kind}.`)
        latest = at
      }
    }
  }),
  check('has a clock that goes on', async context => {
    const { at } = await context.store.read('a')
    await until(context, at + 20)
  }),
  check(
    "has a clock that does not go back when the machine's clock is set back",
    async ({ store, another, setClockBack }) => {
      if (setClockBack === undefined) return
      const other = await another()
      const { at: before } = await store.write('a', entry('1'), { id: 'w1' })
      let latest = (await store.read('a')).at
      const calls = {
        read: () => store.read('a'),
        write: () => store.write('a', entry('2'), { after: 'w1', id: 'w2' }),
        take: () => store.take({ limit: 1, hold: 1 }),
      }
      setClockBack(3_600_000)
      for (const kind of ['read', 'write', 'take'] as const) {
        const { at } = await calls[kind]()
        must(at >= latest, `The clock went back by ${latest - at} ms in a ${kind}.`)
        latest = at
      }
      const lag = before - (await other.read('a')).at
      must(lag <= 0, `The clock of another store went back by ${lag} ms behind a date that was written.`)
    },
  ),
  check('rejects every call after "close", and may be closed again', async ({ store, commit }) => {
    await store.write('a', entry('1'), { id: 'w1' })
    await store.close()
    await store.close()
    const code = 'ERR_STORE_CLOSED'
    await mustReject('"read"', () => store.read('a'), code)
    await mustReject('"write"', () => store.write('a', entry('2'), { after: 'w1', id: 'w2' }), code)
    await mustReject('"postpone"', () => store.postpone('a', 'w1', 1), code)
    await mustReject('"take"', () => store.take({ limit: 1, hold: 1 }), code)
    await mustReject('"list"', () => store.list({ limit: 1 }), code)
    let worked = 0
    const work = async () => {
      worked += 1
    }
    if (commit !== undefined) await mustReject('"commit"', () => commit('a', work, () => entry('2')), code)
    must(worked === 0, 'The work of a "commit" ran after "close".')
  }),
  check('finishes what was begun before "close"', async ({ store, another, concurrency }) => {
    const other = await another()
    const writes = upTo(concurrency).map(index => store.write(`k${index}`, entry('1'), { id: `w${index}` }))
    const [answers] = await Promise.all([Promise.all(writes), store.close()])
    for (const answer of answers) mustBeWritten('A write that was begun before "close"', answer, 1)
    if (other === store) return
    for (const index of upTo(concurrency)) {
      const there = { key: `k${index}`, version: 1, writeId: `w${index}`, body: '1' }
      await mustRead('"read" of another store', other, there)
    }
  }),
  check('leaves other stores open, and the documents where they are', async ({ store, another }) => {
    const other = await another()
    if (other === store) return
    await other.write('a', entry('1'), { id: 'w1' })
    await other.close()
    await mustRead('"read" after another store was closed', store, { key: 'a', version: 1, writeId: 'w1', body: '1' })
    mustBeWritten('"write" after it', await store.write('a', entry('2'), { after: 'w1', id: 'w2' }), 2)
  }),
]
