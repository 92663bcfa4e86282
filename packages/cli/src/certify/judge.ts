import { finalOutcome, readMinorUnits, type WireProfile } from '@tillkit/protocol'
import type { CallbackDelivery, OrderView } from '@tillkit/testing'
import { mostRepetitions } from '@tillkit/testing/gateway'
import type { FindingKind } from './report.js'

/** Whether the gateway holds or has taken money for an order, after all that was given back. */
export function hasMoney({ stages, currency = '' }: OrderView, profile: WireProfile): boolean {
  const sum = (...names: readonly string[]): bigint =>
    stages
      .filter(({ stage, status }) => names.includes(stage) && finalOutcome(status, profile) === 'approved')
      .reduce((all, { amount }) => all + (amount === undefined ? 0n : readMinorUnits(amount, currency, profile)), 0n)
  const [sold, captured] = [sum('sale'), sum('capture')]
  // The void of a sale gives it back; that of a hold releases what was not captured.
  if (sold > 0n) return sold > sum('reversal', 'void', 'chargeback')
  if (captured > 0n) return captured > sum('reversal', 'chargeback')
  return sum('preauth') > sum('void', 'cancel')
}

/** What the merchant said of an order in the end; `no answer` where it said nothing that can be understood. */
export type FinalAnswer = 'paid' | 'not-paid' | 'open' | 'needs-person' | 'no answer'

/** What is compared. All of it is about one purchase. */
export interface Evidence {
  readonly answers: Readonly<Record<string, FinalAnswer>>
  readonly orders: readonly OrderView[]
  readonly deliveries: readonly CallbackDelivery[]
  readonly profile: WireProfile
  readonly personMayLook: boolean
  /**
   * Whether the merchant asks about each order that it calls open while it is looked at. Its clock cannot be moved:
   * it had seconds, and needs a quarter of an hour.
   */
  readonly asksOn: boolean
}

/** What is wrong. */
export interface Verdict {
  readonly kind: FindingKind
  readonly explanation: string
}

/** Compares what the merchant says with what the gateway has. */
export function judge(evidence: Evidence): readonly Verdict[] {
  const { answers, orders, profile } = evidence
  const withMoney = orders.filter(order => hasMoney(order, profile)).map(({ clientOrderId }) => clientOrderId)
  const gateway = describeGateway(orders, withMoney)
  const conclusion = `The merchant says ${describeAnswers(answers)}; ${gateway}.`
  const found: Found = { ...evidence, withMoney, conclusion }
  const paid = Object.values(answers).filter(word => word === 'paid')
  const lost = judgeCallbacks(found)
  const twice = `One purchase was charged ${withMoney.length} times. ${conclusion}`
  const verdicts: Verdict[] = []
  if (withMoney.length > 1) verdicts.push({ kind: 'charged-twice', explanation: twice })
  if (paid.length > withMoney.length) verdicts.push({ kind: 'paid-without-money', explanation: conclusion })
  if (isCalledUnpaid(found)) verdicts.push({ kind: 'money-without-paid', explanation: conclusion })
  if (lost?.forgotten !== true && isLeftUnknown(found)) verdicts.push({ kind: 'left-unknown', explanation: conclusion })
  return lost === undefined ? verdicts : [...verdicts, lost.verdict]
}

interface Found extends Evidence {
  /** The merchant's ids of the orders that the gateway has money of. */
  readonly withMoney: readonly string[]
  readonly conclusion: string
}

function isCalledUnpaid({ answers, withMoney }: Found): boolean {
  if (withMoney.some(order => answers[order] === 'not-paid')) return true
  // The merchant may call orders by other names than the gateway does, or have told the customer that it failed.
  return withMoney.length > 0 && Object.values(answers).every(word => word === 'not-paid')
}

function isLeftUnknown({ answers, orders, withMoney, personMayLook, asksOn }: Found): boolean {
  const isLeft = (word: FinalAnswer | undefined): boolean =>
    word === 'open' || word === 'no answer' || (word === 'needs-person' && !personMayLook && orders.length > 0)
  if (withMoney.some(order => isLeft(answers[order]))) return true
  const said = Object.values(answers)
  // Once a second try is paid, the first one need not be known.
  if (said.includes('paid') || !isLeft(said.at(-1))) return false
  // The shop charged nobody. It may wait, because a request can take effect late.
  if (orders.length === 0 && said.at(-1) === 'open' && asksOn) return false
  return orders.every(({ stages }) => stages.every(({ final }) => final))
}

function judgeCallbacks(found: Found): { readonly verdict: Verdict; readonly forgotten?: true } | undefined {
  const { answers, orders, deliveries, withMoney, personMayLook, conclusion } = found
  const given = deliveries.find(({ attempt, httpStatus }) => attempt > mostRepetitions && httpStatus !== 200)
  if (given !== undefined && given.error?.includes('callback-dead-host') !== true) {
    const answer = given.httpStatus === undefined ? (given.error ?? 'no answer') : `HTTP ${given.httpStatus}`
    const explanation = `A callback was sent ${given.attempt} times in 14 days and never answered with 200 (last: ${answer}).`
    return { verdict: { kind: 'lost-callback', explanation } }
  }
  const taken = new Set(deliveries.filter(({ httpStatus }) => httpStatus === 200).map(({ orderId }) => orderId))
  const isForgotten = ({ orderId, clientOrderId }: OrderView): boolean => {
    const word = answers[clientOrderId]
    if (!taken.has(orderId)) return false
    const hasOthers = withMoney.includes(clientOrderId) ? word === 'not-paid' : word === 'paid' && personMayLook
    return word === 'open' || word === 'no answer' || hasOthers
  }
  const forgotten = orders.find(isForgotten)
  if (forgotten === undefined) return undefined
  const explanation =
    `The callback about ${forgotten.clientOrderId} was answered with 200, so that it does not come again, ` +
    `and nothing came of it. ${conclusion}`
  return { verdict: { kind: 'lost-callback', explanation }, forgotten: true }
}

/** Says which order is called what. */
function describeAnswers(answers: Evidence['answers']): string {
  const said = Object.entries(answers).map(([order, word]) => `"${word}" of ${order}`)
  return said.length === 0 ? 'nothing' : said.join(', ')
}

function describeGateway(orders: readonly OrderView[], withMoney: readonly string[]): string {
  if (withMoney.length > 0) return `the gateway has the money of ${withMoney.join(', ')}`
  if (orders.length === 0) return 'the gateway has no money, and never had the order'
  const described = orders.map(
    ({ clientOrderId, stages }) => `${clientOrderId}: ${stages.map(each => `${each.stage} ${each.status}`).join(', ')}`,
  )
  return `the gateway has no money (${described.join('; ')})`
}
