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

/** What a check found. */
export interface Check {
  readonly pass: boolean
  /** Why it did not pass. */
  readonly message: string
  /** Why it should not have passed, for `.not`. */
  readonly negated: string
  /** What there is, for the runner's comparison. */
  readonly actual?: unknown
  /** What was asked for. */
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
export function checkReceived(
  gateway: Pick<FakeGateway, 'calls'>,
  { operation, expected = {} }: { readonly operation: string; readonly expected?: ExpectedCalls | undefined },
): Check {
  checkOptions('A call', expected, callOptions)
  const { times, verdict, fields = {} } = expected
  const found = gateway
    .calls(operation)
    .filter(call => (verdict === undefined || call.verdict === verdict) && hasSent(call, fields))
  const what = `"${operation}"${withFields(expected)}`
  const log = `\n\n${describeCalls(gateway.calls())}`
  return {
    pass: isAsOften(found.length, times),
    message: `The gateway was asked for ${what} ${often(found.length)}.${log}`,
    negated: `The gateway was asked for ${what}, and was not to be.${log}`,
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
export function checkRefusedNothing(gateway: Pick<FakeGateway, 'calls'>): Check {
  const refused = gateway.calls().filter(({ verdict }) => verdict === 'refused')
  return {
    pass: refused.length === 0,
    message: `The gateway refused ${refused.length} request(s).\n\n${describeCalls(refused)}`,
    negated: `The gateway refused nothing, and was to refuse something.\n\n${describeCalls(gateway.calls())}`,
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
export function checkCalledBack(
  gateway: Pick<FakeGateway, 'callbacks' | 'orders'>,
  { id, expected = {} }: { readonly id: string; readonly expected?: ExpectedCallbacks | undefined },
): Check {
  checkOptions('A callback', expected, callbackOptions)
  const { status, times } = expected
  const orderId = gateway.orders.find(id)?.orderId
  const taken = gateway.callbacks
    .list()
    .filter(each => each.orderId === orderId && each.httpStatus === 200)
    .filter(each => status === undefined || each.status === status)
  const what = `about "${id}"${withFields(expected)}`
  const shown = `\n\n${describeCallbacks(gateway)}`
  return {
    pass: isAsOften(taken.length, times),
    message: `${taken.length} callback(s) ${what} were taken with HTTP 200. Await gateway.callbacks.idle() first.${shown}`,
    negated: `A callback ${what} was taken, and was not to be sent.${shown}`,
  }
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

type Orders = Pick<FakeGateway, 'orders'>

/** Lists every movement of money at a gateway: order by order, the oldest first, and of each its stages as they came. */
export function movementsOf(gateway: Orders): readonly Movement[] {
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
export function checkMovedMoney(gateway: Orders, expected: readonly Partial<Movement>[]): Check {
  for (const each of expected) checkOptions<Partial<Movement>>('A movement', each, movementFields)
  const actual = movementsOf(gateway)
  const shown = describeOrders(gateway.orders.list())
  const what = expected.length === 0 ? 'no money' : onOneLine(expected)
  return {
    pass: actual.length === expected.length && actual.every((each, index) => hasFields(each, expected[index] ?? {})),
    message: `Expected to move: ${what}. Moved: ${actual.length === 0 ? 'no money' : onOneLine(actual)}.\n\n${shown}`,
    negated: `Exactly ${what} moved, and was not to.\n\n${shown}`,
    actual,
    expected,
  }
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
export function checkOrder(
  gateway: Orders,
  { id, expected = {} }: { readonly id: string; readonly expected?: ExpectedOrder | undefined },
): Check {
  checkOptions('An order', expected, orderFields)
  const { stage: name, ...fields } = expected
  const order = gateway.orders.find(id)
  const stage = order?.stages.findLast(each => name === undefined || each.stage === name)
  const shown = describeOrders(gateway.orders.list())
  const what = `the order "${id}"${withFields(expected)}`
  return {
    pass: stage !== undefined && hasFields(stage, fields),
    message: `The gateway does not have ${what}.\n\n${shown}`,
    negated: `The gateway has ${what}, and was not to have it.\n\n${shown}`,
    actual: stage,
    expected,
  }
}
