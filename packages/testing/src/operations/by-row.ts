import { type AnyOperation, requiredReplyFields } from '@tillkit/protocol'
import { readAmount } from '../orders/order.js'
import { approved } from '../orders/outcomes.js'
import { refuse } from '../replies/refusal.js'
import { replyPairs } from '../replies/reply.js'
import type { AcceptedCall } from '../state/gateway-state.js'
import { appendStage, checkNewOrderId, createOrder, decideNew } from '../state/orders.js'
import { asyncReply, findOrder, type OperationHandler } from './handler.js'

/**
 * Answers an operation of the table that has no handler of its own, as its row says: what creates makes an order with the first
 * stage of the row, approved unless an outcome is planned; what changes an order starts that stage on it. Either is acknowledged
 * with the ids.
 *
 * @throws {@link RefusedRequest} where the reply needs fields that no row knows.
 */
export const answerByRow: OperationHandler = call => {
  const row: AnyOperation = call.row
  const needed = requiredReplyFields(row.response).find(field => field !== 'orderId')
  if (row.effect === 'reads' || needed !== undefined) {
    refuse('failure', `The fake cannot know "${needed ?? 'what is read'}": give ${call.operation} a handler.`)
  }
  return row.effect === 'creates' ? createByRow(call, row) : changeByRow(call, row)
}

function createByRow(call: AcceptedCall, { stages, takes }: AnyOperation) {
  const { fields, gateway, serialNumber, endpointId } = call
  const clientOrderId = checkNewOrderId(call)
  const [stage] = stages
  if (stage !== undefined) {
    const money = takes?.amount === true && fields.amount !== undefined ? readAmount(fields, gateway.settings) : {}
    const verdict = decideNew(call, { ...money, otherwise: approved })
    return asyncReply(call, createOrder(call, { stage, ...money, verdict }))
  }
  // Status does not show it, so there is no order to keep; its id counts as used.
  gateway.orders.take(clientOrderId, gateway.settings.login)
  const type = gateway.settings.profile.replyTypes.value.AsyncResponse
  const orderId = gateway.ids.orderId()
  return replyPairs({ type, serialNumber, clientOrderId, orderId, endpointId }, gateway.settings.profile)
}

function changeByRow(call: AcceptedCall, { stages }: AnyOperation) {
  const order = findOrder(call)
  const [stage] = stages
  if (stage === undefined) return asyncReply(call, order)
  const amount =
    call.fields.amount === undefined ? order.stages[0].amount : readAmount(call.fields, call.gateway.settings).amount
  return asyncReply(call, appendStage(call, { order, stage, amount }))
}
