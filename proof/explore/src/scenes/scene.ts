import type { Explored } from '../walk/explorer.js'

/** A beginning, and what may go wrong. */
export interface Scene {
  /** No other scene has it. */
  readonly name: string
  /** Walks through every world of it. @param seen Hears each end that a run comes to. Default: nobody does. */
  readonly walk: (seen?: (end: string) => void) => Explored
}

/** A runner with a mistake, which the explorer has to find. */
export interface Planted {
  /** Names the part of the till, and the mistake that is planted there. */
  readonly what: string
  /** The rule that a world breaks then. */
  readonly broken: RegExp
  readonly walk: () => Explored
}
