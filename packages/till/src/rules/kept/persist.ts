import { StoreError } from '../../store/store.js'

/** A store that failed. */
export interface StoreTrouble {
  /** `again`: it is asked again. `given-up`: a fact is lost to the store, since it cannot be kept or nobody waits any more. */
  readonly kind: 'again' | 'given-up'
  readonly key: string
  readonly cause: unknown
  /** How often it has failed so far. */
  readonly failures: number
}

/** How long somebody waits for a store. A deadline of the client's is one. */
export interface Patience {
  isOver(): boolean
  signal(): AbortSignal
}

/** A question that a store is asked until it answers. */
export interface Persistence {
  readonly key: string
  /** The code of the error that is thrown once patience is over. */
  readonly code: 'ERR_STORE_UNREADABLE' | 'ERR_STORE_UNKNOWN'
  readonly patience: Patience
  /** Resolves after so many milliseconds, or when the signal fires. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

/** Asks again while the store fails and asking again may help. */
export async function persist<Result>(
  ask: () => Promise<Result>,
  { key, code, patience, wait }: Persistence,
): Promise<Result> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await ask()
    } catch (cause) {
      if (isLasting(cause)) {
        // An earlier try may have been written, whatever is said of this one.
        throw failures > 1 && code === 'ERR_STORE_UNKNOWN' ? gaveUp(code, { key, cause, failures }) : cause
      }
      if (!patience.isOver()) await wait(pauseAfter(failures), patience.signal())
      if (patience.isOver()) throw gaveUp(code, { key, cause, failures })
    }
  }
}

/** The first pause before a store is asked again, and the longest, in milliseconds. It doubles in between. */
const [firstPause, longestPause] = [50, 5_000]

/** The pause after so many failures, in milliseconds. */
export const pauseAfter = (failures: number): number => Math.min(firstPause * 2 ** (failures - 1), longestPause)

/** The code of an error, where it has one. */
export const codeOf = (cause: unknown): string | undefined => {
  const code: unknown = typeof cause === 'object' && cause !== null ? Reflect.get(cause, 'code') : undefined
  return typeof code === 'string' ? code : undefined
}

export const isClosed = (cause: unknown): boolean => codeOf(cause) === 'ERR_STORE_CLOSED'

/** Whether only people can help: they update this process, or restore a document. */
export const needsPeople = (cause: unknown): boolean =>
  codeOf(cause) === 'ERR_STORE_SCHEMA' || codeOf(cause) === 'ERR_STORE_DOCUMENT'

/** Whether asking again at once does not help. */
export const isLasting = (cause: unknown): boolean =>
  needsPeople(cause) || codeOf(cause) === 'ERR_STORE_REFUSED' || isClosed(cause)

/** Makes the error for a caller that waits for a store no longer. */
export function gaveUp(code: StoreError['code'], { key, cause, failures }: Omit<StoreTrouble, 'kind'>): StoreError {
  const what =
    code === 'ERR_STORE_UNKNOWN'
      ? `It is not known whether the store wrote ${JSON.stringify(key)}`
      : `The store did not read ${JSON.stringify(key)}`
  const why = cause instanceof Error ? cause.message : String(cause)
  // Our own stores say what to do themselves.
  const cure = cause instanceof StoreError ? '' : ' Is the database up and reachable?'
  return new StoreError(code, `${what}: it failed ${failures} times, at last with: ${why}${cure}`, { cause })
}
