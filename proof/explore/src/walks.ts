import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Explored } from './walk/explorer.js'

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

const program = fileURLToPath(new URL('walk-one.ts', import.meta.url))

/**
 * Walks through scenes in several processes at once.
 *
 * @param places The scenes, by their place in the list.
 * @param heard Told of each one as soon as it was walked through.
 */
export async function walkAll(
  places: readonly number[],
  { processes, isPlanted }: { readonly processes: number; readonly isPlanted: boolean },
  heard: (place: number, walked: Walked) => void,
): Promise<void> {
  const waiting = [...places]
  const one = async (): Promise<void> => {
    const walker = fork(program)
    const died = new Promise<never>((_, reject) => {
      walker.once('exit', (code, signal) => {
        reject(new Error(`A process ended in the middle of a scene, with ${code ?? signal}.`))
      })
    })
    // Once nothing is left to walk through, that it ends is no error.
    died.catch(() => {})
    for (let place = waiting.shift(); place !== undefined; place = waiting.shift())
      heard(place, await Promise.race([walkedBy(walker, { place, isPlanted }), died]))
    walker.disconnect()
  }
  await Promise.all(Array.from({ length: processes }, one))
}

const walkedBy = (walker: ChildProcess, asked: Asked): Promise<Walked> =>
  new Promise(resolve => {
    walker.once('message', walked => resolve(walked as Walked))
    walker.send(asked)
  })
