import type { Entry, Written } from '../store/store.js'
import { check, inserting, type StoreCheck, type StoreCheckContext } from './context.js'
import {
  callAndCatch,
  codeOf,
  type Documents,
  entry,
  must,
  mustBeWritten,
  mustRead,
  nth,
  same,
  sameDocument,
  show,
  textOf,
  Unmet,
  upTo,
} from './expectations.js'
import { append, appended, countTogether } from './write-checks.js'

/** Checks of what a write leaves behind if its answer was lost. */
export const failureChecks: readonly StoreCheck[] = [
  check('leaves the old or the new where a write rejects, and tells which when it is repeated', context =>
    whileDisturbed(context, async () => {
      const { store, another, concurrency } = context
      const stores = [store, await another()]
      await Promise.all(
        upTo(concurrency).map(async index => {
          const [key, on] = [`k${index}`, stores[index % 2] ?? store]
          for (const version of upTo(9).slice(1)) {
            const { error, value } = await callAndCatch(() => on.write(key, numbered(version), nth(version, `${key}.`)))
            if (error !== undefined) await mustTellWhich(context, key, version, error)
            else mustBeWritten('A write while the store was disturbed', value as Written, version)
            await mustSurelyRead(context, '"read" of what was written', on, documentAt(key, version))
          }
        }),
      )
    }),
  ),
  check('loses no write of many who count on one document while the store is disturbed', context =>
    whileDisturbed(context, async () => {
      const { store, another } = context
      const ids = await countTogether(context, [store, await another()], (on, id) => {
        // The same write with the same id until it has an answer.
        const write: Documents['write'] = (...what) => surely(context, () => on.write(...what))
        return surely(context, () => append(on, id, write))
      })
      await surely(context, () => appended(store, ids))
    }),
  ),
  check(
    'keeps what a process was told is written when that process is killed, and the old or the new of the rest',
    async context => {
      const { ownProcess, kills, concurrency, pass } = context
      if (ownProcess === undefined) return
      const versions = new Map(upTo(concurrency).map(index => [`k${index}`, 1]))
      for (const round of upTo(kills)) {
        const own = await ownProcess()
        let answers = 0
        const writeOn = async (key: string, first: number) => {
          for (let version = first; ; version += 1) {
            const write = () => own.store.write(key, numbered(version), nth(version, `${key}.`))
            const { error, value } = await callAndCatch(write)
            if (error !== undefined) return { key, version, error }
            mustBeWritten('A write before the kill', value as Written, version)
            answers += 1
            if (answers !== concurrency + round * 17) continue
            // The others write on until then: some of what they write is kept, and its answer is lost.
            await pass(round % 5)
            await own.kill()
          }
        }
        // Each key has a write on its way when the process is killed.
        const cut = await Promise.all([...versions].map(([key, version]) => writeOn(key, version)))
        for (const { key, version, error } of cut) {
          await mustTellWhich(context, key, version, error)
          versions.set(key, version + 1)
        }
      }
    },
  ),
]

/** Rows and documents of commits that were disturbed. */
export const commitFailureChecks: readonly StoreCheck[] = [
  check('commits row and document together, or neither, where "commit" rejects', context =>
    whileDisturbed(context, async () => {
      const { commit, row, store } = context
      if (commit === undefined) return
      const commitOne = async (key: string): Promise<void> => {
        const { error, value } = await callAndCatch(() => commit(key, inserting(key, 'paid'), () => entry('"told"')))
        if (error === undefined) mustBeWritten('"commit"', value as Written, 1)
        // Nothing can land behind this write: it goes through, or finds what was committed.
        const late = await surely(context, () => store.write(key, entry('"late"'), { id: `late.${key}` }))
        const isThere = late.kind === 'conflict' && late.current?.body === '"told"'
        if (error === undefined) must(isThere, '"commit" answered "written", and the document is not there.')
        if (codeOf(error) === 'ERR_STORE_REFUSED') must(!isThere, `It was refused, and is there: ${show(error)}.`)
        const what = isThere ? 'The row of a document that is there' : 'The row of a document that is not there'
        same(what, await surely(context, () => row(key)), isThere ? 'paid' : undefined)
      }
      await Promise.all(
        upTo(4).map(async lane => {
          for (const count of upTo(6)) await commitOne(`${lane}.${count}`)
        }),
      )
    }),
  ),
]

/** Works while what the store works on breaks again and again; does nothing where the ground cannot break it. */
async function whileDisturbed(context: StoreCheckContext, work: () => Promise<void>): Promise<void> {
  const { disturb, pass } = context
  if (disturb === undefined) return
  let isOver = false
  const disturbing = (async () => {
    for (const _ of upTo(10)) {
      if (isOver) return
      await disturb()
      await pass(5)
    }
  })()
  try {
    await work()
  } finally {
    isOver = true
    await disturbing
  }
}

/** A body, and the list that it stands on: a mix of two entries shows. */
const numbered = (number: number): Entry => entry(`${number}`, { list: `list-${number}` })

const documentAt = (key: string, version: number) => ({
  key,
  version,
  writeId: `${key}.${version}`,
  body: `${version}`,
})

/** The document is at that version or the one before as a whole; and the same write with the same id ends in the new one. */
async function mustTellWhich(context: StoreCheckContext, key: string, version: number, error: unknown): Promise<void> {
  const { store } = context
  must(
    codeOf(error)?.startsWith('ERR_STORE_') === true,
    `A write rejected with ${codeOf(error) ?? 'no code'}: ${textOf(error)}. Expected a StoreError.`,
  )
  const stored = await surely(context, async () => (await store.read(key)).stored)
  const isNew = stored?.version === version
  if (isNew) sameDocument('The new document', stored, documentAt(key, version))
  else sameDocument('The old document', stored, version === 1 ? undefined : documentAt(key, version - 1))
  must(codeOf(error) !== 'ERR_STORE_REFUSED' || !isNew, 'A write was refused with ERR_STORE_REFUSED, and was written.')
  const again = await surely(context, () => store.write(key, numbered(version), nth(version, `${key}.`)))
  mustBeWritten('A write that rejected, repeated with the same id,', again, version)
  await mustSurelyRead(context, '"read" after it was repeated', store, documentAt(key, version))
  const { items } = await surely(context, () => store.list({ list: `list-${version}`, limit: 1000 }))
  must(
    items.some(each => each.key === key),
    'The document is new, and does not stand on the list it was written to.',
  )
}

/** A connection that broke may be noticed by the next call only. */
const mustSurelyRead = (context: StoreCheckContext, ...read: Parameters<typeof mustRead>): Promise<void> =>
  surely(context, () => mustRead(...read))

/** Calls until it does not reject. @throws What it rejected with last, where the store does not recover. */
async function surely<Result>({ pass }: StoreCheckContext, call: () => Promise<Result>): Promise<Result> {
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
