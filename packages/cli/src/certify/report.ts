/**
 * What came of a certification, as data.
 *
 * @module
 */
import type { FinalOutcome } from '@tillkit/protocol'
import type { FaultName, OrderView } from '@tillkit/testing'

/** What can be wrong. The first five are about money; the last two about a merchant that does not get that far. */
export const findingKinds = {
  'charged-twice': 'The customer was charged more than once for one purchase.',
  'paid-without-money': 'The merchant calls an order paid for which the gateway has no money.',
  'money-without-paid': 'The gateway has the money, and the merchant says that the order is not paid.',
  'left-unknown': 'The gateway knows how it ended, and the merchant never finds out.',
  'lost-callback': 'A callback was not taken, or was answered with 200 and forgotten.',
  hung: 'The merchant did not answer.',
  failed: 'The merchant failed where nothing was wrong, or crashed.',
} as const

/** Kind of a finding. */
export type FindingKind = keyof typeof findingKinds

/** Something that is wrong. */
export interface CertifyFinding {
  readonly kind: FindingKind
  /** Name of the case; the option `only` runs it again. */
  readonly case: string
  /** Of the gateway it was found with. */
  readonly seed: string
  /** What is wrong, with what the merchant said and what the gateway has. */
  readonly explanation: string
  /** Requests, replies and callbacks as the gateway saw them, one line each, redacted. */
  readonly history: readonly string[]
  /** What to do about it. */
  readonly advice: string
}

/** One case, run. */
export interface CertifiedCase {
  readonly name: string
  /** What the acquirer decides in it. */
  readonly outcome: FinalOutcome | 'unknown'
  readonly faults: readonly FaultName[]
  /** Whether its faults struck, and its forgeries found an address. A case that did not apply proves nothing. */
  readonly applied: boolean
  /** What the merchant said in the end, order by order. */
  readonly answers: Readonly<Record<string, string>>
  /** Orders of the case, as the gateway has them. */
  readonly orders: readonly OrderView[]
  readonly findings: readonly CertifyFinding[]
}

/** What came of a certification. */
export interface CertifyReport {
  /** Whether nothing was found. */
  readonly passed: boolean
  readonly seed: string
  readonly cases: readonly CertifiedCase[]
  readonly findings: readonly CertifyFinding[]
  /** Why the rest was not run. */
  readonly stopped?: string
}
