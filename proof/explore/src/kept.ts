import type { Walked } from './scene-walks.js'
import type { Planted } from './scenes/scene.js'
import type { Explored } from './walk/explorer.js'
import { inWords, type RuleName, rules } from './walk/rules.js'

/** The numbers of earlier walks, in kept.json. */
export interface Kept {
  /** How many worlds each scene has, and how many moves the last one is away. */
  readonly scenes: Readonly<Record<string, readonly [worlds: number, depth: number]>>
  /** The ends that runs come to in each part of the till. */
  readonly ends: Readonly<Record<string, readonly string[]>>
  /** The rule that each planted mistake breaks, and in how many worlds that is found. */
  readonly planted: Readonly<Record<string, readonly [rule: RuleName, worlds: number]>>
  /** The sentence of each rule, for docs/evidence.md. */
  readonly rules: Readonly<Record<string, string>>
}

type Walks = ReadonlyMap<string, Walked>

/** The part of the till that a scene is about. */
const partOf = (name: string): string => name.slice(0, name.indexOf(':'))

/** The ends that came, by part. */
function endsOf(walks: Walks): Kept['ends'] {
  const parts = new Map<string, Set<string>>()
  for (const [name, { ends }] of walks) {
    const seen = parts.get(partOf(name)) ?? new Set()
    for (const end of ends) seen.add(end)
    parts.set(partOf(name), seen)
  }
  return Object.fromEntries([...parts].map(([part, seen]) => [part, [...seen].sort()]))
}

/** Says what is otherwise than it was kept. @param isWhole Whether every scene was walked through. */
export function differences(walks: Walks, kept: Kept, { isWhole }: { readonly isWhole: boolean }): readonly string[] {
  const sizes = [...walks].flatMap(([name, { explored }]) => {
    if (explored.found !== undefined) return []
    const [worlds, depth] = kept.scenes[name] ?? []
    if (explored.worlds === worlds && explored.depth === depth) return []
    const before = worlds === undefined ? 'is new' : `had ${worlds} worlds, ${depth} deep`
    return [
      `${name} ${before}, and has ${explored.worlds}, ${explored.depth} deep. Look at the change, then keep it with --write.`,
    ]
  })
  if (!isWhole) return sizes
  const gone = Object.keys(kept.scenes).filter(name => !walks.has(name))
  const now = endsOf(walks)
  const ends = Object.keys({ ...kept.ends, ...now }).filter(
    part => JSON.stringify(now[part]) !== JSON.stringify(kept.ends[part]),
  )
  return [
    ...sizes,
    ...(JSON.stringify(kept.rules) === JSON.stringify(rules) ? [] : ['Other rules are kept. Keep these with --write.']),
    ...gone.map(name => `${name} is kept, and there is no such scene any more.`),
    ...ends.map(part => `Runs of ${part} came to ${now[part]?.join('; ')}, and not to ${kept.ends[part]?.join('; ')}.`),
  ]
}

/** Names the planted mistakes that were not found, or that broke another rule. */
export const missed = (walks: Walks, kept: Kept, planted: readonly Planted[]): readonly string[] =>
  planted.flatMap(({ what, broken }) => {
    const walked = walks.get(what)
    if (walked === undefined) return []
    const { found } = walked.explored
    if (found === undefined) return [`Nobody found what is planted: ${what}.`]
    if (!broken.test(found.broken.what)) return [`${what} was found by something else: ${inWords(found.broken)}.`]
    const { rule } = found.broken
    const [before] = kept.planted[what] ?? []
    if (rule === before) return []
    const was = before === undefined ? 'is new' : `broke "${before}"`
    return [`${what} ${was}, and breaks "${rule}". Look at the change, then keep it with --write.`]
  })

/** Puts the numbers of these walks into those that are kept. */
export function withWalked(
  walks: Walks,
  kept: Kept,
  { isPlanted, isWhole }: { readonly isPlanted: boolean; readonly isWhole: boolean },
): Kept {
  const sizes = [...walks].map(([name, { explored }]) => [name, explored] as const)
  const merged = <Value>(before: Readonly<Record<string, Value>>, now: readonly (readonly [string, Value])[]) =>
    Object.fromEntries(
      [...Object.entries(isWhole ? {} : before), ...now].sort(([one], [other]) => (one < other ? -1 : 1)),
    )
  if (isPlanted)
    return {
      ...kept,
      rules,
      planted: merged(
        kept.planted,
        sizes.flatMap(([name, { worlds, found }]) =>
          found === undefined ? [] : [[name, [found.broken.rule, worlds]] as const],
        ),
      ),
    }
  const scenes = merged(
    kept.scenes,
    sizes.map(([name, { worlds, depth }]) => [name, [worlds, depth] as const] as const),
  )
  return { ...kept, scenes, ends: isWhole ? endsOf(walks) : kept.ends, rules }
}

/** Tells how the first world that breaks a rule came about. */
export const storyOf = ({ broken, moves }: NonNullable<Explored['found']>): string =>
  [`${inWords(broken)}:`, ...moves.map((move, at) => `${String(at + 1).padStart(4)}. ${move}`)].join('\n')
