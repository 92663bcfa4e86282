import { isDeepStrictEqual } from 'node:util'
import type { Attempt, AttemptEnd, Reservation } from '@tillkit/protocol'

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

/** Makes attempts that no other check has: `creates` of a new order each, `changes` of one order. */
export interface AttemptMaker {
  creates(own?: Partial<Attempt>): Attempt
  changes(own?: Partial<Attempt>): Attempt
}

/** Makes attempts whose ids begin with `prefix`. */
export function attemptMaker(prefix: string): AttemptMaker {
  let count = 0
  const next = (): string => {
    count += 1
    return `${prefix}/${count}`
  }
  const common = {
    login: 'merchant',
    baseUrl: 'https://gate.example/paynet',
    endpointId: '39',
    fingerprint: 'a'.repeat(64),
    currency: 'EUR',
    reservedAt: 1_767_605_400_000,
  } as const
  return {
    creates: own => {
      const id = next()
      return {
        ...common,
        attemptId: id,
        operation: 'sale',
        effect: 'creates',
        stages: ['sale'],
        clientOrderId: id,
        amount: '10.42',
        ...own,
      }
    },
    changes: own => ({
      ...common,
      attemptId: next(),
      operation: 'return',
      effect: 'changes',
      stages: ['cancel', 'reversal'],
      clientOrderId: prefix,
      orderId: `${prefix}/order`,
      amount: '3.00',
      baseline: { askedAt: 1_767_605_399_000, status: 'approved', stage: 'sale', amount: '10.42', currency: 'EUR' },
      ...own,
    }),
  }
}

/** What is wrong where something should have been reserved. */
export const notReserved = (reservation: Reservation): string | undefined =>
  reservation?.kind === 'reserved' ? undefined : `"reserve" gave ${show(reservation)}; expected {"kind":"reserved"}.`

/** What is wrong where something should have been refused for this reason. */
export function notRefused(
  reservation: Reservation,
  kind: Exclude<Reservation['kind'], 'reserved'>,
  ...[earlier, end]: readonly [earlier: Attempt, end?: AttemptEnd]
): string | undefined {
  const expected = { kind, earlier: end === undefined ? earlier : { ...earlier, end } }
  return isDeepStrictEqual(plain(reservation), plain(expected))
    ? undefined
    : `"reserve" gave ${show(reservation)}; expected ${show(expected)}.`
}

/** A value as a store returns it: without undefined fields, in plain objects. */
export const plain = (value: unknown): unknown => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)))

/** A value as a problem shows it. */
export const show = (value: unknown): string => JSON.stringify(value) ?? 'nothing'
