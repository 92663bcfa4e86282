/** One sentence of a contract, and what is wrong where a store does not keep it. */
export interface ConformanceCheck<Context> {
  /** Third person: "refuses …". */
  readonly name: string
  readonly run: (context: Context) => Promise<string | undefined>
}

/** Runs checks one after the other, each in a context of its own. @returns What is wrong, the name of the check first. */
export async function runChecks<Context>(
  checks: readonly ConformanceCheck<Context>[],
  contextOf: (index: number) => Context,
): Promise<readonly string[]> {
  const problems: string[] = []
  for (const [index, { name, run }] of checks.entries()) {
    const problem = await run(contextOf(index)).catch((error: unknown) => `it failed: ${textOf(error)}`)
    if (problem !== undefined) problems.push(`${name}: ${problem}`)
  }
  return problems
}

/** The text of anything that was thrown. */
export const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** A value as a store returns it: without undefined fields, in plain objects. */
export const plain = (value: unknown): unknown => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)))

/** A value as a problem shows it. */
export const show = (value: unknown): string => JSON.stringify(value) ?? 'nothing'
