import { type StoreCheck, until } from './context.js'
import { entry, must, mustBeWritten, mustRead, mustReject, show, upTo } from './expectations.js'

/** The store's clock, and the end of its use. */
export const closeChecks: readonly StoreCheck[] = [
  {
    name: 'has one clock, which never goes back',
    async run({ everywhere }) {
      const stores = await everywhere()
      let latest = Number.NEGATIVE_INFINITY
      let after: string | undefined
      for (const index of upTo(stores.length * 20)) {
        const store = stores[index % stores.length]!
        for (const kind of ['read', 'write', 'conflict', 'take'] as const) {
          let at: number
          if (kind === 'read') at = (await store.read('a')).at
          else if (kind === 'take') at = (await store.take({ limit: 1, hold: 1 })).at
          else {
            const id = `${kind}.${index}`
            const answer = await store.write('a', entry(`${index}`), { after: kind === 'write' ? after : 'none', id })
            at = answer.at
            if (answer.kind === 'written') after = id
            must(answer.kind === (kind === 'write' ? 'written' : kind), `A ${kind} gave ${show(answer)}.`)
          }
          must(Number.isSafeInteger(at), `The clock said ${at} in a ${kind}; expected whole milliseconds.`)
          must(at >= latest, `The clock went back by ${latest - at} ms, to ${at} in a ${kind}.`)
          latest = at
        }
      }
      return undefined
    },
  },
  {
    name: 'has a clock that goes on',
    async run(context) {
      const { at } = await context.store.read('a')
      await until(context, at + 20)
      return undefined
    },
  },
  {
    name: "has a clock that does not go back when the machine's clock is set back",
    async run({ store, another, setClockBack }) {
      if (setClockBack === undefined) return undefined
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
      const seen = (await other.read('a')).at
      must(
        seen >= before,
        `The clock of another store went back by ${before - seen} ms behind a date that was written.`,
      )
      return undefined
    },
  },
  {
    name: 'rejects every call after "close", and may be closed again',
    async run({ store, commit }) {
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
      return worked === 0 ? undefined : 'The work of a "commit" ran after "close".'
    },
  },
  {
    name: 'finishes what was begun before "close"',
    async run({ store, another, concurrency }) {
      const other = await another()
      const writes = upTo(concurrency).map(index => store.write(`k${index}`, entry('1'), { id: `w${index}` }))
      const [answers] = await Promise.all([Promise.all(writes), store.close()])
      for (const answer of answers) mustBeWritten('A write that was begun before "close"', answer, 1)
      if (other === store) return undefined
      for (const index of upTo(concurrency))
        await mustRead('"read" of another store', other, {
          key: `k${index}`,
          version: 1,
          writeId: `w${index}`,
          body: '1',
        })
      return undefined
    },
  },
  {
    name: 'leaves other stores open, and the documents where they are',
    async run({ store, another }) {
      const other = await another()
      if (other === store) return undefined
      await other.write('a', entry('1'), { id: 'w1' })
      await other.close()
      await mustRead('"read" after another store was closed', store, { key: 'a', version: 1, writeId: 'w1', body: '1' })
      mustBeWritten('"write" after it', await store.write('a', entry('2'), { after: 'w1', id: 'w2' }), 2)
      return undefined
    },
  },
]
