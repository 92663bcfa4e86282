import type { Stored } from '../store/store.js'
import { mustHaveNeither } from './commit-checks.js'
import { commitCheck, inserting, noWork, type StoreCheck } from './context.js'
import { callAndCatch, entry, must, mustBeWritten, mustRead, nth, same, textOf, upTo } from './expectations.js'
import { append, appended, idsIn } from './write-checks.js'

/** `commit` while others commit and write. */
export const commitRaceChecks: readonly StoreCheck[] = [
  commitCheck(
    'gives "finish" the document as it is by then, and runs the work once',
    async ({ commit, another, row }) => {
      const other = await another()
      let worked = 0
      let rounds = 0
      const answer = await commit(
        'a',
        async insert => {
          worked += 1
          await insert('a', 'x')
          mustBeWritten('A write while the work ran', await other.write('a', entry('"other"'), { id: 'w1' }), 1)
        },
        current => {
          rounds += 1
          return current?.body === '"other"' ? entry('"both"') : entry('"lost"')
        },
      )
      mustBeWritten('"commit"', answer, 2)
      await mustRead('"read"', other, { key: 'a', version: 2, body: '"both"' })
      same('The row', await row('a'), 'x')
      same('How often the work ran', worked, 1)
      must(rounds >= 1, '"finish" did not run.')
    },
  ),
  commitCheck('never writes over a write that comes while "finish" runs', async ({ commit, store, another }) => {
    const other = await another()
    for (const round of upTo(10)) {
      const key = `a${round}`
      await store.write(key, entry('[]'), { id: `${key}.1` })
      const writes: Promise<unknown>[] = []
      const answer = await commit(key, noWork, current => {
        const { version = 0, writeId: after } = current ?? {}
        const body = JSON.stringify([...idsIn(current), `write ${version}`])
        if (writes.length < 3) writes.push(other.write(key, entry(body), { after, id: `${key}.during.${version}` }))
        return entry(JSON.stringify([...idsIn(current), 'commit']))
      })
      const written = (await Promise.all(writes)).filter(each => (each as { kind?: string }).kind === 'written').length
      same('"commit" while others write', answer.kind, 'written')
      const { stored } = await store.read(key)
      same('The writes in the document, and that of "commit"', idsIn(stored).length, written + 1)
      same('Its version', stored?.version, written + 2)
      must(idsIn(stored).includes('commit'), 'What "finish" wrote is not in the document.')
    }
  }),
  commitCheck('loses nothing where commits and writes of one document meet', async context => {
    const { store, everywhere, commit, row, concurrency } = context
    const stores = await everywhere()
    const works = new Map<string, number>()
    const ids = upTo(concurrency).flatMap(writer => upTo(3).map(count => `${writer}.${count}`))
    await Promise.all(
      ids.map(async (id, index) => {
        if (index % 2 === 0) return append(stores[index % stores.length] ?? store, id)
        const work = async (insert: (id: string, value: string) => Promise<void>) => {
          works.set(id, (works.get(id) ?? 0) + 1)
          await insert(id, 'x')
        }
        const finish = (current: Stored | undefined) => entry(JSON.stringify([...idsIn(current), id]))
        const answer = await commit('count', work, finish, index % 4 === 1 ? 'store' : 'another')
        same('"commit"', answer.kind, 'written')
      }),
    )
    await appended(store, ids)
    for (const [id, times] of works) {
      same('How often the work ran', times, 1)
      same('The row of a commit', await row(id), 'x')
    }
  }),
  commitCheck('holds no other call up while the work runs', async ({ commit, store, another, within }) => {
    const stores = [store, await another()]
    await store.write('a', entry('1', { due: 1, list: 'open' }), { id: 'w1' })
    const answer = await commit(
      'a',
      async insert => {
        await insert('a', 'x')
        for (const [index, each] of stores.entries()) {
          const during = 'while the work of a "commit" ran'
          const key = `other ${index}`
          const write = each.write(key, entry('1'), { id: `other.${index}` })
          mustBeWritten('"write"', await within(`"write" ${during}`, write), 1)
          const options = nth(index + 2)
          const its = each.write('a', entry('2', { list: 'open' }), options)
          const written = await within(`"write" of its document ${during}`, its)
          mustBeWritten('"write" of the same document', written, index + 2)
          await within(`"read" ${during}`, each.read('a'))
          await within(`"list" ${during}`, each.list({ list: 'open', limit: 9 }))
          await within(`"postpone" ${during}`, each.postpone('a', options.id, 1))
          await within(`"take" ${during}`, each.take({ limit: 9, hold: 1 }))
        }
      },
      current => (current?.version === stores.length + 1 ? entry('"told"') : undefined),
    )
    mustBeWritten('"commit"', answer, stores.length + 2)
  }),
  commitCheck('keeps what others write when it rolls back', async context => {
    const { commit, store, another, row, within } = context
    const stores = [store, await another()]
    const { error } = await callAndCatch(() =>
      commit(
        'a',
        async insert => {
          await insert('a', 'x')
          for (const [index, each] of stores.entries()) {
            const write = each.write(`other ${index}`, entry('1'), { id: `other.${index}` })
            mustBeWritten('"write"', await within('"write" while the work of a "commit" ran', write), 1)
            const its = each.write('a', entry(`${index + 1}`), nth(index + 1))
            mustBeWritten('"write" of the same document', await within('"write" of its document', its), index + 1)
          }
          throw new Error('the handler fails')
        },
        () => entry('"told"'),
      ),
    )
    same('The rejection', textOf(error), 'the handler fails')
    await mustHaveNeither(context, 'After it', 'a', { key: 'a', version: 2, writeId: 'w2', body: '2' })
    for (const [index, each] of stores.entries())
      await mustRead('"read"', each, { key: `other ${index}`, version: 1, writeId: `other.${index}`, body: '1' })
    same('A row that was never written', await row('other 0'), undefined)
  }),
  ...(['store', 'another'] as const).map(on =>
    commitCheck(
      `keeps a commit of ${on === 'store' ? 'its own' : 'another store'} when the one around it rolls back`,
      async context => {
        const { commit, store, row, within } = context
        const { error } = await callAndCatch(() =>
          commit(
            'outer',
            async insert => {
              await insert('outer', 'x')
              const inner = commit('inner', inserting('inner', 'y'), () => entry('"inner"'), on)
              mustBeWritten('"commit"', await within('"commit" while the work of another one ran', inner), 1)
              throw new Error('the handler fails')
            },
            () => entry('"outer"'),
          ),
        )
        same('The rejection', textOf(error), 'the handler fails')
        await mustHaveNeither(context, 'The one that failed', 'outer')
        same('The row of the one that was committed', await row('inner'), 'y')
        await mustRead('Its document', store, { key: 'inner', version: 1, body: '"inner"' })
      },
    ),
  ),
]
