/** Everything that is random in one world, drawn from one number. */
export interface Chance {
  /** From 0 up to but not including 1. */
  number(): number
  of(probability: number): boolean
  /** A whole number, both ends included. */
  between(least: number, most: number): number
  pick<Value>(list: readonly Value[]): Value
}

/** Mulberry32. @param seed A whole number. */
export function chanceOf(seed: string): Chance {
  let state = Number.parseInt(seed, 10) * 0x9e3779b1
  const number = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  return {
    number,
    of: probability => number() < probability,
    between: (least, most) => least + Math.floor(number() * (most - least + 1)),
    pick: <Value>(list: readonly Value[]) => list[Math.floor(number() * list.length)] as Value,
  }
}
