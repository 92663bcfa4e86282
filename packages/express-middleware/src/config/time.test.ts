import { setTimeout as nodeTimer, setImmediate } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { systemWait, type Wait, withDeadline } from './time.js'

const never = new Promise<string>(() => undefined)
const minute = 60_000

/** Resolves when it is aborted, and not before. */
const untilAborted: Wait = (_milliseconds, signal) =>
  new Promise(resolve => signal?.addEventListener('abort', () => resolve()))

describe('withDeadline', () => {
  it.each<[string, Wait]>([
    ['a wait that is over', async () => undefined],
    ['a wait that fails', () => Promise.reject(new Error('no timers'))],
  ])('says what is late by %s', async (_name, wait) => {
    expect(await withDeadline(never, { milliseconds: 1, wait, late: () => 'late' })).toBe('late')
  })

  it('says what is late by a timer', async () => {
    vi.useFakeTimers()
    try {
      const raced = withDeadline(never, { milliseconds: minute, wait: systemWait, late: () => 'late' })
      await vi.advanceTimersByTimeAsync(minute)
      expect(await raced).toBe('late')
    } finally {
      vi.useRealTimers()
    }
  })

  it('leaves no timer behind that was in time', async () => {
    const [set, cleared] = [vi.spyOn(globalThis, 'setTimeout'), vi.spyOn(globalThis, 'clearTimeout')]
    await withDeadline(Promise.resolve('in time'), { milliseconds: minute + 7, wait: systemWait, late: () => 'late' })
    // Work that an earlier test of the process has left may set timers of its own.
    const own = set.mock.results.filter((_, at) => set.mock.calls[at]?.[1] === minute + 7).map(({ value }) => value)
    const ended = cleared.mock.calls.map(([timer]) => timer)
    for (const spy of [set, cleared]) spy.mockRestore()
    expect(own).toHaveLength(1)
    expect(ended).toContain(own[0])
  })

  it.each<[string, Wait]>([
    ['a timer', systemWait],
    ['a wait that resolves when it is aborted', untilAborted],
    ['a wait of Node.js, which rejects then', (milliseconds, signal) => nodeTimer(milliseconds, undefined, { signal })],
  ])('calls nothing late that was in time, by %s', async (_name, wait) => {
    const late = vi.fn(() => 'late')
    expect(await withDeadline(Promise.resolve('in time'), { milliseconds: minute, wait, late })).toBe('in time')
    await setImmediate()
    expect(late).not.toHaveBeenCalled()
  })

  it('throws what late throws, and hands on what the work rejects with', async () => {
    const late = () => {
      throw new Error('too late')
    }
    const failed = Promise.reject(new Error('away'))
    await expect(withDeadline(failed, { milliseconds: minute, wait: untilAborted, late })).rejects.toThrow('away')
    const over = withDeadline(never, { milliseconds: 1, wait: async () => undefined, late })
    await expect(over).rejects.toThrow('too late')
  })
})
