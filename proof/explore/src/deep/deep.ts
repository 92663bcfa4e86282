/** Walks through the worlds in which two causes meet, and takes random ways through those in which three meet: `npm run explore -- --deep`. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { storyOf } from '../kept.js'
import { askAll } from '../walks.js'
import { allPairs } from './all.js'
import type { Answer, Asked } from './deep-one.js'
import { isComplete, type Results, withResults } from './results.js'

export interface DeepOptions {
  /** Pairs with this in their names are walked through. */
  readonly only: string
  /** No more worlds of a pair are met. */
  readonly most: number
  /** How many random ways are taken. 0: pairs are walked through instead. */
  readonly walks: number
  /** The seed of the first random way. */
  readonly seed: number
  readonly processes: number
  /** Whether the results are kept. */
  readonly write: boolean
}

const file = new URL('../../../../docs/evidence/deep.json', import.meta.url)

/** Megabytes that each process may use for worlds that it has still to look at. */
const memory = 8_000

/** Parts of worlds that a process remembers cost memory: it makes way to another one then. */
const wornAfter = 200_000

const say = (line: string): boolean => process.stdout.write(`${line}\n`)

/** @returns Whether no rule is broken. */
export async function deep(options: DeepOptions): Promise<boolean> {
  const { only, most, walks, seed, processes } = options
  const pairs = [...allPairs.keys()].filter(place => allPairs[place]?.name.includes(only))
  const asked: readonly Asked[] =
    walks > 0
      ? Array.from({ length: walks }, (_, nth) => ({ kind: 'way', seed: seed + nth }))
      : pairs.map(place => ({ kind: 'pair', place, most }))
  if (asked.length === 0) throw new Error(`No pair has ${JSON.stringify(only)} in its name.`)
  let results: Results = { pairs: {} }
  let [broken, worlds, done] = [0, 0, 0]
  const shared = {
    program: new URL('deep-one.ts', import.meta.url),
    processes,
    options: [...process.execArgv, `--max-old-space-size=${memory}`],
    isWorn: (answers: readonly Answer[]) => answers.reduce((sum, each) => sum + worldsOf(each), 0) > wornAfter,
  }
  await askAll<Asked, Answer>(asked, shared, (each, answer) => {
    const { found } = answer.kind === 'pair' ? answer.explored : answer.way
    worlds += worldsOf(answer)
    done += 1
    if (each.kind === 'pair' && answer.kind === 'pair') {
      const name = allPairs[each.place]?.name ?? ''
      const { worlds, depth, stopped } = answer.explored
      const end = stopped === undefined ? '' : ` not complete, ${stopped}`
      say(`${worlds.toLocaleString('en').padStart(10)} worlds, ${String(depth).padStart(3)} deep${end}  ${name}`)
      results = { pairs: { ...results.pairs, [name]: [worlds, depth, ...(stopped === undefined ? [] : [stopped])] } }
      // It takes hours: what is done stays where the rest is stopped.
      if (options.write) keep(results)
    }
    if (found === undefined) return
    broken += 1
    if (each.kind === 'way' && answer.kind === 'way')
      say(`Seed ${each.seed}, ${answer.way.name}. Again: npm run explore -- --deep --walks 1 --seed ${each.seed}`)
    say(storyOf(found))
  })
  const whole = Object.values(results.pairs).filter(isComplete).length
  const end = `${broken === 0 ? 'none' : broken} of them breaks a rule.`
  if (walks > 0) {
    if (options.write && broken === 0) keep({ pairs: {}, sampled: { from: seed, walks, worlds } })
    say(`${done} random ways of seeds from ${seed} on, ${worlds.toLocaleString('en')} worlds, sampled; ${end}`)
  } else say(`${done} pairs, ${whole} walked to their end, ${worlds.toLocaleString('en')} worlds; ${end}`)
  return broken === 0
}

const worldsOf = (answer: Answer): number => (answer.kind === 'pair' ? answer.explored.worlds : answer.way.steps + 1)

function keep(results: Results): void {
  const kept = readKept()
  mkdirSync(new URL('.', file), { recursive: true })
  const names = new Set(allPairs.map(({ name }) => name))
  writeFileSync(file, `${JSON.stringify(withResults(kept, results, names), undefined, 2)}\n`)
}

function readKept(): Results {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Results
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { pairs: {} }
    throw error
  }
}
