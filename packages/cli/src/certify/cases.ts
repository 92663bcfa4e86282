import { type AnyOperation, type FinalOutcome, operations as knownOperations } from '@tillkit/protocol'
import { type FaultName, type FaultOptions, faultTable } from '@tillkit/testing'
import { faultNames } from '@tillkit/testing/gateway'

/** What happens in a case besides its faults. */
export type CaseEvent =
  | 'forged-callback'
  | 'forged-return'
  | 'status-down'
  | 'used-id-refused'
  | 'decided-late'
  | 'corrected'
  | 'reversed'
  | 'charged-back'

export interface CertifyCase {
  readonly name: string
  /** What the acquirer decides. */
  readonly outcome: FinalOutcome | 'unknown'
  readonly faults: readonly FaultOptions[]
  readonly event?: CaseEvent
  /** Whether `needs-person` is a right answer: the gateway contradicts itself, or took days. */
  readonly personMayLook?: true
}

const approved = 'approved'
const declined = 'declined'
const both = [approved, declined] as const

/** Cases in which nothing goes wrong. A merchant that fails one of these is not put to the others. */
export const plainCases: readonly CertifyCase[] = both.map(outcome => ({ name: outcome, outcome, faults: [] }))

/**
 * Every other case: each fault alone and with the callback lost, and what goes wrong elsewhere than at the gateway.
 *
 * @param operations What the merchant sends for a payment, in its order: faults of requests strike each of them.
 */
export function casesFor(operations: readonly string[]): readonly CertifyCase[] {
  return [
    ...operations.flatMap((operation, index) => requestCases(operation, index === 0 ? '' : ` at ${operation}`)),
    ...faultNames.flatMap(fault => caseMakers[faultTable[fault].at](fault)),
    { name: 'forged callback', outcome: declined, faults: [], event: 'forged-callback' },
    { name: 'forged browser return', outcome: declined, faults: [], event: 'forged-return' },
    { name: 'status down when the callback comes', outcome: approved, faults: [], event: 'status-down' },
    { name: 'decided after two days', outcome: 'unknown', faults: [], event: 'decided-late', personMayLook: true },
  ]
}

function requestCases(operation: string, where: string): readonly CertifyCase[] {
  const struck = faultNames.filter(fault => faultTable[fault].at === 'request')
  const lost = struck.filter(fault => faultTable[fault].effect !== 'nothing' && fault !== 'slow-body')
  return [
    ...struck.flatMap(fault =>
      both.map(outcome => ({ name: `${fault}${where}, ${outcome}`, outcome, faults: [{ fault, operation }] })),
    ),
    ...lost.map(
      (fault): CertifyCase => ({
        name: `${fault}${where}, callback-never`,
        outcome: approved,
        faults: [{ fault, operation }, withoutEnd('callback-never')],
      }),
    ),
    // In the other cases an order id that is used again makes a second order, unless the profile refuses it.
    ...(effectOf(operation) === 'creates' ? lost : []).map(
      (fault): CertifyCase => ({
        name: `${fault}${where}, used id refused`,
        outcome: approved,
        faults: [{ fault, operation }],
        event: 'used-id-refused',
      }),
    ),
  ]
}

/** What an operation does to orders; undefined for one of the merchant's own. */
export const effectOf = (name: string): AnyOperation['effect'] | undefined =>
  Object.hasOwn(knownOperations, name) ? knownOperations[name as keyof typeof knownOperations].effect : undefined

/** Strikes every repetition as well: a fault with a probability has no end. */
const withoutEnd = (fault: FaultName): FaultOptions => ({ fault, probability: 1 })

/** How many status replies a fault strikes. Default: one. */
const replies: Partial<Record<FaultName, number>> = { 'status-lags': 3, 'unknown-status-word': 2 }

const simple = (fault: FaultName): readonly CertifyCase[] =>
  both.map(outcome => ({ name: `${fault}, ${outcome}`, outcome, faults: [{ fault, times: replies[fault] ?? 1 }] }))

/** Faults that change the order later. An event does the same, once the payment has had its outcome. */
const later: Partial<Record<FaultName, readonly CertifyCase[]>> = {
  'corrected-later': both.map(outcome => ({
    name: `corrected-later, ${outcome}`,
    outcome,
    faults: [],
    event: 'corrected',
    personMayLook: true,
  })),
  'reversed-later': [{ name: 'reversed-later', outcome: approved, faults: [], event: 'reversed' }],
  'charged-back-later': [{ name: 'charged-back-later', outcome: approved, faults: [], event: 'charged-back' }],
}

const caseMakers: Readonly<Record<(typeof faultTable)[FaultName]['at'], (fault: FaultName) => readonly CertifyCase[]>> =
  {
    connection: fault => [{ name: `${fault}, approved`, outcome: approved, faults: [{ fault }] }],
    request: () => [],
    answer: simple,
    status: simple,
    order: fault => later[fault] ?? [],
    callback: simple,
  }
