/** One phase of a schedule. It is over after `times` pauses or after `lasting` milliseconds, whichever comes first. */
export interface PollPhase {
  /** Shortest pause between two questions, in milliseconds. */
  readonly atLeast: number
  /** Longest pause, in milliseconds; where it is above `atLeast`, chance decides between the two. */
  readonly atMost: number
  /** How long the phase lasts, in milliseconds. Default: until `times` are over. */
  readonly lasting?: number
  /** Most pauses of the phase. Default: until `lasting` is over. */
  readonly times?: number
}

/** Phases, one after the other. After the last, status is asked only when there is a reason. */
export type PollSchedule = readonly PollPhase[]

/** How far a schedule has got. Plain JSON. */
export interface Pace {
  /** Index of the phase. */
  readonly phase: number
  /** When the phase began, in milliseconds since the epoch. */
  readonly since: number
  /** Pauses of the phase so far. */
  readonly pauses: number
  /** Their sum, in milliseconds: a clock that stands still ends a phase all the same. */
  readonly paused: number
}

/** What {@link nextPause} goes by. */
export interface NextPauseInput {
  readonly schedule: PollSchedule
  /** Milliseconds since the epoch. */
  readonly now: number
  /** From 0 up to 1, as `Math.random` gives it. */
  readonly random: () => number
}

/** Where a schedule begins. @param now Milliseconds since the epoch. */
export const startPace = (now: number): Pace => ({ phase: 0, since: now, pauses: 0, paused: 0 })

/**
 * The pause before the next question, in milliseconds, and the pace after it.
 *
 * @returns undefined once the schedule is over.
 */
export function nextPause(
  pace: Pace,
  { schedule, now, random }: NextPauseInput,
): { readonly pause: number; readonly pace: Pace } | undefined {
  const phase = schedule[pace.phase]
  if (phase === undefined) return undefined
  const { atLeast, atMost, lasting = Number.POSITIVE_INFINITY, times = Number.POSITIVE_INFINITY } = phase
  if (pace.pauses >= times || Math.max(now - pace.since, pace.paused) >= lasting) {
    const next = { ...startPace(now), phase: pace.phase + 1 }
    return nextPause(next, { schedule, now, random })
  }
  const pause = Math.round(atLeast + random() * (atMost - atLeast))
  return { pause, pace: { ...pace, pauses: pace.pauses + 1, paused: pace.paused + pause } }
}

/** Shortest pause of a phase that ends by time only, in milliseconds. */
const shortestPause = 100

/**
 * Checks a schedule.
 *
 * @param name What the user calls it. Default: `schedule`.
 * @throws {TypeError} naming the phase: without an end, with pauses the wrong way round, or asking without a pause.
 */
export function checkSchedule(schedule: PollSchedule, name = 'schedule'): void {
  if (!Array.isArray(schedule) || schedule.length === 0) {
    throw new TypeError(
      `"${name}" must list one phase or more, e.g. [{ atLeast: 3000, atMost: 5000, lasting: 300000 }].`,
    )
  }
  for (const [index, phase] of schedule.entries()) {
    const problem = phaseProblem(phase ?? {})
    if (problem !== undefined) throw new TypeError(`"${name}[${index}]" ${problem}`)
  }
}

function phaseProblem({ atLeast, atMost, lasting, times, ...others }: Partial<PollPhase>): string | undefined {
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) return `has no "${unknown}"; it has atLeast, atMost, lasting and times.`
  const isTime = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value) && value >= 0
  if (!isTime(atLeast) || !isTime(atMost)) return 'needs "atLeast" and "atMost" in milliseconds.'
  if (atMost < atLeast) return `pauses at least ${atLeast} and at most ${atMost} ms, which is the wrong way round.`
  if (lasting !== undefined && !isTime(lasting)) return 'has a "lasting" that is no number of milliseconds.'
  if (times !== undefined && !(Number.isInteger(times) && times >= 0)) return 'has "times" that is no whole number.'
  if (lasting === undefined && times === undefined) return 'has no end. Say "lasting" in milliseconds, or "times".'
  if (times === undefined && atLeast < shortestPause) {
    return `asks again after ${atLeast} ms. Pause at least ${shortestPause} ms, or say "times".`
  }
  return undefined
}
