import type { Explored } from './walk/explorer.js'
import { askAll } from './walks.js'

/** Says which scene, or which planted mistake, a process walks through. */
export interface Asked {
  readonly place: number
  readonly isPlanted: boolean
}

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
 * @param heard Told of each one as soon as it was walked through.
 */
export function walkAll(
  places: readonly number[],
  { processes, isPlanted }: { readonly processes: number; readonly isPlanted: boolean },
  heard: (place: number, walked: Walked) => void,
): Promise<void> {
  const program = new URL('walk-one.ts', import.meta.url)
  const asked = places.map(place => ({ place, isPlanted }))
  return askAll<Asked, Walked>(asked, { program, processes }, ({ place }, walked) => heard(place, walked))
}
