import { inspect } from 'node:util'
import {
  aCount,
  aFlag,
  aText,
  checkedLater,
  checkOptions,
  type MoneyMoved,
  moneyMoved,
  type OptionTable,
  oneOfWords,
  type StageName,
} from '@tillkit/protocol'
import type { FakeGateway } from '../fake/fake-gateway.js'
import type { Call } from '../log/call-log.js'
import { couldBe } from '../log/redact.js'
import type { StageView } from '../state/order-view.js'
import { describeCallbacks, describeCalls, describeOrders } from './describe.js'

/** What a check found, as a matcher answers it. */
export interface MatcherResult {
  readonly pass: boolean
  /** Why it did not pass; where it passed, why it should not have, for `.not`. */
  message(): string
  /** What there is, for the runner's comparison. */
  readonly actual?: unknown
  readonly expected?: unknown
}

/** Whether every field that is expected is there with that very value. A field that is expected as undefined is left out. */
function hasFields<Shape extends object>(actual: Shape, expected: Partial<Shape>): boolean {
  const entries = Object.entries(expected) as [keyof Shape, unknown][]
  return entries.every(([name, value]) => value === undefined || actual[name] === value)
}

const onOneLine = (value: unknown): string => inspect(value, { depth: 4, breakLength: Number.POSITIVE_INFINITY })

const withFields = (expected: object): string =>
  Object.keys(expected).length === 0 ? '' : ` with ${onOneLine(expected)}`

const isAsOften = (found: number, times: number | undefined): boolean =>
  times === undefined ? found > 0 : found === times

/** The calls to look for. */
export interface ExpectedCalls {
  /** How many there are. Default: at least one. */
  readonly times?: number
  /** Default: either. */
  readonly verdict?: Call['verdict']
  /**
   * Fields of the request, in camel case or by wire name, as they were sent. A card number is compared by its first six and
   * last four digits; what the log does not keep, such as a CVV, cannot be asked for.
   */
  readonly fields?: Readonly<Record<string, string>>
}

const callOptions: OptionTable<ExpectedCalls> = {
  times: aCount({ least: 0 }),
  verdict: oneOfWords('accepted', 'refused'),
  fields: checkedLater,
}

/** Whether a gateway was asked for an operation. */
export function checkReceived(gateway: FakeGateway, operation: string, expected: ExpectedCalls = {}): MatcherResult {
  checkOptions('A call', expected, callOptions)
  const { times, verdict, fields = {} } = expected
  const found = gateway
    .calls(operation)
    .filter(call => (verdict === undefined || call.verdict === verdict) && hasSent(call, fields))
  const what = `"${operation}"${withFields(expected)}`
  const pass = isAsOften(found.length, times)
  const howOften = pass ? ', and was not to be' : ` ${often(found.length)}`
  return {
    pass,
    message: () => `The gateway was asked for ${what}${howOften}.\n\n${describeCalls(gateway.calls())}`,
  }
}

const often = (times: number): string => (times === 0 ? 'never' : times === 1 ? 'once' : `${times} times`)

function hasSent({ fields }: Call, expected: Readonly<Record<string, string>>): boolean {
  return Object.entries(expected).every(([name, value]) => {
    const sent = fields.find(([wireName]) => bare(wireName) === bare(name))?.[1]
    if (sent !== undefined && /^<.*>$/s.test(sent) && sent !== value) {
      throw new TypeError(`"${name}" is not kept in the call log (it shows ${sent}), so it cannot be compared.`)
    }
    return sent !== undefined && couldBe(sent, value)
  })
}

/** `clientOrderId`, `client_orderid` and `client-order-id` are one name. */
const bare = (name: string): string => name.replace(/[-_]/g, '').toLowerCase()

/** Whether no request was refused. */
export function checkRefusedNothing(gateway: FakeGateway): MatcherResult {
  const refused = gateway.calls().filter(({ verdict }) => verdict === 'refused')
  const pass = refused.length === 0
  return {
    pass,
    message: () =>
      pass
        ? `The gateway refused nothing, and was to refuse something.\n\n${describeCalls(gateway.calls())}`
        : `The gateway refused ${refused.length} request(s).\n\n${describeCalls(refused)}`,
  }
}

/** The callbacks to look for. */
export interface ExpectedCallbacks {
  /** The status word that they carried. Default: any. */
  readonly status?: string
  /** How many were taken. Default: at least one. */
  readonly times?: number
}

