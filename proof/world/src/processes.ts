/** Lets a world live in several processes: each takes every so manieth batch. */
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Lived } from './live.js'
import { batchSize, type WorldResult } from './world.js'

/** A part of a world, as a process is told of it. */
export interface Part {
  readonly seed: number
  readonly from: number
  readonly to: number
}

/** The result of a part. Messages carry plain data alone. */
export interface PartLived {
  readonly payments: number
  readonly counts: readonly (readonly [what: string, count: number])[]
  readonly broken: readonly Lived[]
  /** The most memory that the process has held, in bytes, and the time that it has computed, in milliseconds. */
  readonly memory: number
  readonly cpu: number
}

/** The result of a world, and what it took. */
export interface World extends WorldResult {
  readonly memory: number
  readonly cpu: number
}

const program = fileURLToPath(new URL('live-part.ts', import.meta.url))

export async function liveInProcesses({
  seed,
  payments,
  processes,
}: {
  readonly seed: number
  readonly payments: number
  readonly processes: number
}): Promise<World> {
  const waiting: Part[] = []
  for (let from = 0; from < payments; from += batchSize)
    waiting.push({ seed, from, to: Math.min(payments, from + batchSize) })
  const counts = new Map<string, number>()
  const broken: Lived[] = []
  let memory = 0
  let cpu = 0
  const one = async (): Promise<void> => {
    const child = fork(program)
    const died = new Promise<never>((_, reject) => {
      child.once('exit', (code, signal) => reject(new Error(`A process of the world ended with ${code ?? signal}.`)))
    })
    // Once nothing is left to live, that it ends is no error.
    died.catch(() => {})
    let last: PartLived | undefined
    for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
      const answer = new Promise<PartLived>(resolve => {
        child.once('message', lived => resolve(lived as PartLived))
      })
      child.send(part)
      last = await Promise.race([answer, died])
      for (const [what, count] of last.counts) counts.set(what, (counts.get(what) ?? 0) + count)
      broken.push(...last.broken)
    }
    memory += last?.memory ?? 0
    cpu += last?.cpu ?? 0
    child.disconnect()
  }
  await Promise.all(Array.from({ length: processes }, one))
  return { payments, counts, broken: broken.toSorted((a, b) => a.plan.payment - b.plan.payment), memory, cpu }
}
