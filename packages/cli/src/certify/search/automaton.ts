/** Patterns that are looked for all at once, in one step for each byte (Aho and Corasick, 1975). */
export interface Automaton {
  /** The state after a byte: at `state * width + byte`. It begins at 0. */
  readonly next: Uint16Array
  /** How many values a byte can have. */
  readonly width: number
  /** 1 for a state in which a pattern ends. */
  readonly isEnd: Uint8Array
  /** Places in the list of the patterns that end in a state. */
  readonly ends: readonly (readonly number[] | undefined)[]
}

/** @param width Above every byte of the patterns. */
export function automatonOf(patterns: readonly Uint8Array[], width: number): Automaton {
  const children: Map<number, number>[] = [new Map()]
  const ends: (number[] | undefined)[] = [undefined]
  patterns.forEach((pattern, index) => {
    let state = 0
    for (const byte of pattern) {
      let child = children[state]?.get(byte)
      if (child === undefined) {
        child = children.length
        children.push(new Map())
        ends.push(undefined)
        children[state]?.set(byte, child)
      }
      state = child
    }
    ends[state] = [...(ends[state] ?? []), index]
  })
  if (children.length > 0xffff) throw new RangeError(`${children.length} states are more than an automaton may have.`)
  const next = new Uint16Array(children.length * width)
  /** For each state, the state of its longest end that begins another pattern. The search goes on there when no pattern goes on. */
  const shorter = new Uint16Array(children.length)
  const queue = [0]
  for (const state of queue) {
    const other = shorter[state] ?? 0
    // A state in which a shorter pattern ends as well.
    if (state !== 0 && ends[other] !== undefined) ends[state] = [...(ends[state] ?? []), ...(ends[other] ?? [])]
    if (state !== 0) next.copyWithin(state * width, other * width, (other + 1) * width)
    for (const [byte, child] of children[state] ?? []) {
      shorter[child] = state === 0 ? 0 : (next[other * width + byte] ?? 0)
      next[state * width + byte] = child
      queue.push(child)
    }
  }
  return { next, width, isEnd: Uint8Array.from(ends, each => (each === undefined ? 0 : 1)), ends }
}
