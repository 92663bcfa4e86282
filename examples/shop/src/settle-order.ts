/**
 * The shop's one door: callbacks, the customer's return and the buttons all ask status and settle here.
 *
 * @module
 */
import { askAndSettle, type Client, reduceOrder, type StatusObservation } from '@tillkit/client'
import { type AwaitedOrder, type ReceivedOutcome, tellOutcome, type VisitOutcomes } from '@tillkit/express-middleware'
import type { OpenQuestion, Orders, ShopOrder } from './orders.js'

/** What settling needs. */
export interface SettleContext {
  readonly client: Pick<Client, 'status'>
  readonly orders: Orders
  /** Told of every outcome once, whoever learns of it first: a callback, the customer's return, or a page that asks here. */
  readonly outcomes: VisitOutcomes
  readonly clock: () => number
}

/** Asks about every open question of an order once, and tells of those that are answered. */
export async function settleOrder(
  clientOrderId: string,
  { client, orders, outcomes, clock }: SettleContext,
): Promise<void> {
  for (const question of orders.find(clientOrderId)?.open ?? []) {
    const current = orders.find(clientOrderId)
    if (current === undefined || isUnanswerable(question, current)) continue
    const settlement = await askAndSettle({ client, order: current.order, expected: question.expected, clock })
    if ('observation' in settlement) learn(orders, clientOrderId, settlement.observation)
    await tellOutcome(settlement, outcomes)
  }
}

/** What a callback or a visit may answer. About an order without an open question: that a final word was taken back. */
export function awaitedOrder(found: ShopOrder): AwaitedOrder {
  const open = found.open.filter(question => !isUnanswerable(question, found))
  const questions = open.length > 0 ? open : [found.payment]
  return { order: found.order, expected: questions.map(({ expected }) => expected) }
}

/** Puts an outcome into its order. A shop that sends parcels would send them here, where `means` is `paid`. */
export function applyOutcome(orders: Orders, outcome: ReceivedOutcome): void {
  const { stage, serialNumber } = outcome.stage
  const isAnswered = ({ expected }: OpenQuestion) =>
    expected.stages.some(each => each === stage) &&
    (expected.serialNumber === undefined || expected.serialNumber === serialNumber)
  orders.update(outcome.order.clientOrderId, current => ({
    ...current,
    order: reduceOrder(current.order, outcome.observation),
    open: current.open.filter(question => !isAnswered(question)),
    ...(outcome.means === 'disputed'
      ? { isDisputed: true, notes: [...new Set([...current.notes, outcome.explanation])] }
      : {}),
  }))
}

/** Notes what status said that is no outcome yet. Reduced anew: meanwhile another answer may have told us more. */
function learn(orders: Orders, clientOrderId: string, observation: StatusObservation): void {
  orders.update(clientOrderId, current => ({ ...current, order: reduceOrder(current.order, observation) }))
}

/**
 * Keeps asking until nothing is open or `attempts` are used up.
 *
 * @param interval Milliseconds between two questions.
 */
export async function settleSoon(
  clientOrderId: string,
  context: SettleContext,
  { attempts = 10, interval = 700 }: { readonly attempts?: number; readonly interval?: number } = {},
): Promise<void> {
  for (let attempt = 0; attempt < attempts && hasOpenQuestion(context.orders.find(clientOrderId)); attempt += 1) {
    if (attempt > 0) await new Promise(resolve => setTimeout(resolve, interval).unref())
    await settleOrder(clientOrderId, context)
  }
}

function hasOpenQuestion(order: ShopOrder | undefined): boolean {
  return order?.open.some(question => !isUnanswerable(question, order)) ?? false
}

/**
 * A change whose reply was lost has no serial number to ask by. Where the order already has a stage of that kind, status
 * cannot tell the two apart, and whether it happened is for a person to find out.
 */
function isUnanswerable({ state, expected }: OpenQuestion, { order }: ShopOrder): boolean {
  if (state === 'sending') return true
  return state === 'unknown' && order.stages.some(({ stage }) => expected.stages.some(each => each === stage))
}
