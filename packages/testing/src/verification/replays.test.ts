import { describe, expect, it } from 'vitest'
import { createNonces } from './replays.js'

describe('createNonces', () => {
  const claims = (times: readonly number[], seconds = 600) => {
    const now = { times }
    const nonces = createNonces({ times: () => now.times, seconds })
    const claim = (nonce: string, timestamp: number) => nonces.claim({ consumerKey: 'merchant', nonce, timestamp })
    return { now, claim }
  }
  const fill = (claim: (nonce: string, timestamp: number) => unknown, { from, at }: { from: number; at: number }) => {
    for (let index = 0; index < 2_000; index += 1) claim(`n-${from + index}`, at)
  }

  it('remembers a nonce for as long as its timestamp may pass by one of the times', () => {
    const { now, claim } = claims([1_000_000, 1_000_000])
    expect(claim('first', 1_000)).toBe(true)
    now.times = [87_400_000, 1_000_000]
    fill(claim, { from: 0, at: 87_400 })
    expect(claim('first', 1_000)).toBe(false)
  })

  it('forgets a nonce once its timestamp can pass by none', () => {
    const { now, claim } = claims([1_000_000, 1_000_000])
    expect(claim('first', 1_000)).toBe(true)
    now.times = [87_400_000, 2_000_000]
    fill(claim, { from: 0, at: 87_400 })
    expect(claim('first', 1_000)).toBe(true)
  })

  it('forgets what is too old though something that may still pass came before it', () => {
    const { now, claim } = claims([50_000_000, 1_000_000])
    expect(claim('by the base clock', 1_000)).toBe(true)
    expect(claim('by the moved clock', 50_000)).toBe(true)
    now.times = [87_400_000, 1_000_000]
    fill(claim, { from: 0, at: 87_400 })
    expect(claim('by the moved clock', 50_000)).toBe(true)
    expect(claim('by the base clock', 1_000)).toBe(false)
  })
})
