import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Deadline } from './deadline.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const within = (timeout: number, signal?: AbortSignal) => new Deadline({ timeout, clock: () => 0, signal })

describe('Deadline', () => {
  it('comes after its time, says why, and tells whoever listens once', () => {
    const deadline = within(1_000)
    const listener = { deadlineCame: vi.fn() }
    deadline.addListener(listener)
    vi.advanceTimersByTime(999)
    expect([deadline.isOver(), listener.deadlineCame.mock.calls.length]).toEqual([false, 0])
    vi.advanceTimersByTime(10_000)
    expect([deadline.isOver(), listener.deadlineCame.mock.calls.length]).toEqual([true, 1])
    expect(deadline.reason()).toMatchObject({ message: 'no answer within 1000 ms' })
  })

  it('comes when the caller gives up, for the reason that the caller gives, and no second time', () => {
    const controller = new AbortController()
    const deadline = within(1_000, controller.signal)
    const listener = { deadlineCame: vi.fn() }
    deadline.addListener(listener)
    controller.abort('the shop is closing')
    vi.advanceTimersByTime(2_000)
    expect([deadline.reason(), listener.deadlineCame.mock.calls.length]).toEqual(['the shop is closing', 1])
  })

  it('has come where the caller gave up before', () => {
    const deadline = within(1_000, AbortSignal.abort('before'))
    expect([deadline.isOver(), deadline.reason(), deadline.signal().aborted]).toEqual([true, 'before', true])
  })

  it('tells nobody who was removed, and nobody once it is cleared', () => {
    const controller = new AbortController()
    const [removed, left] = [{ deadlineCame: vi.fn() }, { deadlineCame: vi.fn() }]
    const deadline = within(1_000, controller.signal)
    deadline.addListener(removed)
    deadline.removeListener(removed)
    deadline.addListener(left)
    deadline.clear()
    vi.advanceTimersByTime(2_000)
    controller.abort()
    expect([removed.deadlineCame.mock.calls.length, left.deadlineCame.mock.calls.length, deadline.isOver()]).toEqual([
      0,
      0,
      false,
    ])
    const other = within(1_000)
    other.addListener(removed)
    other.removeListener(removed)
    vi.advanceTimersByTime(2_000)
    expect(removed.deadlineCame).not.toHaveBeenCalled()
  })

  it('is the same as a signal, whether that was asked for before or after it came', () => {
    const deadline = within(1_000)
    const signal = deadline.signal()
    expect(signal.aborted).toBe(false)
    vi.advanceTimersByTime(1_000)
    expect([signal.aborted, signal.reason, deadline.signal() === signal]).toEqual([true, deadline.reason(), true])
    const late = within(1_000)
    vi.advanceTimersByTime(1_000)
    expect([late.signal().aborted, late.signal().reason]).toEqual([true, late.reason()])
  })
})

describe('whether a request may still start', () => {
  const mayStart = (monotonic: number, wall: number): boolean => {
    const began = Date.UTC(2026, 0, 5)
    let now = began
    const deadline = new Deadline({ timeout: 1_000, clock: () => now })
    // Timers stand still with the machine: only the clocks have moved when it goes on.
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + monotonic)
    now = began + wall
    const may = deadline.mayStart()
    deadline.clear()
    vi.restoreAllMocks()
    return may
  }

  it.each([
    ['while both clocks have time', 999, 999, true],
    ['not after a suspension, in which only the one of the day went on', 1, 3_600_000, false],
    ['not at the very end of its time by either', 0, 1_000, false],
    ['not after a stop in which both went on', 1_000, 1_000, false],
    ['not where the clock was set ahead: nothing was sent, which is safe', 5, 86_400_000, false],
    ['where the clock was set back within its time', 999, -3_600_000, true],
    ['and a clock that was set back adds nothing', 1_000, -3_600_000, false],
    ['not by a clock that says no number', 0, Number.NaN, false],
  ])('%s', (_, monotonic, wall, expected) => {
    expect(mayStart(monotonic, wall)).toBe(expected)
  })

  it('not once the clock fails, which was there when the call began', () => {
    const clock = vi.fn(() => 0)
    const deadline = new Deadline({ timeout: 1_000, clock })
    clock.mockImplementation(() => {
      throw new Error('no clock')
    })
    expect(deadline.mayStart()).toBe(false)
    deadline.clear()
  })

  it('does not hasten the deadline itself: an answer is waited for by the monotonic clock', () => {
    let now = 0
    const deadline = new Deadline({ timeout: 1_000, clock: () => now })
    now = 3_600_000
    expect([deadline.isOver(), deadline.left() > 0]).toEqual([false, true])
    vi.advanceTimersByTime(1_000)
    expect(deadline.isOver()).toBe(true)
  })
})
