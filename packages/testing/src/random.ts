/**
 * Numbers that look random and are the same for the same seed, on every machine.
 *
 * @module
 */
import { hash } from 'node:crypto'

/** Gives the next whole number from 0 to 2^32 - 1. */
export type RandomWords = () => number

/** Gives the next number, from 0 up to but not including 1. */
export type Random = () => number

/** Makes a sequence of words from a seed: the small fast counting generator "sfc32", started from a hash of the seed. */
export function createRandomWords(seed: string): RandomWords {
  const start = Buffer.from(hash('sha256', seed, 'hex'), 'hex')
  let [a, b, c, counter] = [0, 4, 8, 12].map(offset => start.readInt32BE(offset)) as [number, number, number, number]
  return () => {
    const word = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + word) | 0
    return word >>> 0
  }
}

/** Makes a sequence of numbers from a seed. */
export function createRandom(seed: string): Random {
  const words = createRandomWords(seed)
  return () => words() / 2 ** 32
}
