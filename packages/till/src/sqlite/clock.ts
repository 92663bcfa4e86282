/** Clocks of the surroundings. */
export interface Clocks {
  /** Milliseconds since the epoch. */
  readonly system: () => number
  /** Milliseconds since any moment. */
  readonly monotonic: () => number
}

/** The clock of a store. */
export interface StoreClock {
  /** Whole milliseconds since the epoch, never less than before. */
  now(): number
  /** The file has told a date, which is never undercut from now on. */
  heard(at: number): void
}

/**
 * A clock that never goes back. Where the system's clock was set back, this one goes at half speed until it is caught up with: it
 * would otherwise stand still for as long as the system's was ahead, and nothing would fall due.
 */
export function storeClock({ system, monotonic }: Clocks): StoreClock {
  let told = 0
  let toldAt = monotonic()
  const tell = (at: number) => {
    told = at
    toldAt = monotonic()
  }
  return {
    now() {
      tell(Math.max(system(), told + Math.max(0, monotonic() - toldAt) / 2))
      return Math.floor(told)
    },
    heard(at) {
      if (at > told) tell(at)
    },
  }
}
