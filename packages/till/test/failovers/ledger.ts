/**
 * The writes of a store that were answered, and whether each of them is still there.
 *
 * @module
 */
import type { Store } from '../../src/store/store.js'

/** The end of one write, as the process that asked for it saw it. Times are those of {@link now}. */
export interface WriteEnd {
  readonly key: string
  readonly began: number
  readonly ended: number
  /** Undefined where nothing was acknowledged. */
  readonly version?: number
  /** Undefined for a commit: the store makes its id. */
  readonly id?: string
  /** The write that it was decided on. */
  readonly after?: string | undefined
}

/** One clock for all processes of this machine, in microseconds. */
export const now = (): number => Number(process.hrtime.bigint() / 1_000n)

/** The store, with each write and commit told when it ends. */
export function toldStore(store: Store<never>, tell: (end: WriteEnd) => void): Store<never> {
  const { commit } = store
  if (commit === undefined) throw new TypeError('The store has no transactions.')
  const watch = async <Result extends Awaited<ReturnType<typeof commit>>>(
    key: string,
    work: () => Promise<Result>,
    ids: () => Pick<WriteEnd, 'id' | 'after'>,
  ): Promise<Result> => {
    const began = now()
    let version: number | undefined
    try {
      const result = await work()
      if (result.kind === 'written') version = result.version
      return result
    } finally {
      tell({ key, began, ended: now(), ...(version === undefined ? {} : { version }), ...ids() })
    }
  }
  return {
    ...store,
    write: (key, entry, options) =>
      watch(
        key,
        () => store.write(key, entry, options),
        () => options,
      ),
    commit(key, work, finish, known) {
      let after: string | undefined
      const finished: typeof finish = current => {
        after = current?.writeId
        return finish(current)
      }
      return watch(
        key,
        () => commit(key, work, finished, known),
        () => ({ after }),
      )
    },
  }
}

/** A document as it is in the end. */
export interface Kept {
  readonly version: number
  readonly writeId: string
}

/** Accuses a server of each write that it has acknowledged, and that is not there any more. */
export function lostWrites(ends: readonly WriteEnd[], kept: ReadonlyMap<string, Kept>): readonly string[] {
  const found: string[] = []
  const byKey = new Map<string, WriteEnd[]>()
  for (const end of ends) byKey.set(end.key, [...(byKey.get(end.key) ?? []), end])
  for (const [key, writes] of byKey) {
    const versions = new Map<number, WriteEnd>()
    for (const write of writes) {
      if (write.version === undefined) continue
      const other = versions.get(write.version)
      if (other !== undefined && (other.id === undefined || other.id !== write.id))
        found.push(`${key}: version ${write.version} was acknowledged for two writes`)
      versions.set(write.version, write)
    }
    const last = Math.max(0, ...versions.keys())
    const there = kept.get(key)
    if (last > (there?.version ?? 0))
      found.push(`${key}: version ${last} was acknowledged, and the store has ${there?.version ?? 'none'}`)
    for (const [version, { id, after }] of versions) {
      const before = versions.get(version - 1)?.id
      if (before !== undefined && after !== before)
        found.push(`${key}: version ${version} does not follow the one before, which was acknowledged`)
      if (version === there?.version && id !== undefined && id !== there.writeId)
        found.push(`${key}: version ${version} was acknowledged, and the store has another write of that number`)
    }
  }
  return found
}
