import type { Chance } from '../../../../packages/client/test/worlds/chance.js'
import type { Exploring, Found } from './explorer.js'

/** One way through worlds, as chance would have it. */
export interface Wandered {
  /** How many moves it took. */
  readonly steps: number
  /** The first world that broke a rule. Absent: none did. */
  readonly found?: Found
}

/** Most moves of a way. */
const longest = 400

/** Trouble is this much less likely than progress: else all of it would happen at the beginning. */
const trouble = 0.25

/** Takes one way from the first world to where nothing new can happen, and asks of each world on it whether it breaks a rule. */
export function wander<World extends { readonly left: object }>(
  { first, movesOf, textOf, brokenIn }: Exploring<World>,
  chance: Chance,
): Wandered {
  const moves: string[] = []
  for (let world = first; ; ) {
    const broken = brokenIn(world)
    if (broken !== undefined) return { steps: moves.length, found: { broken, moves } }
    const text = textOf(world)
    const ways = movesOf(world).filter(move => textOf(move.world) !== text)
    if (ways.length === 0 || moves.length === longest) return { steps: moves.length }
    const { left } = world
    const weights = ways.map(move => (move.world.left === left ? 1 : trouble))
    let at = chance.number() * weights.reduce((sum, each) => sum + each, 0)
    const nth = weights.findIndex(weight => {
      at -= weight
      return at < 0
    })
    const taken = ways[Math.max(nth, 0)]
    if (taken === undefined) throw new TypeError('There is a way.')
    moves.push(taken.text)
    world = taken.world
  }
}
