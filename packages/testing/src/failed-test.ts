/**
 * Whether the test that an `afterEach` hook runs after has failed, in each of the runners.
 *
 * @module
 */

/**
 * Looks at what a runner tells its hooks: vitest hands over the task, node:test the context of the test. jest tells its hooks
 * nothing; what it notes of the test under way is found by a symbol, and where that is not there the answer is no.
 *
 * @param context First parameter of the hook.
 */
export function hasFailed(context: unknown): boolean {
  const { task, passed } = (context ?? {}) as {
    readonly task?: { readonly result?: { readonly state?: unknown } }
    readonly passed?: unknown
  }
  return task?.result?.state === 'fail' || passed === false || jestErrors() > 0
}

/** @see jest-circus, types.ts, STATE_SYM */
function jestErrors(): number {
  const symbol = Object.getOwnPropertySymbols(globalThis).find(each => each.description === 'JEST_STATE_SYMBOL')
  if (symbol === undefined) return 0
  const state = (globalThis as unknown as Record<symbol, JestState | undefined>)[symbol]
  return state?.currentlyRunningTest?.errors?.length ?? 0
}

interface JestState {
  readonly currentlyRunningTest?: { readonly errors?: readonly unknown[] } | null
}
