/**
 * Walks through every scene: `npm run explore`. How many worlds each has is kept, and another number fails: a change is to be looked at.
 * `--mutants` walks with planted mistakes in place of the shipped runner, each of which has to be found.
 *
 * @module
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { differences, type Kept, missed, storyOf, withWalked } from './kept.js'
import { allPlanted, allScenes } from './scenes/all.js'
import { type Walked, walkAll } from './walks.js'

const { values } = parseArgs({
  options: {
    mutants: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    write: { type: 'boolean', default: false },
    processes: { type: 'string', default: String(availableParallelism()) },
  },
})
const { mutants: isPlanted, only, write } = values
const names = isPlanted ? allPlanted.map(({ what }) => what) : allScenes.map(({ name }) => name)
const places = [...names.keys()].filter(place => names[place]?.includes(only))
if (places.length === 0) throw new Error(`No scene has ${JSON.stringify(only)} in its name.`)

const file = new URL('../kept.json', import.meta.url)
const kept = JSON.parse(readFileSync(file, 'utf8')) as Kept
const walks = new Map<string, Walked>()
const say = (line: string): boolean => process.stdout.write(`${line}\n`)

await walkAll(places, { processes: Number(values.processes), isPlanted }, (place, walked) => {
  const name = names[place] ?? ''
  const { worlds, depth, found } = walked.explored
  walks.set(name, walked)
  const seen = `${worlds.toLocaleString('en').padStart(9)} worlds, ${String(depth).padStart(2)} deep`
  say(`${seen}  ${name}${isPlanted && found !== undefined ? `: ${found.broken}` : ''}`)
})

const all = [...walks.values()].reduce((sum, { explored }) => sum + explored.worlds, 0).toLocaleString('en')
const isWhole = only === ''
const problems = isPlanted ? missed(walks, allPlanted) : differences(walks, kept, { isWhole })
if (write) {
  const after = withWalked(walks, kept, { isPlanted, isWhole })
  writeFileSync(file, `${JSON.stringify(after, undefined, 2)}\n`)
  say('Written to kept.json.')
}
for (const { explored } of isPlanted ? [] : walks.values())
  if (explored.found !== undefined) say(storyOf(explored.found))
const broken = [...walks].filter(([, { explored }]) => !isPlanted && explored.found !== undefined)
for (const each of write ? [] : problems) say(each)
say(
  isPlanted
    ? `${walks.size} planted mistakes, ${walks.size - problems.length} found, in ${all} worlds.`
    : `${walks.size} scenes, ${all} worlds, each walked to its end; ${broken.length === 0 ? 'none' : broken.length} of them breaks a rule.`,
)
process.exitCode = broken.length + (write ? 0 : problems.length) === 0 ? 0 : 1
