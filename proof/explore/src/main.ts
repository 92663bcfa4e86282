/**
 * Walks through every scene: `npm run explore`. How many worlds each has is kept, and another number fails: a change is to be looked at. So does
 * a place of the rules or the runner that no scene comes to, unless it is listed with a reason.
 * `--mutants` walks with planted mistakes in place of the shipped runner, each of which has to be found.
 * `--deep` walks through pairs of causes, and `--deep --walks 10000` goes random ways.
 *
 * @module
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { deep } from './deep/deep.js'
import { differences, type Kept, missed, storyOf, withWalked } from './kept.js'
import { type Unreached, unreachedDifferences, unreachedIn, withUnreached } from './places/unreached.js'
import { type Walked, walkAll } from './scene-walks.js'
import { allPlanted, allScenes } from './scenes/all.js'

const { values } = parseArgs({
  options: {
    mutants: { type: 'boolean', default: false },
    coverage: { type: 'boolean', default: false },
    deep: { type: 'boolean', default: false },
    most: { type: 'string', default: '20000000' },
    walks: { type: 'string', default: '0' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    write: { type: 'boolean', default: false },
    processes: { type: 'string', default: String(availableParallelism()) },
  },
})
const { mutants: isPlanted, only, write } = values
const processes = Number(values.processes)
const say = (line: string): boolean => process.stdout.write(`${line}\n`)
const fileOf = (name: string): URL => new URL(`../${name}`, import.meta.url)
const readJson = (name: string): unknown => JSON.parse(readFileSync(fileOf(name), 'utf8'))

if (values.deep) {
  const [most, walks, seed] = [Number(values.most), Number(values.walks), Number(values.seed)]
  process.exitCode = (await deep({ only, most, walks, seed, processes, write })) ? 0 : 1
} else await walkScenes()

async function walkScenes(): Promise<void> {
  const names = isPlanted ? allPlanted.map(({ what }) => what) : allScenes.map(({ name }) => name)
  const places = [...names.keys()].filter(place => names[place]?.includes(only))
  if (places.length === 0) throw new Error(`No scene has ${JSON.stringify(only)} in its name.`)
  const kept = readJson('kept.json') as Kept
  const walks = new Map<string, Walked>()
  const isWhole = only === ''
  const isCounted = values.coverage || (isWhole && !isPlanted)

  const reached = await walkAll(places, { processes, isPlanted, isCounted }, (place, walked) => {
    const name = names[place] ?? ''
    const { worlds, depth, found } = walked.explored
    walks.set(name, walked)
    const seen = `${worlds.toLocaleString('en').padStart(9)} worlds, ${String(depth).padStart(2)} deep`
    say(`${seen}  ${name}${isPlanted && found !== undefined ? `: ${found.broken.what}` : ''}`)
  })

  const all = [...walks.values()].reduce((sum, { explored }) => sum + explored.worlds, 0).toLocaleString('en')
  const problems = isPlanted ? missed(walks, kept, allPlanted) : differences(walks, kept, { isWhole })
  const listed = readJson('unreached.json') as readonly Unreached[]
  if (write) {
    keep('kept.json', withWalked(walks, kept, { isPlanted, isWhole }))
    if (isWhole && isCounted) keep('unreached.json', withUnreached(reached, listed))
  }
  for (const { explored } of isPlanted ? [] : walks.values())
    if (explored.found !== undefined) say(storyOf(explored.found))
  const broken = [...walks].filter(([, { explored }]) => !isPlanted && explored.found !== undefined)
  for (const each of write ? [] : problems) say(each)
  // A part of the scenes comes to a part of the places.
  const unreached = isWhole && isCounted && !write ? unreachedDifferences(reached, listed) : []
  for (const each of isWhole || !isCounted ? unreached : unreachedIn(reached)) say(each)
  say(
    isPlanted
      ? `${walks.size} planted mistakes, ${walks.size - problems.length} found, in ${all} worlds.`
      : `${walks.size} scenes, ${all} worlds, each walked to its end; ${broken.length === 0 ? 'none' : broken.length} of them breaks a rule.`,
  )
  process.exitCode = broken.length + unreached.length + (write ? 0 : problems.length) === 0 ? 0 : 1
}

function keep(name: string, value: unknown): void {
  writeFileSync(fileOf(name), `${JSON.stringify(value, undefined, 2)}\n`)
  say(`Written to ${name}.`)
}
