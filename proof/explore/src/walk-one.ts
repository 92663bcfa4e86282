/**
 * A process that walks through the scenes that it is told, one after the other.
 *
 * @module
 */
import type { Asked, Walked } from './scene-walks.js'
import { allPlanted, allScenes } from './scenes/all.js'

function walked({ place, isPlanted }: Asked): Walked {
  const ends = new Set<string>()
  const explored = isPlanted ? allPlanted[place]?.walk() : allScenes[place]?.walk(end => ends.add(end))
  if (explored === undefined) throw new Error(`There is no scene ${place}.`)
  return { explored, ends: [...ends].sort() }
}

process.on('message', (asked: Asked) => {
  process.send?.(walked(asked))
})
