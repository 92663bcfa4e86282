import { createFakeGateway, type FakeGateway } from '../fake/fake-gateway.js'
import type { FakeGatewayOptions } from '../merchants/options.js'
import { describeGateway } from './describe.js'

/** A hook as a runner calls it, with what the runner passes to hooks. */
export type TestHook = () => Promise<void>

/** Registers a hook with a runner. */
export type TakesHook = (hook: TestHook) => unknown

/** The hooks of a runner: `afterEach`, and `afterAll` of vitest and jest or `after` of node:test. Others are not used. */
export type TestHooks = {
  readonly afterEach: TakesHook
  readonly beforeEach?: unknown
} & (
  | { readonly afterAll: TakesHook; readonly after?: unknown }
  | { readonly after: TakesHook; readonly afterAll?: never }
)

/** How a gateway is used in tests. */
export interface UseFakeGatewayOptions extends FakeGatewayOptions {
  /**
   * Whether a test that left something unhandled fails: an unknown path, a fault that never struck, a planned outcome
   * that decided nothing, a handler that was never asked. Default: true.
   */
  readonly assertAllHandled?: boolean
  /**
   * Prints what happened at the gateway when a test failed, and warnings where the option `warn` is not given. Default:
   * `console.error`.
   */
  readonly print?: (text: string) => void
}

/**
 * Makes a gateway for the tests below it. After each test it is reset, identifiers and chance included, and it is closed
 * after the last one. When a test fails, its seed, its calls, its orders and its callbacks are printed.
 *
 * One gateway serves all tests of the file, so they must not run at the same time.
 *
 * @param hooks Those of the runner: `{ afterEach, afterAll }`, or `after` in place of the last for node:test.
 * @throws {TypeError} naming the hook that is missing, or the option that cannot work.
 * @example
 * ```ts
 * import { afterAll, afterEach, it } from 'vitest'
 *
 * const gateway = useFakeGateway({ afterEach, afterAll })
 * const client = createClient(gateway.clientOptions)
 * ```
 */
export function useFakeGateway(hooks: TestHooks, options: UseFakeGatewayOptions = {}): FakeGateway {
  const { assertAllHandled = true, print = toConsole, ...gatewayOptions } = options
  const { afterEach } = hooks
  const last = hooks.afterAll ?? hooks.after
  checkHooks({ afterEach, 'afterAll" or "after': last })
  const gateway = createFakeGateway({ warn: print, ...gatewayOptions })
  const { seed } = gateway
  afterEach(
    hookWithContext(async context => {
      const test = testOf(context)
      let { hasFailed } = test
      try {
        // A callback under way must not arrive in the next test.
        await gateway.callbacks.idle()
        if (hasFailed) return
        hasFailed = true
        if (assertAllHandled) gateway.assertAllHandled()
        hasFailed = false
      } finally {
        if (hasFailed) print(`The test${test.name} failed.\n${describeGateway(gateway)}`)
        gateway.reset({ seed })
      }
    }),
  )
  ;(last as TakesHook)(() => gateway.close())
  return gateway
}

/**
 * A hook without declared parameters: jest would take one for a callback to call, and vitest demands that it is
 * destructured. Both pass the context all the same.
 */
function hookWithContext(run: (context: unknown) => Promise<void>): TestHook {
  return function hook() {
    // biome-ignore lint/complexity/noArguments: a declared parameter is what must not be here.
    return run((arguments as ArrayLike<unknown>)[0])
  }
}

function checkHooks(hooks: Readonly<Record<string, unknown>>): void {
  for (const [name, hook] of Object.entries(hooks)) {
    if (typeof hook === 'function') continue
    throw new TypeError(
      `useFakeGateway was not given "${name}". Hand it the hooks of your runner: { afterEach, afterAll } of vitest or ` +
        'jest, { afterEach, after } of node:test.',
    )
  }
}

/** The default of the option `print`, and the only thing here that prints. */
function toConsole(text: string): void {
  // biome-ignore lint/suspicious/noConsole: runners show what is printed beside the test that printed it.
  console.error(text)
}

/**
 * Reads what a runner passes to its hooks: vitest the task, node:test the context of the test. jest passes nothing; its
 * notes of the running test are found by a symbol, and without them no test counts as failed.
 *
 * @param context First parameter of the hook.
 * @returns The name in quotes after a space, or nothing where the runner does not say.
 */
function testOf(context: unknown): { readonly name: string; readonly hasFailed: boolean } {
  const { task, passed, name } = (context ?? {}) as HookContext
  const noted = notedByJest()
  const found = task?.name ?? name ?? noted?.name
  return {
    name: typeof found === 'string' ? ` "${found}"` : '',
    hasFailed: task?.result?.state === 'fail' || passed === false || (noted?.errors?.length ?? 0) > 0,
  }
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
