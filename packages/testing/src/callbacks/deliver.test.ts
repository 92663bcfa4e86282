import { describe, expect, it } from 'vitest'
import { repetitionDelay } from './deliver.js'

describe('repetitionDelay', () => {
  const delays = Array.from({ length: 30 }, (_, index) => repetitionDelay(index + 1) ?? 0)

  it('grows every time and fits thirty repetitions into fourteen days', () => {
    expect(delays[0]).toBe(60_000)
    expect(delays.every((delay, index) => index === 0 || delay > (delays[index - 1] ?? 0))).toBe(true)
    expect(delays.reduce((sum, delay) => sum + delay, 0)).toBeLessThan(14 * 86_400_000)
  })

  it('ends after thirty', () => expect(repetitionDelay(31)).toBeUndefined())
})
