/**
 * Judges what the store has answered to all processes together. Its order is the chain of `after` ids: each write stands on the one that it
 * names, once, and each answer shows a moment between the call and the answer. A call without an answer may have been carried out or not:
 * it was, where anybody has seen its write.
 *
 * @module
 */
import { Refused } from './replay.js'
import { grouped, type RecordedCall, type Trace } from './trace.js'

/** A write that the store has taken. */
interface Taken {
  /** Its name; undefined: a commit that nobody has seen since. */
  readonly id: string | undefined
  readonly after: string | undefined
  readonly body: string | undefined
  /** It was taken between these two. */
  readonly from: number
  readonly until: number
}

/** A look at a document: the version that it shows, and between which two moments. */
interface Look {
  readonly version: number
  readonly from: number
  readonly until: number
}

const refuse = (message: string): never => {
  throw new Refused('store', message)
}

/** @throws {Refused} where no store could have answered so. */
export function judgeStore({ calls, kept }: Pick<Trace, 'calls' | 'kept'>): void {
  const documents = grouped(calls, ({ call }) => call.key)
  for (const { key } of kept) if (!documents.has(key)) refuse(`Nobody has written ${key}, and it is there.`)
  for (const [key, own] of documents)
    judgeDocument(
      own,
      kept.filter(each => each.key === key),
    )
}

function judgeDocument(calls: readonly RecordedCall[], kept: Trace['kept']): void {
  const last = Number.POSITIVE_INFINITY
  const shown = [
    ...calls.flatMap(({ answer }) => (answer?.seen === undefined ? [] : [answer.seen])),
    ...kept.map(({ writeId, version }) => ({ writeId, version, body: undefined })),
  ]
  const versions = new Map<string, number>()
  const ids = new Map<number, string>()
  for (const { writeId, version } of shown) {
    if ((versions.get(writeId) ?? version) !== version) refuse(`The write ${writeId} is shown as two versions.`)
    if ((ids.get(version) ?? writeId) !== writeId) refuse(`Version ${version} was shown as two writes.`)
    versions.set(writeId, version)
    ids.set(version, writeId)
  }
  const chain = new Map<number, Taken>()
  const names = new Set<string>()
  const take = (version: number, taken: Taken): void => {
    // The same write, tried again.
    const other = chain.get(version)
    if (other !== undefined && other.id !== taken.id) refuse(`Two writes are version ${version}: the chain forks.`)
    if (taken.id !== undefined && (versions.get(taken.id) ?? version) !== version)
      refuse(`The write ${taken.id} was answered as version ${version}, and shown as another.`)
    chain.set(
      version,
      other === undefined ? taken : { ...taken, from: other.from, until: Math.min(other.until, taken.until) },
    )
    if (taken.id !== undefined) names.add(taken.id)
    // The write before may be a commit, whose name its own process never heard.
    const { after } = taken
    if (after === undefined || ids.has(version - 1) || versions.has(after)) return
    ids.set(version - 1, after)
    versions.set(after, version - 1)
  }
  for (const { call, finish, answer } of calls.filter(({ answer }) => answer?.came === 'written')) {
    const { version = 0, t: until } = answer ?? { t: last }
    const isCommit = call.does === 'commit'
    const id = isCommit ? ids.get(version) : call.id
    const { after, body } = isCommit ? (finish ?? refuse('A commit that finished nothing was written.')) : call
    take(version, { id, after, body, from: call.t, until })
    if (id !== undefined) versions.set(id, version)
    if (id !== undefined && (ids.get(version) ?? id) !== id) refuse(`Version ${version} was shown as another write.`)
    if (id !== undefined) ids.set(version, id)
  }
  // Whatever stands upon a write says that it was made, though nobody has heard so.
  const named = new Set([...versions.keys(), ...[...chain.values()].flatMap(({ after }) => after ?? [])])
  const doubtful = calls.filter(({ answer }) => answer === undefined || answer.came === 'threw')
  for (let isMore = true; isMore; ) {
    isMore = false
    for (const { call } of doubtful) {
      const { id, after, body, does } = call
      if (does !== 'write' || id === undefined || names.has(id) || !named.has(id)) continue
      const version = after === undefined ? 1 : (versions.get(after) ?? Number.NaN) + 1
      if (Number.isNaN(version)) {
        if (after !== undefined && !named.has(after)) named.add(after)
        continue
      }
      take(version, { id, after, body, from: call.t, until: last })
      versions.set(id, version)
      ids.set(version, id)
      isMore = true
    }
  }
  for (const { call, finish } of doubtful) {
    if (call.does !== 'commit' || finish?.body === undefined) continue
    const version = finish.after === undefined ? 1 : (versions.get(finish.after) ?? Number.NaN) + 1
    // It was made where a write is seen there that nobody else has made.
    const id = ids.get(version)
    if (id === undefined || chain.has(version)) continue
    take(version, { id, after: finish.after, body: finish.body, from: call.t, until: last })
  }
  judgeChain({ calls, kept, chain, ids, versions })
}

interface Chain {
  readonly calls: readonly RecordedCall[]
  readonly kept: Trace['kept']
  readonly chain: ReadonlyMap<number, Taken>
  readonly ids: ReadonlyMap<number, string>
  readonly versions: ReadonlyMap<string, number>
}

function judgeChain({ calls, kept, chain, ids, versions }: Chain): void {
  const length = Math.max(0, ...chain.keys(), ...ids.keys())
  const looks: Look[] = []
  for (const { call, answer } of calls) {
    if (answer === undefined || answer.came === 'threw' || answer.came === 'not-done') continue
    const { seen, came, t: until } = answer
    if (came === 'written') continue
    const version = seen?.version ?? 0
    if (came === 'conflict' && call.does === 'write' && seen?.writeId === call.after)
      refuse(`The write ${call.id} was refused, though nobody had written since.`)
    looks.push({ version, from: call.t, until })
    if (seen !== undefined && chain.get(version)?.body !== undefined && chain.get(version)?.body !== seen.body)
      refuse(`Version ${version} was shown with another body than it was written with.`)
  }
  const last = kept[0]?.version ?? 0
  if (kept.length > 0 && last < length)
    refuse(`The store ends with version ${last}, and ${length} was there: a write is lost.`)
  // Each write has a moment: after that of the one before, and after all that has shown that one.
  let moment = Number.NEGATIVE_INFINITY
  for (let version = 0; version <= length; version += 1) {
    const taken = chain.get(version)
    if (version > 0) {
      if (taken === undefined) refuse(`Nobody has written version ${version}.`)
      const before = version === 1 ? undefined : ids.get(version - 1)
      if (taken?.after !== before && !(before === undefined && version > 1 && taken?.after === undefined))
        refuse(`Version ${version} was decided on ${taken?.after}, and stands upon ${before}.`)
      moment = Math.max(moment, taken?.from ?? moment)
      if (moment > (taken?.until ?? moment))
        refuse(`Version ${version} was answered before it could have been written.`)
    }
    const shown = looks.filter(each => each.version === version)
    const latest = Math.min(Number.POSITIVE_INFINITY, ...shown.map(({ until }) => until))
    if (moment > latest) refuse(`Version ${version} was shown before it was written.`)
    moment = Math.max(moment, ...shown.map(({ from }) => from))
  }
  for (const { version } of looks) if (version > length) refuse(`Version ${version} was shown, and is none.`)
  if (versions.size > 0 && length === 0) refuse('A document was shown that nobody has written.')
}