const callbackOptions: OptionTable<ExpectedCallbacks> = { status: aText, times: aCount({ least: 0 }) }

/** Whether the merchant took callbacks about an order, that is, answered HTTP 200. */
export function checkCalledBack(gateway: FakeGateway, id: string, expected: ExpectedCallbacks = {}): MatcherResult {
  checkOptions('A callback', expected, callbackOptions)
  const { status, times } = expected
  const orderId = gateway.orders.find(id)?.orderId
  const taken = gateway.callbacks
    .list()
    .filter(each => each.orderId === orderId && each.httpStatus === 200)
    .filter(each => status === undefined || each.status === status)
  const what = `about "${id}"${withFields(expected)}`
  const pass = isAsOften(taken.length, times)
  const found = pass
    ? `A callback ${what} was taken, and was not to be sent.`
    : `${taken.length} callback(s) ${what} were taken with HTTP 200. Await gateway.callbacks.idle() first.`
  return { pass, message: () => `${found}\n\n${describeCallbacks(gateway)}` }
}

/** One movement of money: an approved stage that captured, sent or returned some. A hold moves none. */
export interface Movement {
  /** The merchant's id of the order. */
  readonly clientOrderId: string
  readonly stage: StageName
  readonly money: Extract<MoneyMoved, 'captured' | 'sent' | 'returned'>
  /** Major units with exactly the currency's digits. */
  readonly amount: string
  readonly currency: string
}

/** Lists every movement of money at a gateway: order by order, the oldest first, and of each its stages as they came. */
export function movementsOf(gateway: Pick<FakeGateway, 'orders'>): readonly Movement[] {
  return gateway.orders.list().flatMap(({ clientOrderId, currency, stages }) =>
    stages.flatMap(({ stage, status, final, amount }) => {
      const money = moneyMoved(stage)
      if (!final || status !== 'approved' || amount === undefined || currency === undefined) return []
      if (money !== 'captured' && money !== 'sent' && money !== 'returned') return []
      return [{ clientOrderId, stage, money, amount, currency }]
    }),
  )
}

const movementFields: OptionTable<Movement> = {
  clientOrderId: aText,
  stage: aText,
  money: oneOfWords('captured', 'sent', 'returned'),
  amount: aText,
  currency: aText,
}

/** Whether exactly the expected money moved, and no other. Order by order, as {@link movementsOf} lists it. */
export function checkMovedMoney(gateway: FakeGateway, expected: readonly Partial<Movement>[]): MatcherResult {
  for (const each of expected) checkOptions<Partial<Movement>>('A movement', each, movementFields)
  const actual = movementsOf(gateway)
  const pass =
    actual.length === expected.length && actual.every((each, index) => hasFields(each, expected[index] ?? {}))
  const listed = (movements: readonly object[]) => (movements.length === 0 ? 'no money' : onOneLine(movements))
  const found = pass
    ? `Exactly ${listed(expected)} moved, and was not to.`
    : `Expected to move: ${listed(expected)}. Moved: ${listed(actual)}.`
  return { pass, message: () => `${found}\n\n${describeOrders(gateway.orders.list())}`, actual, expected }
}

/** What to look for in a stage of an order. */
export interface ExpectedOrder extends Partial<Pick<StageView, 'status' | 'final' | 'amount' | 'errorCode'>> {
  /** The latest stage of that name. Default: the order's latest stage. */
  readonly stage?: StageName
}

const orderFields: OptionTable<ExpectedOrder> = {
  stage: aText,
  status: aText,
  final: aFlag,
  amount: aText,
  errorCode: aText,
}

/** Whether there is an order, and whether its stage is as expected. */
export function checkOrder(gateway: FakeGateway, id: string, expected: ExpectedOrder = {}): MatcherResult {
  checkOptions('An order', expected, orderFields)
  const { stage: name, ...fields } = expected
  const order = gateway.orders.find(id)
  const stage = order?.stages.findLast(each => name === undefined || each.stage === name)
  const pass = stage !== undefined && hasFields(stage, fields)
  const what = `the order "${id}"${withFields(expected)}`
  const found = pass ? `The gateway has ${what}, and was not to have it.` : `The gateway does not have ${what}.`
  return { pass, message: () => `${found}\n\n${describeOrders(gateway.orders.list())}`, actual: stage, expected }
}
