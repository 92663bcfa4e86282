/**
 * Whether the test that an `afterEach` hook runs after has failed, in each of the runners.
 *
 * @module
 */

/** What is known of a test that failed. */
export interface FailedTest {
  /** Absent where the runner does not tell. */
  readonly name?: string
}

/**
 * Looks at what a runner tells its hooks: vitest hands over the task, node:test the context of the test. jest tells its hooks
 * nothing; what it notes of the test under way is found by a symbol, and where that is not there no test has failed.
 *
 * @param context First parameter of the hook.
 * @returns undefined for a test that did not fail.
 */
export function failedTest(context: unknown): FailedTest | undefined {
  const { task, passed } = (context ?? {}) as HookContext
  const noted = notedByJest()
  const hasFailed = task?.result?.state === 'fail' || passed === false || (noted?.errors?.length ?? 0) > 0
  return hasFailed ? currentTest(context) : undefined
}

/** The test that a hook runs after. */
export function currentTest(context: unknown): FailedTest {
  const { task, name } = (context ?? {}) as HookContext
  const found = task?.name ?? name ?? notedByJest()?.name
  return typeof found === 'string' ? { name: found } : {}
}

interface HookContext {
  readonly task?: { readonly name?: unknown; readonly result?: { readonly state?: unknown } }
  readonly passed?: unknown
  readonly name?: unknown
}

interface NotedTest {
  readonly name?: unknown
  readonly errors?: readonly unknown[]
}

/** @see jest-circus, types.ts, STATE_SYM */
function notedByJest(): NotedTest | undefined {
  const symbol = Object.getOwnPropertySymbols(globalThis).find(each => each.description === 'JEST_STATE_SYMBOL')
  if (symbol === undefined) return undefined
  const state = (globalThis as unknown as Record<symbol, { currentlyRunningTest?: NotedTest | null } | undefined>)[
    symbol
  ]
  return state?.currentlyRunningTest ?? undefined
}
