/**
 * A process that walks through the scenes that it is told, one after the other. With `--count` among its arguments it counts what it comes to.
 *
 * @module
 */
import { reachedBy, startCounting } from './places/reached.js'
import type { Answer, Asked } from './scene-walks.js'

// Code that was loaded before is not counted.
if (process.argv.includes('--count')) startCounting()
const { allPlanted, allScenes } = await import('./scenes/all.js')

function answerTo(asked: Asked): Answer {
  if (asked.kind === 'reached') return { kind: 'reached', reached: reachedBy() }
  const { place, isPlanted } = asked
  const ends = new Set<string>()
  const explored = isPlanted ? allPlanted[place]?.walk() : allScenes[place]?.walk(end => ends.add(end))
  if (explored === undefined) throw new Error(`There is no scene ${place}.`)
  return { kind: 'walked', walked: { explored, ends: [...ends].sort() } }
}

process.on('message', (asked: Asked) => {
  process.send?.(answerTo(asked))
})
