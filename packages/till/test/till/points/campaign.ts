/**
 * A campaign: each life is lived once without a blow, to learn its points, and then once for every point.
 *
 * @module
 */
import { programOf, removeProgram } from '../../bundle.js'
import { dayNumber } from '../../kills/campaign.js'
import { type Engine, postgresEngine, sqliteEngine } from '../../kills/engines.js'
import { openLane } from './lane.js'
import { effectsOf, type LifeName, labelOf, lives, namedPoints, type Point } from './points.js'
import type { ProcessOptions } from './process.js'

export interface PointsOptions {
  readonly engines: readonly Engine['name'][]
  /** How many lives are lived at once on each engine. */
  readonly lanes: number
  /** Whether every passage of a point is struck on every engine, and not only the first one on one of them. */
  readonly isThorough?: boolean
  /** Into how many parts the points are divided. One part is struck, another one each day. Default: 1. */
  readonly parts?: number
  /** A mistake that is planted, to see that it is found. */
  readonly planted?: ProcessOptions['planted']
  /** The points whose label has this. Default: all. */
  readonly only?: string
  readonly lives?: readonly LifeName[]
  readonly onProgress?: (label: string) => void
}

/** The result of a campaign. */
export interface PointsTally {
  readonly kills: number
  readonly wrong: readonly string[]
  /** Named points that were never struck. */
  readonly never: readonly string[]
  /** Effects of a life that have no name. */
  readonly unnamed: readonly string[]
}

interface Case {
  readonly life: LifeName
  readonly point: Point
  tries: number
}

export async function strikePoints(options: PointsOptions): Promise<PointsTally> {
  const {
    lanes,
    isThorough = false,
    parts = 1,
    planted,
    only = '',
    lives: chosen = Object.keys(lives) as LifeName[],
    onProgress = () => {},
  } = options
  const program = await programOf(new URL('process.ts', import.meta.url))
  const [wrong, never, unnamed] = [new Set<string>(), new Set<string>(), new Set<string>()]
  let kills = 0

  const onEngine = async (engine: Engine): Promise<void> => {
    const place = options.engines.indexOf(engine.name)
    const cases: Case[] = chosen
      .flatMap(life => namedPoints(life).map(point => ({ life, point, tries: 0 })))
      .filter((_, at) => isThorough || (at + dayNumber()) % (options.engines.length * parts) === place)
      .filter(({ life, point }) => labelOf(life, point).includes(only))
    // With a planted mistake nothing is learned from a life that nothing ends.
    const unlived = planted === undefined ? [...chosen] : []
    const accuse = (label: string, found: readonly string[]) => {
      for (const each of found) wrong.add(`${engine.name}, ${label}: ${each}`)
    }
    const oneLane = async (): Promise<void> => {
      const lane = await openLane(engine, { program, planted })
      try {
        for (let life = unlived.shift(); life !== undefined; life = unlived.shift()) {
          const { passed, wrong: found } = await lane.live(life)
          accuse(`${life} without a blow`, found)
          // On a busy machine a request may take so long that a later step goes on with it.
          const isNamed = ({ step, effect }: Point) =>
            effectsOf[life].slice(0, step + 1).some(effects => effects.includes(effect))
          const strange = passed.filter(point => !isNamed(point)).map(point => labelOf(life, { ...point, nth: 1 }))
          if (isThorough && strange.length === 0)
            cases.push(...passed.filter(({ nth }) => nth > 1).map(point => ({ life, point, tries: 0 })))
          for (const each of strange) unnamed.add(`${engine.name}, ${each}`)
        }
        for (let each = cases.shift(); each !== undefined; each = cases.shift()) {
          const label = labelOf(each.life, each.point)
          const { isHit, wrong: found } = await lane.live(each.life, each.point)
          accuse(label, found)
          each.tries += 1
          if (isHit) kills += 1
          else if (each.tries < 3) cases.push(each)
          // Which passages there are after the first depends on what comes first.
          else if (each.point.nth === 1) never.add(`${engine.name}, ${label}`)
          onProgress(`${engine.name}, ${label}${isHit ? '' : ' (not struck)'}`)
        }
      } finally {
        await lane.close()
      }
    }
    await Promise.all(Array.from({ length: lanes }, oneLane))
  }

  const opened = await Promise.all(options.engines.map(name => (name === 'sqlite' ? sqliteEngine() : postgresEngine())))
  try {
    await Promise.all(opened.map(onEngine))
  } finally {
    for (const engine of opened) await engine.end()
    removeProgram(program)
  }
  return { kills, wrong: [...wrong], never: [...never], unnamed: [...unnamed] }
}
