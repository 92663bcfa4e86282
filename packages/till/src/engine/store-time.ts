import type { HeardAt } from './advance.js'

/** The clocks of a process, in milliseconds. */
export interface Clocks {
  /** Since the epoch. It goes on while the machine is suspended, and can be set. */
  readonly system: () => number
  /** Since whenever. It is never set, and may stand still while the machine is suspended. */
  readonly monotonic: () => number
}

/** Both clocks at one moment. */
export interface Reading {
  readonly system: number
  readonly monotonic: number
}

/** Makes the store's time as one run knows it: the last word of the store, and what has passed since by both clocks. */
export function createStoreTime({ system, monotonic }: Clocks) {
  let last: Reading = { system: 0, monotonic: 0 }
  /** A clock that fails must not hide what happened: it stands still then. */
  const read = (): Reading => {
    try {
      last = { system: system(), monotonic: monotonic() }
    } catch {}
    return last
  }
  const since = (then: Reading, now: Reading): readonly [least: number, most: number] => {
    const [one, other] = [now.system - then.system, now.monotonic - then.monotonic]
    return [Math.max(0, Math.min(one, other)), Math.max(0, one, other)]
  }
  const born = read()
  let began = born
  let word: { readonly at: number; readonly asked: Reading; readonly heard: Reading } | undefined
  return {
    read,
    /** From now on `passed` is counted anew. */
    begin(): void {
      began = read()
    },
    /** The store said what its clock says, at some moment between the question and now. */
    heard(at: number, asked: Reading): void {
      word = { at, asked, heard: read() }
    },
    /** Gives the time. Before the first word of the store every moment is possible. */
    now(): HeardAt {
      const now = read()
      const [[, passed], [, lived]] = [since(began, now), since(born, now)]
      const times = { passed, lived }
      if (word === undefined) return { earliest: Number.NEGATIVE_INFINITY, latest: Number.POSITIVE_INFINITY, ...times }
      const [least] = since(word.heard, now)
      const [, most] = since(word.asked, now)
      return { earliest: Math.floor(word.at + least), latest: Math.ceil(word.at + most), ...times }
    },
  }
}

export type StoreTime = ReturnType<typeof createStoreTime>
