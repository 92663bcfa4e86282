/**
 * Asks status about everything that a merchant waits for of an order, and about what it does not wait for.
 *
 * @module
 */
import {
  type AskedSettlement,
  type AskInput,
  type AwaitedStage,
  askAndSettle,
  type Expectation,
  isSettled,
  needsPerson,
  type Order,
  settle,
} from '@tillkit/protocol'
import type { Conclusive } from './received.js'

/** What the merchant knows of an order, and everything it waits for. */
export interface AwaitedOrder {
  readonly order: Order
  /**
   * What is waited for. A list where several things are, each return or capture with the `serialNumber` of its reply; an
   * empty one where nothing is. A customer who comes back is shown what made the order, the first of them that is neither
   * a capture nor anything after it.
   */
  readonly expected: Expectation | readonly Expectation[]
}

/** @throws {TypeError} when what the option `order` returned is no such thing. */
export function checkAwaitedOrder(known: AwaitedOrder): AwaitedOrder {
  if (typeof known?.order === 'object' && known.order !== null) return known
  throw new TypeError(
    'Option "order" must return { order, expected }, such as { order, expected: { stages: [\'sale\'], amount, currency } }, or ' +
      'undefined. What it returned has no "order". Status was not asked.',
  )
}

/** Why there is nothing to tell, yet or at all. `known`: the merchant's own order says the same already. */
export type OpenReason = 'known' | 'not-final' | 'not-expected' | 'other-order' | 'no-answer'

/** What one question came to. */
export type Finding =
  | {
      readonly conclusive: true
      readonly settlement: Conclusive
      readonly isExpected: boolean
      /** It may be a return or a void of the merchant's own, sent a moment ago. */
      readonly mayBeOwn: boolean
    }
  | {
      readonly conclusive: false
      readonly reason: OpenReason
      readonly explanation: string
      readonly cause?: unknown
    }

/** What happens to an order that nobody asked for: the cardholder's bank takes money back, as much as it likes. */
const bySomebody: Expectation = { stages: ['chargeback'] }

/** What the gateway's support, or a person at its screens, does to an order as well as the merchant's own requests: adr/0032. */
const byAnybody: Expectation & { readonly stages: readonly AwaitedStage[] } = { stages: ['reversal', 'cancel', 'void'] }

/**
 * Asks once for every serial number that is waited for, and once for the latest.
 *
 * @returns One finding for each question.
 */
export async function askAboutOrder(
  { order: stored, expected }: AwaitedOrder,
  asking: Omit<AskInput, 'order' | 'expected'>,
): Promise<readonly Finding[]> {
  const expectations: readonly Expectation[] = Array.isArray(expected) ? expected : [expected]
  const isChanging = expectations.some(({ stages }) => stages.some(stage => byAnybody.stages.includes(stage)))
  const unasked = isChanging ? [bySomebody] : [bySomebody, byAnybody]
  const serialNumbers = new Set(expectations.flatMap(({ serialNumber }) => serialNumber ?? []))
  const findings: Finding[] = []
  let order = stored
  for (const serialNumber of [...serialNumbers, undefined]) {
    const awaited = expectations.filter(each => each.serialNumber === serialNumber)
    const [first, ...others] = serialNumber === undefined ? [...awaited, ...unasked] : awaited
    if (first === undefined) continue
    const before = order
    const asked = await askAndSettle({ ...asking, order: before, expected: first })
    order = asked.order
    const settlements =
      'observation' in asked
        ? [
            asked,
            ...others.map(each => settle({ ...asking, order: before, expected: each, observation: asked.observation })),
          ]
        : [asked]
    const found = mostTelling(settlements)
    const isExpected = found.index < awaited.length
    const mayBeOwn = found.index > awaited.length
    const isOver = serialNumber === undefined || hasEnded(before, serialNumber)
    const finding = findingOf(found.settlement, { before, isOver, isExpected, mayBeOwn })
    // What nobody waits for need not have happened.
    if (awaited.length > 0 || findings.length === 0 || !isSilent(finding)) findings.push(finding)
  }
  return findings
}

const isSilent = (finding: Finding): boolean =>
  !finding.conclusive && (finding.reason === 'not-expected' || finding.reason === 'known')

/** One reply is about one stage: the settlement of the expectation that it answers, if there is one. */
function mostTelling(settlements: readonly AskedSettlement[]) {
  const indexed = settlements.map((settlement, index) => ({ settlement, index }))
  const answered = indexed.find(({ settlement }) => settlement.kind !== 'other-stage')
  return answered ?? { settlement: settlements[0] as AskedSettlement, index: 0 }
}

const hasEnded = ({ stages }: Order, serialNumber: string): boolean =>
  stages.some(stage => stage.serialNumber === serialNumber && stage.outcome !== undefined)

interface Found {
  readonly before: Order
  /** Whether the order says already how what was asked about by its serial number ended. */
  readonly isOver: boolean
  readonly isExpected: boolean
  readonly mayBeOwn: boolean
}

function findingOf(settlement: AskedSettlement, { before, isOver, ...found }: Found): Finding {
  if (found.mayBeOwn && isNothingNew(before, settlement.order)) return known
  if (isSettled(settlement)) return { conclusive: true, settlement, ...found }
  const { stage } = 'stage' in settlement ? settlement : { stage: undefined }
  if (needsPerson(settlement) && stage !== undefined) {
    return { conclusive: true, settlement: { ...settlement, stage }, ...found }
  }
  const { kind: reason, explanation } = settlement
  switch (reason) {
    case 'no-answer':
      return { conclusive: false, reason, explanation, cause: settlement.cause }
    case 'not-final':
    case 'other-order':
      return { conclusive: false, reason, explanation }
    default:
      return isOver && isNothingNew(before, settlement.order)
        ? known
        : { conclusive: false, reason: 'not-expected', explanation }
  }
}

const known: Finding = {
  conclusive: false,
  reason: 'known',
  explanation: 'Status says what is known of the order already.',
}

/** Whether every stage has ended, and had ended like that before we asked. */
function isNothingNew(before: Order, { stages }: Order): boolean {
  return (
    stages.length > 0 &&
    stages.length === before.stages.length &&
    stages.every(
      stage =>
        stage.outcome !== undefined &&
        before.stages.some(
          each =>
            each.stage === stage.stage &&
            each.word === stage.word &&
            each.serialNumber === stage.serialNumber &&
            each.status === stage.status &&
            each.corrections.length === stage.corrections.length,
        ),
    )
  )
}

/**
 * Ids to look an order up by. A function that takes them for text was written for an id alone: it fails with the cure, and
 * does not look for an order named `[object Object]`.
 */
export function orderIds<Ids extends { readonly clientOrderId: string }>(ids: Ids): Ids {
  return Object.defineProperty({ ...ids }, Symbol.toPrimitive, { value: refuseText })
}

function refuseText(): never {
  throw new TypeError(
    'Option "order" took what it is called with for text. It is called with an object: write ' +
      'order: ({ clientOrderId }) => findOrder(clientOrderId). Status was not asked.',
  )
}
