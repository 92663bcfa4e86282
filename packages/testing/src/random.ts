/**
 * Numbers that look random and are the same for the same seed.
 *
 * @module
 */
import { createHash } from 'node:crypto'

/** Gives the next number, from 0 up to but not including 1. */
export type Random = () => number

/** Makes a sequence of numbers from a seed: a counter hashed with it, the same on every machine. */
export function createRandom(seed: string): Random {
  let count = 0
  return () => {
    count += 1
    return createHash('sha256').update(`${seed}:random:${count}`).digest().readUInt32BE(0) / 2 ** 32
  }
}
