/** The places of the rules and the runner that no scene comes to, in unreached.json, each with the reason. */
import { readdirSync } from 'node:fs'

/** The places of each file, and whether they were come to. */
export type Reached = Readonly<Record<string, Readonly<Record<string, boolean>>>>

/** Places that no scene comes to, for one reason. A file alone: no scene runs any of it. */
export interface Unreached {
  readonly why: string
  readonly places: readonly string[]
}

const source = new URL('../../../../packages/till/src/', import.meta.url)

/** The files that decide the next step of a payment: all of `intents`, the runner, `evolve`, and the rules that choose. */
const files: ReadonlySet<string> = new Set([
  'state/evolve.ts',
  'engine/advance.ts',
  'engine/run.ts',
  'rules/delivery/give-back.ts',
  'rules/happening.ts',
  'rules/pay/change-step.ts',
  'rules/pay/next-step.ts',
  ...readdirSync(new URL('intents/', source), { recursive: true, encoding: 'utf8' })
    .filter(name => /(?<!\.test)\.ts$/.test(name))
    .map(name => `intents/${name}`),
])

/** The file of a script; undefined: nobody asks about it. */
export function fileOf(url: string): string | undefined {
  const name = url.startsWith(source.href) ? url.slice(source.href.length) : ''
  return files.has(name) ? name : undefined
}

/** A place counts as come to where one of two processes has. */
export function mergedWith(one: Reached, other: Reached): Reached {
  const names = [...Object.keys(one), ...Object.keys(other)]
  return Object.fromEntries(
    names.map(file => {
      const places = { ...one[file] }
      for (const [place, isReached] of Object.entries(other[file] ?? {}))
        places[place] = places[place] === true || isReached
      return [file, places]
    }),
  )
}

/** All places that nobody has come to. A file whose first line nobody has run is one place. */
export const unreachedIn = (reached: Reached): readonly string[] =>
  [...files].sort().flatMap(file => {
    const places = Object.entries(reached[file] ?? {})
    const left = places.flatMap(([place, isReached]) => (isReached ? [] : [`${file}: ${place}`]))
    return left.length === places.length && (places.length > 0 || !(file in reached)) ? [file] : left
  })

/** Says what is otherwise than it was kept. */
export function unreachedDifferences(reached: Reached, kept: readonly Unreached[]): readonly string[] {
  const now = new Set(unreachedIn(reached))
  const listed = kept.flatMap(({ places }) => places)
  return [
    ...[...now].filter(place => !listed.includes(place)).map(place => `No scene comes to ${place}`),
    ...listed
      .filter((place, at) => !now.has(place) || listed.indexOf(place) < at)
      .map(place => `unreached.json lists what a scene comes to, or what is gone: ${place}`),
    ...kept
      .filter(({ why }) => why === noReason)
      .flatMap(({ places }) => places.map(each => `Say why no scene comes to ${each}`)),
  ]
}

/** A place that is new in the list has no reason yet: a person writes it. */
const noReason = ''

/** The list as it is now. Places keep their reasons. */
export function withUnreached(reached: Reached, kept: readonly Unreached[]): readonly Unreached[] {
  const now = unreachedIn(reached)
  const listed = kept.flatMap(({ places }) => places)
  const left = kept.map(({ why, places }) => ({ why, places: places.filter(each => now.includes(each)) }))
  const added = { why: noReason, places: now.filter(each => !listed.includes(each)) }
  return [...left, added].filter(({ places }) => places.length > 0)
}
