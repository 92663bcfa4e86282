import type { Patience } from '@tillkit/protocol'
import type { Wait } from '../config/time.js'

/** Runs something that waits for the store, with its patience. */
export type Patiently = <Result>(work: (patience: Patience) => Promise<Result>) => Promise<Result>

/** Makes the patience of what must not wait longer than a lease: from the first failure of the store on, whoever waits longer is told elsewhere. */
export const patienceOfLease =
  ({ lease, wait, closed }: { readonly lease: number; readonly wait: Wait; readonly closed: AbortSignal }): Patiently =>
  async work => {
    const done = new AbortController()
    let over: AbortController | undefined
    const begin = (): AbortController => {
      const begun = new AbortController()
      const end = () => begun.abort()
      wait(lease, done.signal).then(end, end)
      return begun
    }
    try {
      return await work({
        isOver: () => over?.signal.aborted === true || closed.aborted,
        signal() {
          over ??= begin()
          return AbortSignal.any([over.signal, closed])
        },
      })
    } finally {
      if (over !== undefined) done.abort()
    }
  }
