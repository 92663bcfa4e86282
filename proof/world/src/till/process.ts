/** A process of the till, as one payment sees it: its clocks, and whether it lives. */
import type { Clocks } from '../../../../packages/till/src/engine/store-time.js'

/** An answer of absence that this process has heard. */
interface HeardAbsence {
  readonly answeredAt: number
  readonly heardAt: number
}

export interface Process {
  readonly nth: number
  readonly clocks: Clocks
  /** Goes up each time that the process dies: what was begun before is gone. */
  life: number
  downUntil: number
  stalledUntil: number
  /** How far the system's clock is ahead, and the monotonic one behind. */
  ahead: number
  suspended: number
  /** Handlers that run here. */
  handling: number
  /** Answers of absence, by the question that they were to. */
  readonly absences: Map<string, HeardAbsence[]>
  /** Runs that sleep here. */
  readonly sleepers: Set<() => void>
}

/** Makes a process. @param now The true time, in milliseconds. */
export function createProcess(nth: number, now: () => number): Process {
  const process: Process = {
    nth,
    clocks: { system: () => now() + process.ahead, monotonic: () => now() - process.suspended },
    life: 0,
    downUntil: 0,
    stalledUntil: 0,
    ahead: 0,
    suspended: 0,
    handling: 0,
    absences: new Map(),
    sleepers: new Set(),
  }
  return process
}

/** The process dies, and starts again at a moment. */
export function die(process: Process, until: number): void {
  process.life += 1
  process.downUntil = Math.max(process.downUntil, until)
  process.stalledUntil = 0
  process.handling = 0
  process.absences.clear()
  process.sleepers.clear()
}
