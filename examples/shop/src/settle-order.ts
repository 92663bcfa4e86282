/**
 * The shop's one door: callbacks, the customer's return and the buttons all ask status and settle here.
 *
 * @module
 */
import { type AskedSettlement, askAndSettle, type Client, needsPerson, reduceOrder } from '@tillkit/client'
import type { OpenQuestion, Orders, ShopOrder } from './orders.js'

/** What settling needs. */
export interface SettleContext {
  readonly client: Pick<Client, 'status'>
  readonly orders: Orders
  readonly clock: () => number
}

/**
 * Asks about every open question of an order once, and closes those that are answered.
 *
 * @returns Whether status answered every time; false means that it is worth asking again.
 */
export function settleOrder(clientOrderId: string, context: SettleContext): Promise<boolean> {
  return askAbout(context.orders.find(clientOrderId)?.open ?? [], clientOrderId, context)
}

/** The same for a callback. About an order that has no open question it may say that a final word was taken back. */
export function settleCallback(clientOrderId: string, context: SettleContext): Promise<boolean> {
  const found = context.orders.find(clientOrderId)
  const closed = found === undefined ? [] : [found.payment]
  return askAbout(found?.open.length ? found.open : closed, clientOrderId, context)
}

async function askAbout(
  questions: readonly OpenQuestion[],
  clientOrderId: string,
  { client, orders, clock }: SettleContext,
): Promise<boolean> {
  let isAnswered = true
  for (const question of questions) {
    const current = orders.find(clientOrderId)
    if (current === undefined || isUnanswerable(question, current)) continue
    const settlement = await askAndSettle({ client, order: current.order, expected: question.expected, clock })
    applySettlement(orders, question, settlement)
    if (!settlement.settled && settlement.reason === 'no-answer') isAnswered = false
  }
  return isAnswered
}

/** Puts what was learned into the order: its stages, the question, and a note where a person must look. */
export function applySettlement(orders: Orders, question: OpenQuestion, settlement: AskedSettlement): void {
  const isDisputed = needsPerson(settlement)
  const isClosed = settlement.settled || isDisputed
  orders.update(settlement.order.clientOrderId, current => ({
    ...current,
    // Reduced anew: while this answer was on its way, another one may have told us more.
    order: 'observation' in settlement ? reduceOrder(current.order, settlement.observation) : current.order,
    open: isClosed ? current.open.filter(each => each.expected !== question.expected) : current.open,
    isDisputed: current.isDisputed || isDisputed,
    // Customers reload: the same is said once.
    notes: isDisputed ? [...new Set([...current.notes, settlement.explanation])] : current.notes,
  }))
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
