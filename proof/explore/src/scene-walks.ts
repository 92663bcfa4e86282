import { mergedWith, type Reached } from './places/unreached.js'
import type { Explored } from './walk/explorer.js'
import { askAll } from './walks.js'

/** A scene, or a planted mistake, that a process is to walk through; or what it has come to by then. */
export type Asked =
  | { readonly kind: 'scene'; readonly place: number; readonly isPlanted: boolean }
  | { readonly kind: 'reached' }

export type Answer =
  | { readonly kind: 'walked'; readonly walked: Walked }
  | { readonly kind: 'reached'; readonly reached: Reached }

/** The result of one walk. */
export interface Walked {
  readonly explored: Explored
  /** The ends that runs came to. */
  readonly ends: readonly string[]
}

/**
 * Walks through scenes in several processes at once.
 *
 * @param places The scenes, by their place in the list.
 * @param isCounted Whether it is counted which places of the shipped code the scenes come to.
 * @param heard Told of each one as soon as it was walked through.
 * @returns The places; none if they are not counted.
 */
export async function walkAll(
  places: readonly number[],
  how: { readonly processes: number; readonly isPlanted: boolean; readonly isCounted: boolean },
  heard: (place: number, walked: Walked) => void,
): Promise<Reached> {
  let all: Reached = {}
  const { processes, isPlanted, isCounted } = how
  const asked: readonly Asked[] = places.map(place => ({ kind: 'scene', place, isPlanted }))
  const program = new URL('walk-one.ts', import.meta.url)
  const counting = isCounted ? { parameters: ['--count'], last: { kind: 'reached' } as const } : {}
  await askAll<Asked, Answer>(asked, { program, processes, ...counting }, (each, answer) => {
    if (answer.kind === 'reached') all = mergedWith(all, answer.reached)
    else if (each.kind === 'scene') heard(each.place, answer.walked)
  })
  return all
}
