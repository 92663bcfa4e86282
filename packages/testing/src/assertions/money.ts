/**
 * Checks of what happened to money.
 *
 * @module
 */
import { type MoneyMoved, moneyMoved, type StageName } from '@tillkit/protocol'
import type { FakeGateway } from '../fake/fake-gateway.js'
import type { StageView } from '../orders/order-view.js'
import { asText, type Check, checkNames, hasFields } from './check.js'
import { describeOrders } from './describe-gateway.js'

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

/** Whether exactly the expected money moved, and no other. Order by order, as {@link movementsOf} lists it. */
export function checkMovedMoney(gateway: Orders, expected: readonly Partial<Movement>[]): Check {
  for (const each of expected) {
    checkNames(each, { of: 'A movement', known: ['clientOrderId', 'stage', 'money', 'amount', 'currency'] })
  }
  const actual = movementsOf(gateway)
  const orders = gateway.orders.list()
  const shown = orders.length === 0 ? 'There are no orders.' : describeOrders(orders)
  const what = expected.length === 0 ? 'no money' : asText(expected)
  return {
    pass: actual.length === expected.length && actual.every((each, index) => hasFields(each, expected[index] ?? {})),
    message: `Expected to move: ${what}. Moved: ${actual.length === 0 ? 'no money' : asText(actual)}.\n\n${shown}`,
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

/** Whether there is an order, and whether its stage is as expected. */
export function checkOrder(
  gateway: Orders,
  { id, expected = {} }: { readonly id: string; readonly expected?: ExpectedOrder | undefined },
): Check {
  checkNames(expected, { of: 'An order', known: ['stage', 'status', 'final', 'amount', 'errorCode'] })
  const { stage: name, ...fields } = expected
  const order = gateway.orders.find(id)
  const stage = order?.stages.findLast(each => name === undefined || each.stage === name)
  const orders = gateway.orders.list()
  const shown = orders.length === 0 ? 'There are no orders.' : describeOrders(orders)
  const what = `the order "${id}"${Object.keys(expected).length === 0 ? '' : ` with ${asText(expected)}`}`
  return {
    pass: stage !== undefined && hasFields(stage, fields),
    message: `The gateway does not have ${what}.\n\n${shown}`,
    negated: `The gateway has ${what}, and was not to have it.\n\n${shown}`,
    actual: stage,
    expected,
  }
}
