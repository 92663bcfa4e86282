import {
  type AskedSettlement,
  type AskInput,
  askAndSettle,
  type Expectation,
  type Order,
  settle,
} from '@tillkit/protocol'
import { OrderMismatchError } from '../config/errors.js'
import { type Conclusive, isConclusive } from './tell.js'

/** What the merchant knows of an order, and everything the merchant waits for. */
export interface AwaitedOrder {
  readonly order: Order
  /**
   * What is waited for. A list where several things are, each return or capture with the `serialNumber` of its reply; an
   * empty one where nothing is. A customer who comes back is shown how the creation of the order ended: the first entry that
   * is neither a capture nor a later change.
   */
  readonly expected: Expectation | readonly Expectation[]
}

/**
 * What option `order` is called with. A function that takes the ids for text was written for an id alone: it fails with the
 * cure, and does not look for an order named `[object Object]`.
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

/** Checks what option `order` returned. @throws {TypeError} for no awaited order, {@link OrderMismatchError} for another one. */
export function checkAwaitedOrder(known: AwaitedOrder, clientOrderId: string): AwaitedOrder {
  if (typeof known?.order !== 'object' || known.order === null) {
    throw new TypeError(
      'Option "order" must return { order, expected }, such as { order, expected: { stages: [\'sale\'], amount, currency } }, or ' +
        'undefined. What it returned has no "order". Status was not asked.',
    )
  }
  const { clientOrderId: found } = known.order
  if (found === clientOrderId) return known
  throw new OrderMismatchError(
    `Option "order" was asked for order ${clientOrderId} and returned order ${found}. Status was not asked.`,
    { status: 500 },
  )
}

interface OutcomeFinding {
  readonly kind: 'outcome'
  readonly settlement: Conclusive
  readonly isExpected: boolean
  /** It may be a return or a void of the merchant's own, sent a moment ago. */
  readonly mayBeOwn: boolean
}

/** What one question came to: an outcome to tell of, or why there is nothing to tell. */
type Finding =
  | OutcomeFinding
  | {
      /** `known`: the merchant's own order says the same already. */
      readonly kind: 'known' | 'not-final' | 'not-expected' | 'other-order' | 'no-answer'
      readonly explanation: string
      readonly cause?: unknown
    }

/** What happens to an order without a request: the cardholder's bank takes money back, as much as it likes. */
const bankChanges: Expectation = { stages: ['chargeback'] }

/** What a person at the gateway can do to an order as well as the merchant's own requests: adr/0032. */
const manualStages: Expectation['stages'] = ['reversal', 'cancel', 'void']

/**
 * Asks status what became of everything the merchant waits for, and of changes that the merchant did not request: once for every
 * serial number that is waited for, and once for the latest.
 */
export async function askAboutOrder(
  { order: stored, expected }: AwaitedOrder,
  asking: Omit<AskInput, 'order' | 'expected'>,
): Promise<readonly Finding[]> {
  const expectations: readonly Expectation[] = Array.isArray(expected) ? expected : [expected]
  const isChanging = expectations.some(({ stages }) => stages.some(stage => manualStages.includes(stage)))
  const unexpected = isChanging ? [bankChanges] : [bankChanges, { stages: manualStages }]
  const serialNumbers = new Set(expectations.flatMap(({ serialNumber }) => serialNumber ?? []))
  const findings: Finding[] = []
  let order = stored
  for (const serialNumber of [...serialNumbers, undefined]) {
    const awaited = expectations.filter(each => each.serialNumber === serialNumber)
    const [first, ...others] = serialNumber === undefined ? [...awaited, ...unexpected] : awaited
    if (first === undefined) continue
    const before = order
    const asked = await askAndSettle({ ...asking, order: before, expected: first })
    order = asked.order
    const settlements = [asked, ...others.map(each => settleAgain(asked, { ...asking, order: before, expected: each }))]
    // One reply is about one stage: the settlement of the expectation that it answers, if there is one.
    const answered = settlements.findIndex(({ kind }) => kind !== 'other-stage')
    const index = Math.max(answered, 0)
    const finding = findingOf(settlements[index] ?? asked, {
      before,
      isOver: serialNumber === undefined || hasEnded(before, serialNumber),
      isExpected: index < awaited.length,
      mayBeOwn: index > awaited.length,
    })
    // A change that is not waited for need not have happened.
    const isSilent = finding.kind === 'not-expected' || finding.kind === 'known'
    if (awaited.length > 0 || findings.length === 0 || !isSilent) findings.push(finding)
  }
  return findings
}

/** The same reply, for another expectation. */
const settleAgain = (
  asked: AskedSettlement,
  input: Omit<Parameters<typeof settle>[0], 'observation'>,
): AskedSettlement => (asked.kind === 'no-answer' ? asked : settle({ ...input, observation: asked.observation }))

const hasEnded = ({ stages }: Order, serialNumber: string): boolean =>
  stages.some(stage => stage.serialNumber === serialNumber && stage.outcome !== undefined)

function findingOf(
  settlement: AskedSettlement,
  {
    before,
    isOver,
    ...about
  }: Pick<OutcomeFinding, 'isExpected' | 'mayBeOwn'> & {
    readonly before: Order
    /** Whether the order says already how the request with this serial number ended. */
    readonly isOver: boolean
  },
): Finding {
  const isNothingNew = endedBefore(before, settlement.order)
  if (about.mayBeOwn && isNothingNew) return known
  if (isConclusive(settlement)) return { kind: 'outcome', settlement, ...about }
  const { kind, explanation } = settlement
  switch (kind) {
    case 'no-answer':
      return { kind, explanation, cause: settlement.cause }
    case 'not-final':
    case 'other-order':
      return { kind, explanation }
    default:
      return isOver && isNothingNew ? known : { kind: 'not-expected', explanation }
  }
}

const known: Finding = { kind: 'known', explanation: 'Status says what is known of the order already.' }

/** Whether every stage has ended, and had ended like that before we asked. */
function endedBefore(before: Order, after: Order): boolean {
  const hasEnded = after.stages.length > 0 && after.stages.every(({ outcome }) => outcome !== undefined)
  return hasEnded && endings(before) === endings(after)
}

const endings = ({ stages }: Order): string =>
  JSON.stringify(
    stages.map(({ stage, word, serialNumber, status, corrections }) => [
      stage,
      word,
      serialNumber,
      status,
      corrections.length,
    ]),
  )
