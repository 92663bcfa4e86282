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
  readonly outcome: FinalOutcome | 'unknown'
  readonly faults: readonly FaultOptions[]
  readonly event?: CaseEvent
  /** How often the customer presses *pay*, at the same moment. Default: once. */
  readonly presses?: number
  /** Whether `needs-person` is a right answer: the gateway contradicts itself, or took days. */
  readonly personMayLook?: true
}

const approved = 'approved'
const declined = 'declined'
const both = [approved, declined] as const

type What = Partial<Omit<CertifyCase, 'name' | 'outcome'>>

const caseOf = (name: string, outcome: CertifyCase['outcome'], what: What = {}): CertifyCase => ({
  name,
  outcome,
  faults: [],
  ...what,
})

/** A case for each decision of the acquirer. */
const bothCases = (name: string, what: What): readonly CertifyCase[] =>
  both.map(outcome => caseOf(`${name}, ${outcome}`, outcome, what))

/** Cases in which nothing goes wrong. A merchant that fails one of these is not put to the others. */
export const plainCases: readonly CertifyCase[] = both.map(outcome => caseOf(outcome, outcome))

/**
 * Every other case: each fault alone and with the callback lost, and what goes wrong elsewhere than at the gateway.
 *
 * @param operations What the merchant sends for a payment, in its order: faults of requests strike each of them.
 */
export function casesFor(operations: readonly string[]): readonly CertifyCase[] {
  return [
    ...operations.flatMap((operation, index) => requestCases(operation, index === 0 ? '' : ` at ${operation}`)),
    ...faultNames.flatMap(otherCases),
    ...bothCases('pressed twice', { presses: 2 }),
    caseOf('forged callback', declined, { event: 'forged-callback' }),
    caseOf('forged browser return', declined, { event: 'forged-return' }),
    caseOf('status down when the callback comes', approved, { event: 'status-down' }),
    caseOf('decided after two days', 'unknown', { event: 'decided-late', personMayLook: true }),
  ]
}

function requestCases(operation: string, where: string): readonly CertifyCase[] {
  // No merchant can prevent that something on the way repeats a request.
  const struck = faultNames.filter(fault => faultTable[fault].at === 'request' && faultTable[fault].effect !== 'twice')
  const lost = struck.filter(fault => faultTable[fault].effect !== 'nothing' && fault !== 'slow-body')
  // A fault with a probability has no end: it strikes every repetition as well.
  const noCallback = { fault: 'callback-never', probability: 1 } as const
  return [
    ...struck.flatMap(fault => bothCases(`${fault}${where}`, { faults: [{ fault, operation }] })),
    ...lost.map(fault =>
      caseOf(`${fault}${where}, callback-never`, approved, { faults: [{ fault, operation }, noCallback] }),
    ),
    // In the other cases an order id that is used again makes a second order, unless the profile refuses it.
    ...(effectOf(operation) === 'creates' ? lost : []).map(fault =>
      caseOf(`${fault}${where}, used id refused`, approved, {
        faults: [{ fault, operation }],
        event: 'used-id-refused',
      }),
    ),
  ]
}

/** What an operation does to orders; undefined for one of the merchant's own. */
export const effectOf = (name: string): AnyOperation['effect'] | undefined =>
  Object.hasOwn(knownOperations, name) ? knownOperations[name as keyof typeof knownOperations].effect : undefined

/** How many status replies a fault strikes. Default: one. */
const replies: Partial<Record<FaultName, number>> = { 'status-lags': 3, 'unknown-status-word': 2 }

/** Cases of a fault that strikes elsewhere than at requests. */
function otherCases(fault: FaultName): readonly CertifyCase[] {
  const { at } = faultTable[fault]
  if (at === 'request') return []
  if (at === 'order') return later[fault] ?? []
  if (at === 'connection') return [caseOf(`${fault}, approved`, approved, { faults: [{ fault }] })]
  return bothCases(fault, { faults: [{ fault, times: replies[fault] ?? 1 }] })
}

/** Faults that change the order later. An event does the same, once the payment has had its outcome. */
const later: Partial<Record<FaultName, readonly CertifyCase[]>> = {
  'corrected-later': bothCases('corrected-later', { event: 'corrected', personMayLook: true }),
  'reversed-later': [caseOf('reversed-later', approved, { event: 'reversed' })],
  'charged-back-later': [caseOf('charged-back-later', approved, { event: 'charged-back' })],
}
