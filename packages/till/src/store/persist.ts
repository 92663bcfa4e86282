import { StoreError } from './store.js'

/** A store that failed. */
export interface StoreTrouble {
  /** `again`: it is asked again. `given-up`: a fact is lost to the store, since it cannot be kept or nobody waits any more. */
  readonly kind: 'again' | 'given-up'
  readonly key: string
  readonly cause: unknown
  /** How often it has failed so far. */
  readonly failures: number
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
