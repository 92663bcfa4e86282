/** Walks through every world that moves lead to, nearest first, until there is no new one. */
import { createHash } from 'node:crypto'

/** The result of exploring. */
export interface Explored {
  /** How many worlds there are. */
  readonly worlds: number
  /** How many moves the last of them is away from the first. */
  readonly depth: number
  /** The first world that broke a rule: what is broken, and the moves that lead there. Absent: none did. */
  readonly found?: { readonly broken: string; readonly moves: readonly string[] }
}

/** How worlds are explored. */
export interface Exploring<World> {
  readonly first: World
  readonly movesOf: (world: World) => readonly { readonly text: string; readonly world: World }[]
  /** Says the same of two worlds that are the same for all that can happen. */
  readonly textOf: (world: World) => string
  /** Names the rule that a world breaks; undefined: none. */
  readonly brokenIn: (world: World) => string | undefined
}

interface Visited {
  readonly before: Visited | undefined
  readonly text: string
}

export function explore<World>({ first, movesOf, textOf, brokenIn }: Exploring<World>): Explored {
  const seen = new Set([hashOf(textOf(first))])
  let ring: { readonly world: World; readonly way: Visited | undefined }[] = [{ world: first, way: undefined }]
  for (let depth = 0; ; depth += 1) {
    const next: typeof ring = []
    for (const { world, way } of ring) {
      const broken = brokenIn(world)
      if (broken !== undefined) return { worlds: seen.size, depth, found: { broken, moves: textsOf(way) } }
      for (const move of movesOf(world)) {
        const name = hashOf(textOf(move.world))
        if (seen.has(name)) continue
        seen.add(name)
        next.push({ world: move.world, way: { before: way, text: move.text } })
      }
    }
    if (next.length === 0) return { worlds: seen.size, depth }
    ring = next
  }
}

/** 128 bits of a hash: two of some million worlds hardly have the same. */
const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64').slice(0, 22)

function textsOf(way: Visited | undefined): readonly string[] {
  const texts: string[] = []
  for (let at = way; at !== undefined; at = at.before) texts.unshift(at.text)
  return texts
}
