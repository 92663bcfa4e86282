/**
 * The shop's one door: callbacks, the customer's return and the buttons all ask status and settle here.
 *
 * @module
 */
import type { Client } from '@tillkit/client'
import {
  type AwaitedOrder,
  type ReceivedOutcome,
  tellOutcome,
  type VisitOutcomes,
} from '@tillkit/express-middleware/core'
import { askAndSettle, type Expectation, isSettled, reduceOrder, type StatusObservation } from '@tillkit/protocol'
import type { OpenQuestion, Orders, ShopOrder } from './orders.js'

/** What settling needs. */
export interface SettleContext {
  readonly client: Pick<Client, 'status' | 'resolve'>
  readonly orders: Orders
  /** Told of every outcome once, whoever learns of it first: a callback, the customer's return, or a page that asks here. */
  readonly outcomes: VisitOutcomes
  readonly clock: () => number
}

/**
 * Asks about every open question of an order once, and tells of those that are answered. Where none is open, it asks whether
 * the cardholder's bank has taken the money back: a callback about that may have been lost.
 */
export async function settleOrder(clientOrderId: string, context: SettleContext): Promise<void> {
  const { client, orders, outcomes, clock } = context
  const found = orders.find(clientOrderId)
  if (found === undefined) return
  if (found.open.length === 0) {
    if (found.order.stages.length === 0) return
    await tellOutcome(await askAndSettle({ client, order: found.order, expected: chargeback, clock }), outcomes)
    return
  }
  for (const question of found.open) {
    if (!(await isAskable(question, clientOrderId, context))) continue
    const { order } = orders.find(clientOrderId) ?? found
    const settlement = await askAndSettle({ client, order, expected: question.expected, clock })
    if ('observation' in settlement) learn(orders, clientOrderId, settlement.observation)
    await tellOutcome(settlement, outcomes)
    // It was told before, perhaps when no question was open about it. The question is answered all the same.
    if (isSettled(settlement)) close(orders, clientOrderId, question)
  }
}

/** The shop asks for none, so no question is open about one. */
const chargeback: Expectation = { stages: ['chargeback'] }

/**
 * Whether status can answer a question. A change that was not answered has no serial number to ask by: whether the stage that
 * status shows is that change, `client.resolve` says, which knows what status showed before.
 */
async function isAskable(
  { state, attempt }: OpenQuestion,
  clientOrderId: string,
  { client, orders }: SettleContext,
): Promise<boolean> {
  if (state === 'sending') return false
  if (state === 'sent' || attempt === undefined) return true
  const resolved = await client.resolve(attempt)
  const happened = resolved.kind === 'happened'
  const needsPerson = resolved.kind === 'cannot-tell-yet' && resolved.needsPerson
  orders.update(clientOrderId, current => ({
    ...current,
    open: current.open.map(each =>
      each.attempt === attempt ? { ...each, state: happened ? 'sent' : 'unknown', needsPerson } : each,
    ),
  }))
  return happened
}

/** What a callback or a visit may answer. About an order without an open question: that a final word was taken back. */
export function awaitedOrder(found: ShopOrder): AwaitedOrder {
  // Of a change that was not answered only `client.resolve` can tell, see above.
  const open = found.open.filter(({ state, attempt }) => state === 'sent' || (state === 'unknown' && !attempt))
  const questions = open.length > 0 ? open : [found.payment]
  return { order: found.order, expected: questions.map(({ expected }) => expected) }
}

/** Puts an outcome into its order. A shop that sends parcels would send them here, where `kind` is `paid`. */
export function applyOutcome(orders: Orders, outcome: ReceivedOutcome): void {
  const { stage, serialNumber } = outcome.stage
  const isAnswered = ({ expected, state, attempt }: OpenQuestion) =>
    (state !== 'unknown' || attempt === undefined) &&
    expected.stages.some(each => each === stage) &&
    (expected.serialNumber === undefined || expected.serialNumber === serialNumber)
  orders.update(outcome.order.clientOrderId, current => ({
    ...current,
    order: reduceOrder(current.order, outcome.observation),
    open: current.open.filter(question => !isAnswered(question)),
    ...(outcome.kind === 'disputed'
      ? { isDisputed: true, notes: [...new Set([...current.notes, outcome.explanation])] }
      : {}),
  }))
}

function close(orders: Orders, clientOrderId: string, { expected }: OpenQuestion): void {
  orders.update(clientOrderId, current => ({
    ...current,
    open: current.open.filter(each => each.expected !== expected),
  }))
}

/** Notes what status said that is no outcome yet. Reduced anew: meanwhile another answer may have told us more. */
function learn(orders: Orders, clientOrderId: string, observation: StatusObservation): void {
  orders.update(clientOrderId, current => ({ ...current, order: reduceOrder(current.order, observation) }))
}
