/** Pairs and triples of causes, made from the budgets and the beginnings that the scenes of one family have. */
import { type Chance, chanceOf } from '../../../../packages/client/test/worlds/chance.js'
import { type Explored, type Exploring, explore } from '../walk/explorer.js'
import { type Wandered, wander } from '../walk/wander.js'

/** How often something may happen, by its field in the budget of the scenes. */
export type Amounts<Field extends string> = Partial<Record<Field, number>>

/** Something that may happen, or go wrong. */
export interface Cause<Field extends string, Prepared> {
  readonly what: string
  /** Everything else that has to happen before it can. Default: nothing. */
  readonly needs?: Amounts<Field>
  /** Whether it can happen in such a world. Default: in each one. */
  readonly isIn?: (world: Prepared) => boolean
}

/** Scenes that share their kind of world. */
export interface Family<Field extends string, Prepared, World> {
  readonly name: string
  /** The worlds that causes meet in, by name: those that scenes begin in. */
  readonly worlds: ReadonlyMap<string, Prepared>
  /** A cause for each field of the budget. `undefined`: it belongs to the world, and is no cause. */
  readonly causes: Readonly<Record<Field, Cause<Field, Prepared> | undefined>>
  /** @param isCrowded Whether three processes live there, and not two. */
  readonly begin: (world: Prepared, amounts: Amounts<Field>, isCrowded: boolean) => Exploring<World>
}

/** Two causes that meet in a world. */
export interface Pair {
  readonly name: string
  /** @param most No more worlds are met. */
  readonly walk: (most: number) => Explored
}

/** A way through a world in which three causes meet. */
export interface Way extends Wandered {
  readonly name: string
}

/** All that is asked of a family. */
export interface Deep {
  readonly pairs: readonly Pair[]
  readonly wander: (chance: Chance) => Way
}

/** Makes all pairs of causes of a family, a cause twice as well, and its random ways. */
export function deepOf<Field extends string, Prepared, World extends { readonly left: object }>(
  family: Family<Field, Prepared, World>,
): Deep {
  const { worlds, begin } = family
  const all = [...worlds]
  const nameOf = (where: string, fields: readonly Field[]) => `${family.name}: ${where}: ${wordsOf(family, fields)}`
  return {
    pairs: all.flatMap(([where, world]) => {
      const fields = fieldsIn(family, world)
      return fields.flatMap((one, at) =>
        fields.slice(at).map(other => ({
          name: nameOf(where, [one, other]),
          walk: (most: number) => explore(begin(world, amountsOf(family, [one, other]), false), most),
        })),
      )
    }),
    wander(chance) {
      const [where, world] = chance.pick(all)
      const fields = fieldsIn(family, world)
      const three = [chance.pick(fields), chance.pick(fields), chance.pick(fields)]
      return { name: nameOf(where, three), ...wander(begin(world, amountsOf(family, three), true), chance) }
    },
  }
}

/** Takes the random way of a seed. */
export function wayOf(families: readonly Deep[], seed: number): Way {
  const chance = chanceOf(String(seed))
  return chance.pick(families).wander(chance)
}

/** The worlds that scenes begin in, each once. */
export const worldsOf = <Prepared>(
  prepared: readonly Prepared[],
  nameOf: (world: Prepared) => string,
): ReadonlyMap<string, Prepared> => new Map(prepared.map(each => [nameOf(each), each]))

type Causes<Field extends string, Prepared> = Pick<Family<Field, Prepared, never>, 'causes'>

/** The causes that can happen in a world, by their fields. */
const fieldsIn = <Field extends string, Prepared>(
  { causes }: Causes<Field, Prepared>,
  world: Prepared,
): readonly Field[] =>
  (Object.keys(causes) as Field[]).filter(field => {
    const cause = causes[field]
    return cause !== undefined && (cause.isIn === undefined || cause.isIn(world))
  })

const wordsOf = <Field extends string>({ causes }: Causes<Field, never>, fields: readonly Field[]): string =>
  [...new Set(fields)]
    .map(field => {
      const times = fields.filter(each => each === field).length
      return `${causes[field]?.what ?? field}${times === 1 ? '' : ` (${times} times)`}`
    })
    .join('; ')

/** Each cause once, and what it needs. One that is there already counts as needed. */
function amountsOf<Field extends string>({ causes }: Causes<Field, never>, fields: readonly Field[]): Amounts<Field> {
  const needs = fields.map(field => causes[field]?.needs ?? {}) as readonly Amounts<Field>[]
  const names = [...fields, ...(needs.flatMap(each => Object.keys(each)) as Field[])]
  const amounts = [...new Set(names)].map(name => {
    const own = fields.filter(each => each === name).length
    return [
      name,
      Math.max(
        own,
        needs.reduce((sum, each) => sum + (each[name] ?? 0), 0),
      ),
    ] as const
  })
  return Object.fromEntries(amounts) as Amounts<Field>
}
