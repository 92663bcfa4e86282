import { setTimeout as realTime } from 'node:timers/promises'
import { closeChecks } from './close-checks.js'
import { commitChecks } from './commit-checks.js'
import { commitRaceChecks } from './commit-races.js'
import { contextOn, inTime, type StoreCheck, type StoreGround, type Surroundings } from './context.js'
import { callAndCatch, textOf, Unmet, upTo } from './expectations.js'
import { commitFailureChecks, failureChecks } from './failure-checks.js'
import { listChecks } from './list-checks.js'
import { type StoreProcess, startProcess } from './processes.js'
import { takeChecks } from './take-checks.js'
import { textChecks } from './text-checks.js'
import { writeChecks } from './write-checks.js'
import { writeIdChecks } from './write-id-checks.js'

/** How a store is checked. */
export interface StoreConformanceOptions {
  /** How many other processes take part, where the ground says how they open it. Default: 2. */
  readonly processes?: number
  /** Options for Node.js in those processes, such as a loader of TypeScript. Default: none. */
  readonly execArgv?: readonly string[]
  /** How many calls are made at once. Default: 12. */
  readonly concurrency?: number
  /** How many processes are killed in the check that kills. Default: 2. */
  readonly kills?: number
  /** Lets that many milliseconds pass on the store's clock. Default: a timer. */
  readonly pass?: (milliseconds: number) => Promise<void>
  /**
   * How long a call may take that another one must not hold up, and a sixth of what one check may take, in milliseconds.
   * Default: 20,000.
   */
  readonly patience?: number
  /** The names of the checks that are run. Default: all. */
  readonly only?: readonly string[]
}

/** Every check, in the order in which they run. */
export const storeChecks: readonly StoreCheck[] = [
  ...writeChecks,
  ...writeIdChecks,
  ...textChecks,
  ...failureChecks,
  ...takeChecks,
  ...listChecks,
  ...closeChecks,
  ...commitChecks,
  ...commitRaceChecks,
  ...commitFailureChecks,
]

/**
 * Checks a store: that of several writers after one write one wins, that no answer is wrong and nothing is lost, what is kept byte
 * for byte and what is refused, dates, lists, the clock, `commit` and `close`; between calls, between stores, and between
 * processes where the ground says how another one opens it.
 *
 * Each check has a ground of its own. A store without `commit`, and a ground without what a check needs, pass that check.
 *
 * @param open Opens fresh ground: no document is on it. It is called once for each check, one after the other.
 * @returns What is wrong, the name of the check first; an empty list for a store that conforms.
 * @throws {TypeError} for a store with `commit` whose ground has no `rows`, and for a name in `only` that no check has.
 * @example
 * ```ts
 * const problems = await storeConformance(async () => ({ store: memoryStore() }))
 * ```
 */
export async function storeConformance<Transaction>(
  open: () => StoreGround<Transaction> | Promise<StoreGround<Transaction>>,
  options: StoreConformanceOptions = {},
): Promise<readonly string[]> {
  const { concurrency = 12, kills = 2, patience = 20_000, execArgv = [], only } = options
  const unknown = only?.find(name => !storeChecks.some(check => check.name === name))
  if (unknown !== undefined) throw new TypeError(`storeConformance has no check ${JSON.stringify(unknown)}.`)
  let started: Promise<readonly StoreProcess[]> | undefined
  const surroundings: Surroundings = {
    processes: () => {
      started ??= Promise.all(upTo(options.processes ?? 2).map(() => startProcess(execArgv)))
      return started
    },
    startProcess: () => startProcess(execArgv),
    pass: options.pass ?? (async milliseconds => realTime(milliseconds)),
    concurrency,
    kills,
    patience,
  }
  const problems: string[] = []
  try {
    for (const check of storeChecks.filter(({ name }) => only === undefined || only.includes(name))) {
      const problem = await problemOf(check, await open(), surroundings)
      if (problem !== undefined) problems.push(`${check.name}: ${problem}`)
    }
  } finally {
    for (const each of (await started?.catch(() => [])) ?? []) await each.kill()
  }
  return problems
}

async function problemOf<Transaction>(
  check: StoreCheck,
  ground: StoreGround<Transaction>,
  surroundings: Surroundings,
): Promise<string | undefined> {
  const { context, end } = contextOn(ground, surroundings)
  const run = () => inTime(`The check "${check.name}"`, check.run(context), surroundings.patience * 6)
  const failures = [await callAndCatch(run), await callAndCatch(end)].flatMap(({ error }) => error ?? [])
  const [first] = failures
  if (first === undefined) return undefined
  return first instanceof Unmet ? first.message : `it failed: ${textOf(first)}`
}
