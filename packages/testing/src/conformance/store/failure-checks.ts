import type { Entry, WriteOptions, Written } from '@tillkit/protocol'
import { textOf } from '../samples.js'
import type { StoreCheck, StoreCheckContext } from './context.js'
import {
  codeOf,
  type Documents,
  entry,
  failureOf,
  must,
  mustBeWritten,
  mustRead,
  same,
  sameDocument,
  show,
  Unmet,
  upTo,
} from './expectations.js'
import { append, appended } from './write-checks.js'

/** What is left of a write whose answer was lost. */
export const failureChecks: readonly StoreCheck[] = [
  {
    name: 'leaves the old or the new where a write rejects, and tells which when it is repeated',
    async run(context) {
      const { store, disturb } = context
      if (disturb === undefined) return undefined
      for (const version of upTo(6)) {
        const keys = upTo(context.concurrency).map(index => `k${index}`)
        const writes = keys.map(key => failureOf(() => store.write(key, numbered(version + 1), optionsAt(version))))
        await disturb()
        const answers = await Promise.all(writes)
        for (const [index, { error, value }] of answers.entries()) {
          const key = keys[index] ?? ''
          if (error !== undefined) await mustTellWhich(context, key, version, error)
          else mustBeWritten('A write while the store was disturbed', value as Written, version + 1)
          await mustSurelyRead(context, '"read" of what was written', store, {
            key,
            version: version + 1,
            body: `${version + 1}`,
          })
        }
      }
      return undefined
    },
  },
  {
    name: 'loses no write of many who count on one document while the store is disturbed',
    async run(context) {
      const { store, another, disturb, concurrency } = context
      if (disturb === undefined) return undefined
      const stores = [store, await another()]
      const ids = upTo(concurrency).map(writer => upTo(5).map(count => `${writer}.${count}`))
      let isOver = false
      const disturbing = (async () => {
        for (const _ of upTo(10)) {
          await disturb()
          await context.pass(5)
          if (isOver) return
        }
      })()
      try {
        await Promise.all(
          ids.map(async (own, writer) => {
            const on = stores[writer % 2] ?? store
            for (const id of own) await surely(context, () => append(on, id, insisting(context, on)))
          }),
        )
      } finally {
        isOver = true
        await disturbing
      }
      return surely(context, () => appended(store, ids.flat()))
    },
  },
  {
    name: 'keeps what a process was told is written when that process is killed, and the old or the new of the rest',
    async run(context) {
      const { store, ownProcess, kills } = context
      if (ownProcess === undefined) return undefined
      const keys = upTo(context.concurrency * 2).map(index => `k${index}`)
      for (const version of upTo(kills)) {
        const own = await ownProcess()
        const writes = keys.map(key => failureOf(() => own.store.write(key, numbered(version + 1), optionsAt(version))))
        // One answer at least; each round, the kill comes after some more.
        for (const index of upTo(1 + version * 3)) await writes[index % writes.length]
        await own.kill()
        for (const [index, { error, value }] of (await Promise.all(writes)).entries()) {
          const key = keys[index] ?? ''
          if (error === undefined) {
            mustBeWritten('A write before the kill', value as Written, version + 1)
            await mustSurelyRead(context, '"read" of what was written before the kill', store, {
              key,
              version: version + 1,
              body: `${version + 1}`,
            })
          } else await mustTellWhich(context, key, version, error)
        }
      }
      return undefined
    },
  },
]

/** A body, and the list that it stands on: a mix of two entries shows. */
const numbered = (number: number): Entry => entry(`${number}`, { list: `list-${number}` })

const optionsAt = (version: number): WriteOptions => ({ version, id: `w${version}` })

/** The document is old or new as a whole; and the same write with the same id ends in the new one. */
async function mustTellWhich(context: StoreCheckContext, key: string, version: number, error: unknown): Promise<void> {
  const { store } = context
  must(
    codeOf(error)?.startsWith('ERR_STORE_') === true,
    `A write rejected with ${codeOf(error) ?? 'no code'}: ${textOf(error)}. Expected a StoreError.`,
  )
  const stored = await surely(context, async () => (await store.read(key)).stored)
  if (stored?.version === version + 1)
    sameDocument('The new document', stored, { key, version: version + 1, body: `${version + 1}` })
  else sameDocument('The old document', stored, version === 0 ? undefined : { key, version, body: `${version}` })
  if (codeOf(error) === 'ERR_STORE_REFUSED')
    must(stored?.version !== version + 1, 'A write was refused with ERR_STORE_REFUSED, and was written.')
  const again = await surely(context, () => store.write(key, numbered(version + 1), optionsAt(version)))
  mustBeWritten('A write that rejected, repeated with the same id', again, version + 1)
  await mustSurelyRead(context, '"read" after it was repeated', store, {
    key,
    version: version + 1,
    body: `${version + 1}`,
  })
  const { items } = await surely(context, () => store.list({ list: `list-${version + 1}`, limit: 1000 }))
  must(
    items.some(each => each.key === key),
    `The document is new, and does not stand on the list it was written to.`,
  )
}

/** A connection that broke may be noticed by the next call only. */
const mustSurelyRead = (context: StoreCheckContext, ...read: Parameters<typeof mustRead>): Promise<void> =>
  surely(context, () => mustRead(...read))

/** The same write with the same id until it has an answer. */
const insisting =
  (context: StoreCheckContext, store: Documents): Documents['write'] =>
  (key, what, options) =>
    surely(context, () => store.write(key, what, options))

/** Calls until it does not reject. @throws What it rejected with last, where the store does not recover. */
export async function surely<Result>(
  { pass }: Pick<StoreCheckContext, 'pass'>,
  call: () => Promise<Result>,
): Promise<Result> {
  let last: unknown
  for (const times of upTo(200)) {
    try {
      return await call()
    } catch (error) {
      if (error instanceof Unmet) throw error
      last = error
      await pass(Math.min(times, 50))
    }
  }
  throw last
}

/** Rows and documents of commits that were disturbed. */
export const commitFailureChecks: readonly StoreCheck[] = [
  {
    name: 'commits row and document together, or neither, where "commit" rejects',
    async run(context) {
      const { store, commit, row, disturb } = context
      if (commit === undefined || disturb === undefined) return undefined
      for (const round of upTo(6)) {
        const keys = upTo(4).map(index => `${round}.${index}`)
        const commits = keys.map(key =>
          failureOf(() =>
            commit(
              key,
              insert => insert(key, 'paid'),
              () => entry('"told"'),
            ),
          ),
        )
        await disturb()
        for (const [index, { error, value }] of (await Promise.all(commits)).entries()) {
          const key = keys[index] ?? ''
          if (error === undefined) mustBeWritten('"commit"', value as Written, 1)
          const { stored } = await settled(context, key)
          const found = { row: await row(key), body: stored?.body }
          const isThere = stored !== undefined
          same(
            'Row and document',
            found,
            isThere ? { row: 'paid', body: '"told"' } : { row: undefined, body: undefined },
          )
          if (error === undefined) must(isThere, '"commit" answered "written", and neither row nor document is there.')
          if (codeOf(error) === 'ERR_STORE_REFUSED') must(!isThere, `It was refused, and is there: ${show(error)}.`)
        }
      }
      await surely(context, () => store.read('a'))
      return undefined
    },
  },
]

/** Reads once nothing can land any more: a write that is refused or conflicts stands behind what was on its way. */
async function settled(context: StoreCheckContext, key: string) {
  await context.pass(50)
  return surely(context, () => context.store.read(key))
}
