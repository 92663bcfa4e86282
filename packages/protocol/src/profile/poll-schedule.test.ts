import { describe, expect, it } from 'vitest'
import { checkSchedule, nextPause, type Pace, type PollSchedule, startPace } from './poll-schedule.js'
import { defaultProfile } from './profile.js'

const publicSchedule = defaultProfile.pollSchedule.value

/** Runs a schedule on a clock of its own. @returns Every pause, in milliseconds. */
function pauses(schedule: PollSchedule, random: () => number, clockMoves = true): readonly number[] {
  const all: number[] = []
  let now = 0
  let pace: Pace | undefined = startPace(now)
  while (pace !== undefined) {
    const next: ReturnType<typeof nextPause> = nextPause(pace, { schedule, now, random })
    pace = next?.pace
    if (next === undefined) break
    all.push(next.pause)
    if (clockMoves) now += next.pause
  }
  return all
}

describe('the public schedule', () => {
  it('asks every 3 to 5 s for five minutes, then every 5 to 10 minutes for an hour', () => {
    const shortest = pauses(publicSchedule, () => 0)
    expect(shortest.filter(pause => pause === 3_000)).toHaveLength(100)
    expect(shortest.filter(pause => pause === 300_000)).toHaveLength(12)
    expect(shortest).toHaveLength(112)
    const longest = pauses(publicSchedule, () => 0.999_999)
    expect(new Set(longest)).toEqual(new Set([5_000, 600_000]))
    expect(longest).toHaveLength(66)
  })

  it('lets chance decide between the shortest and the longest pause', () => {
    const next = nextPause(startPace(0), { schedule: publicSchedule, now: 0, random: () => 0.25 })
    expect(next?.pause).toBe(3_500)
  })

  it('ends on a clock that stands still', () => {
    expect(pauses(publicSchedule, () => 0, false)).toHaveLength(112)
  })

  it('skips what passed while nobody asked', () => {
    const input = { schedule: publicSchedule, random: () => 0 }
    expect(nextPause(startPace(0), { ...input, now: 299_999 })?.pause).toBe(3_000)
    expect(nextPause(startPace(0), { ...input, now: 300_000 })).toMatchObject({ pause: 300_000, pace: { phase: 1 } })
  })
})

describe('nextPause', () => {
  it('ends a phase after as many pauses as it says', () => {
    const schedule = [
      { atLeast: 0, atMost: 0, times: 3 },
      { atLeast: 7, atMost: 7, times: 1 },
    ]
    expect(pauses(schedule, () => 0)).toEqual([0, 0, 0, 7])
  })

  it('goes on from a pace that was stored as JSON', () => {
    const input = { schedule: [{ atLeast: 10, atMost: 10, times: 2 }], now: 0, random: () => 0 }
    const stored: unknown = JSON.parse(JSON.stringify(nextPause(startPace(0), input)?.pace))
    const second = nextPause(stored as Pace, input)
    expect(second?.pause).toBe(10)
    expect(nextPause(second?.pace as Pace, input)).toBeUndefined()
  })
})

describe('checkSchedule', () => {
  it.each([
    ['phase', []],
    ['"atLeast" and "atMost"', [{ atLeast: 1000 }]],
    ['"atLeast" and "atMost"', [{ atLeast: Number.NaN, atMost: 1, times: 1 }]],
    ['wrong way round', [{ atLeast: 5000, atMost: 3000, times: 1 }]],
    ['has no end', [{ atLeast: 3000, atMost: 3000 }]],
    ['"lasting"', [{ atLeast: 3000, atMost: 3000, lasting: -1 }]],
    ['"times"', [{ atLeast: 3000, atMost: 3000, times: 1.5 }]],
    ['Pause at least 100 ms', [{ atLeast: 0, atMost: 3000, lasting: 60_000 }]],
  ])('says %s of a schedule that cannot work', (text, schedule) => {
    const check = () => checkSchedule(schedule as PollSchedule)
    expect(check).toThrow(TypeError)
    expect(check).toThrow(text)
  })

  it('takes the public schedule', () => {
    expect(() => checkSchedule(publicSchedule)).not.toThrow()
  })
})
