import { orderIdFor, orderPlace } from '@tillkit/protocol'
import { findAtGateway, takeUp } from '../restored.js'
import { warnOfMissingStatus } from './ask-first.js'
import type { NextStep, PayContext, Round } from './pay-context.js'

/**
 * Asks whether the gateway has an order that the store may have lost, or a later one of the payment: an order may never have arrived, and
 * the payment went on. Where it has, the payment goes on with that one.
 */
export async function findLost(
  clientOrderId: string,
  { beginning, read, account, learnt, context }: Round,
): Promise<NextStep | undefined> {
  const { reference } = beginning
  const { payments, accounts, clock, rules } = context
  const known = new Set(read.document?.orders.map(each => each.clientOrderId))
  const later = laterIds(clientOrderId, rules).filter(each => !known.has(each))
  const found = await findAtGateway([clientOrderId, ...later], { accounts, clock })
  if (found.kind === 'absent') {
    learnt.absent.add(clientOrderId)
    return undefined
  }
  if (found.kind === 'known') {
    await takeUp(found, { beginning, payments, clock })
    const { document, at } = await payments.read(reference)
    const { login } = found.account
    const order = document?.orders.find(each => each.clientOrderId === found.clientOrderId && each.login === login)
    if (order !== undefined && order.stages.length > 0) {
      // The merchant is told what the store had lost.
      await context.ask(order, found.account, at)
      return undefined
    }
  }
  if (found.kind === 'no-answer') warnOfMissingStatus(clientOrderId, { asked: found.kind, account, context })
  const address = await context.waitingPage(clientOrderId, { goesOn: false, later: true })
  return { kind: 'wait', address, payment: payments.view(reference, read) }
}

/** The ids of the orders after one, up to the last one that a payment may have. */
function laterIds(clientOrderId: string, { mostOrders }: PayContext['rules']): readonly string[] {
  const { reference, attempt } = orderPlace(clientOrderId)
  const count = Math.max(0, mostOrders - attempt)
  return Array.from({ length: count }, (_, nth) => orderIdFor({ reference, attempt: attempt + nth + 1 }))
}
