import { setTimeout as nodeTimer, setImmediate } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import type { Wait } from '../outcomes/order-queue.js'
import { systemWait, timeLimit } from './time.js'

const never = new Promise<string>(() => undefined)

/** Resolves when it is aborted, and not before. */
const untilAborted: Wait = (_milliseconds, signal) =>
  new Promise(resolve => signal?.addEventListener('abort', () => resolve()))

describe('timeLimit', () => {
  it.each<[string, Wait]>([
    ['a wait that is over', async () => undefined],
    ['a wait that fails', () => Promise.reject(new Error('no timers'))],
  ])('says what is late by %s', async (_name, wait) => {
    expect(await timeLimit(1, wait).race(never, () => 'late')).toBe('late')
  })

  it('says what is late by a timer', async () => {
    vi.useFakeTimers()
    try {
      const raced = timeLimit(60_000, systemWait).race(never, () => 'late')
      await vi.advanceTimersByTimeAsync(60_000)
      expect(await raced).toBe('late')
    } finally {
      vi.useRealTimers()
    }
  })

  it.each<[string, Wait]>([
    ['a timer', systemWait],
    ['a wait that resolves when it is aborted', untilAborted],
    ['a wait of Node.js, which rejects then', (milliseconds, signal) => nodeTimer(milliseconds, undefined, { signal })],
  ])('calls nothing late after its end, by %s', async (_name, wait) => {
    const limit = timeLimit(60_000, wait)
    const late = vi.fn(() => 'late')
    expect(await limit.race(Promise.resolve('in time'), late)).toBe('in time')
    limit.end()
    await setImmediate()
    expect(late).not.toHaveBeenCalled()
  })

  it('throws what late throws, and hands on what the work rejects with', async () => {
    const limit = timeLimit(60_000, untilAborted)
    await expect(limit.race(Promise.reject(new Error('away')), () => 'late')).rejects.toThrow('away')
    const late = () => {
      throw new Error('too late')
    }
    await expect(timeLimit(1, async () => undefined).race(never, late)).rejects.toThrow('too late')
  })
})
