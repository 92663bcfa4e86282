import type { Death } from './dying-store.js'

/** A death before and one after each of some calls of the store. */
export const deathsAt = (from: number, count: number): readonly Death[] =>
  Array.from({ length: count }, (_, index) => from + index).flatMap(at => [
    { at, when: 'before' } as const,
    { at, when: 'after' } as const,
  ])
