/** Walks through every world that moves lead to, nearest first, until there is no new one. */
import { getHeapStatistics } from 'node:v8'
import type { Broken } from './rules.js'
import { createSeen, type Seen } from './seen.js'

/** The result of exploring. */
export interface Explored {
  /** How many worlds there are. */
  readonly worlds: number
  /** How many moves the last of them is away from the first. */
  readonly depth: number
  /** The first world that broke a rule: what is broken, and the moves that lead there. Absent: none did. */
  readonly found?: Found
  /** Why it ended before every world was met. Absent: every one was. */
  readonly stopped?: 'too many worlds' | 'too little memory'
}

/** A world that breaks a rule. */
export interface Found {
  readonly broken: Broken
  readonly moves: readonly string[]
}

/** How worlds are explored. */
export interface Exploring<World> {
  readonly first: World
  /** The same ones in the same order, always. */
  readonly movesOf: (world: World) => readonly { readonly text: string; readonly world: World }[]
  /** Says the same of two worlds that are the same for all that can happen. */
  readonly textOf: (world: World) => string
  /** Names the rule that a world breaks; undefined: none. */
  readonly brokenIn: (world: World) => Broken | undefined
}

/** The memory that worlds may take which were met, and are to be looked at: a part of all that this process may use. */
const mostMemory = 0.8

/** Worlds between two looks at the memory. */
const untilLook = 4_096

/** @param most No more worlds are met. Default: all are. */
export function explore<World>(exploring: Exploring<World>, most = Number.POSITIVE_INFINITY): Explored {
  const { first, movesOf, textOf, brokenIn } = exploring
  const seen = createSeen()
  seen.add(textOf(first), { place: 0, move: 0 })
  let ring: { readonly world: World; readonly place: number }[] = [{ world: first, place: 0 }]
  for (let depth = 0, looked = 0; ; depth += 1) {
    const next: typeof ring = []
    for (const { world, place } of ring) {
      const broken = brokenIn(world)
      if (broken !== undefined)
        return { worlds: seen.size, depth, found: { broken, moves: movesTo(place, seen, exploring) } }
      for (const [nth, move] of movesOf(world).entries()) {
        const met = seen.add(textOf(move.world), { place, move: nth })
        if (met !== undefined) next.push({ world: move.world, place: met })
      }
      looked += 1
      if (seen.size >= most) return { worlds: seen.size, depth, stopped: 'too many worlds' }
      if (looked % untilLook === 0 && isFull()) return { worlds: seen.size, depth, stopped: 'too little memory' }
    }
    if (next.length === 0) return { worlds: seen.size, depth }
    ring = next
  }
}

function isFull(): boolean {
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics()
  return used > limit * mostMemory
}

/** The moves to a world, in words. They are made again: to keep them of every world would take more memory than the worlds. */
function movesTo<World>(place: number, seen: Seen, { first, movesOf }: Exploring<World>): readonly string[] {
  const way: number[] = []
  for (let at = place; at !== 0; at = seen.cameTo(at).place) way.unshift(seen.cameTo(at).move)
  let world = first
  return way.map(nth => {
    const move = movesOf(world)[nth]
    if (move === undefined) throw new TypeError('The same world has other moves.')
    world = move.world
    return move.text
  })
}
