/** The results of deep walks, in docs/evidence/deep.json. */
export interface Results {
  /** Worlds of each pair, moves to the last one, and why it is not complete, if it is not. */
  readonly pairs: Readonly<Record<string, readonly (number | string)[]>>
  /** Random ways: the first seed, how many were taken, and how many worlds they went through. */
  readonly sampled?: { readonly from: number; readonly walks: number; readonly worlds: number }
}

/** Whether every world of a pair was met. */
export const isComplete = (result: Results['pairs'][string]): boolean => result.length === 2

/** Puts results in the place of earlier ones. @param names The pairs that there are: another one is gone. */
export function withResults(kept: Results, results: Results, names: ReadonlySet<string>): Results {
  const pairs = Object.entries({ ...kept.pairs, ...results.pairs })
    .filter(([name]) => names.has(name))
    .sort(([one], [other]) => (one < other ? -1 : 1))
  const sampled = results.sampled ?? kept.sampled
  return { pairs: Object.fromEntries(pairs), ...(sampled === undefined ? {} : { sampled }) }
}
