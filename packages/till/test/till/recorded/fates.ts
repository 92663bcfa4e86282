/**
 * Draws chances in a world by what they are about and never in turn: two tills that ask in another order, or more often, meet the same.
 *
 * @module
 */
import { createHash } from 'node:crypto'
import { type Chance, chanceOf } from '../../../../client/test/worlds/chance.js'

/** The chance for something: the same for the same words. */
export type Fates = (...about: readonly (string | number)[]) => Chance

/** @param seed Any text. */
export const fatesOf =
  (seed: string): Fates =>
  (...about) =>
    chanceOf(
      String(
        createHash('sha256')
          .update([seed, ...about].join('|'))
          .digest()
          .readUInt32BE(),
      ),
    )

/** Counts how often something was seen, by what it is about. */
export function counting(): (...about: readonly string[]) => number {
  const seen = new Map<string, number>()
  return (...about) => {
    const key = about.join('|')
    const count = (seen.get(key) ?? 0) + 1
    seen.set(key, count)
    return count
  }
}
