import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Deadline } from './deadline.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('Deadline', () => {
  it('comes after its time, says why, and tells whoever listens once', () => {
    const deadline = new Deadline(1_000, undefined)
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
    const deadline = new Deadline(1_000, controller.signal)
    const listener = { deadlineCame: vi.fn() }
    deadline.addListener(listener)
    controller.abort('the shop is closing')
    vi.advanceTimersByTime(2_000)
    expect([deadline.reason(), listener.deadlineCame.mock.calls.length]).toEqual(['the shop is closing', 1])
  })

  it('has come where the caller gave up before', () => {
    const deadline = new Deadline(1_000, AbortSignal.abort('before'))
    expect([deadline.isOver(), deadline.reason(), deadline.signal().aborted]).toEqual([true, 'before', true])
  })

  it('tells nobody who was removed, and nobody once it is cleared', () => {
    const controller = new AbortController()
    const [removed, left] = [{ deadlineCame: vi.fn() }, { deadlineCame: vi.fn() }]
    const deadline = new Deadline(1_000, controller.signal)
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
    const other = new Deadline(1_000, undefined)
    other.addListener(removed)
    other.removeListener(removed)
    vi.advanceTimersByTime(2_000)
    expect(removed.deadlineCame).not.toHaveBeenCalled()
  })

  it('is the same as a signal, whether that was asked for before or after it came', () => {
    const deadline = new Deadline(1_000, undefined)
    const signal = deadline.signal()
    expect(signal.aborted).toBe(false)
    vi.advanceTimersByTime(1_000)
    expect([signal.aborted, signal.reason, deadline.signal() === signal]).toEqual([true, deadline.reason(), true])
    const late = new Deadline(1_000, undefined)
    vi.advanceTimersByTime(1_000)
    expect([late.signal().aborted, late.signal().reason]).toEqual([true, late.reason()])
  })
})
