import { describe, expect, it } from 'vitest'
import { createRandom, createRandomWords } from './random.js'

describe('createRandomWords', () => {
  it('gives the words of sfc32 started from the SHA-256 of the seed', () => {
    // Made with a Python program of ten lines from the published description of sfc32, 64-bit integers masked to 32 bits:
    // start a, b, c, counter = the first four big-endian words of sha256(b"tillkit").
    const words = createRandomWords('tillkit')
    expect([words(), words(), words(), words()]).toEqual([783861904, 2071704839, 1262229198, 2653028334])
  })

  it('is the same for the same seed and another for another', () => {
    const firstOf = (seed: string) => Array.from({ length: 5 }, createRandomWords(seed))
    expect(firstOf('a')).toEqual(firstOf('a'))
    expect(firstOf('a')).not.toEqual(firstOf('b'))
  })
})

describe('createRandom', () => {
  it('spreads evenly from 0 up to 1', () => {
    const numbers = Array.from({ length: 10_000 }, createRandom('even'))
    expect(numbers.every(number => number >= 0 && number < 1)).toBe(true)
    const perTenth = Array.from({ length: 10 }, (_, tenth) => numbers.filter(n => Math.floor(n * 10) === tenth).length)
    expect(Math.min(...perTenth)).toBeGreaterThan(850)
    expect(Math.max(...perTenth)).toBeLessThan(1150)
  })
})
