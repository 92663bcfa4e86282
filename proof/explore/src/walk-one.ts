/**
 * A process that walks through the scenes that it is told, one after the other.
 *
 * @module
 */
import { allPlanted, allScenes } from './scenes/all.js'
import type { Asked, Walked } from './walks.js'

process.on('message', ({ place, isPlanted }: Asked) => {
  const ends = new Set<string>()
  const explored = isPlanted ? allPlanted[place]?.walk() : allScenes[place]?.walk(end => ends.add(end))
  if (explored === undefined) throw new Error(`There is no scene ${place}.`)
  process.send?.({ explored, ends: [...ends].sort() } satisfies Walked)
})
