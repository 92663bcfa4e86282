import { requiredReplyFields, type StageName } from '@tillkit/protocol'
import { endpointOfOrder } from '../merchants/settings.js'
import { type Order, readAmount } from '../orders/order.js'
import { ordinaryVerdict } from '../orders/outcomes.js'
import { formAddress } from '../pages/return-page.js'
import { refuse } from '../replies/refusal.js'
import { type ReplyPairs, replyPairs } from '../replies/reply.js'
import type { AcceptedCall } from '../state/gateway-state.js'
import { appendStage, createDecided, createOrder, orderReply } from '../state/order-changes.js'
import type { Ids } from '../state/seed.js'
import { findOrder, type OperationHandler } from './handler.js'
import { checkRedirectUrl, readCard, storedCard, verificationMoney } from './take-payment.js'

/**
 * Carries out an operation as its row describes it: one without rules of its own needs no handler.
 *
 * What creates makes an order in the row's first stage, or opens a hosted page where the reply redirects to one. What changes
 * adds that stage to the order that the request names. Without a stage no order changes. The reply has the ids of the order and
 * what the request says.
 *
 * @throws {@link RefusedRequest} where the reply must have a field that neither the gateway nor the request knows.
 */
export const byRow: OperationHandler = call => {
  const { row, operation, gateway } = call
  const [stage] = row.stages
  const creates = row.effect === 'creates'
  if (creates && stage !== undefined && row.response === 'AsyncCheckoutFormRedirect') return openForm(call, stage)
  const unknown = requiredReplyFields(row.response).find(
    field => !Object.hasOwn(given, field) && call.fields[field] === undefined,
  )
  if (unknown !== undefined) {
    refuse(
      'failure',
      `The fake does not know the "${unknown}" that "${operation}" replies: answer it with gateway.handle().`,
    )
  }
  if (creates && stage !== undefined) return replyByRow(call, create(call, stage))
  if (creates) {
    gateway.orders.take(call.fields.clientOrderId ?? '', gateway.settings.login)
    return replyByRow(call, undefined)
  }
  const namesNone = call.fields.orderId === undefined && call.fields.clientOrderId === undefined
  if (stage === undefined) return replyByRow(call, namesNone ? undefined : findOrder(call))
  const order = findOrder(call)
  const amount =
    call.fields.amount === undefined ? order.stages[0].amount : readAmount(call.fields, gateway.settings).amount
  return replyByRow(call, appendStage(call, { order, stage, amount, comment: call.fields.comment }))
}

function create(call: AcceptedCall, stage: StageName): Order {
  const { row, fields, gateway } = call
  const hasMoney = row.takes?.amount !== false && (fields.amount !== undefined || fields.currency !== undefined)
  const money = hasMoney ? readAmount(fields, gateway.settings) : undefined
  const named = [...row.required, ...(row.oneOf ?? []).flatMap(({ needs }) => needs)]
  const byReference = named.includes('cardRefId') && fields.cardRefId !== undefined ? storedCard(call) : undefined
  const card = fields.creditCardNumber === undefined ? byReference : readCard(call)
  const { accountNumber } = fields
  const cvv2 = named.includes('creditCardNumber') ? fields.cvv2 : undefined
  return createDecided(call, { stage, ...money, card }, ordinaryVerdict({ cvv2, accountNumber }))
}

/** Makes the order and its page, which the customer has yet to fill in. */
function openForm(call: AcceptedCall, stage: StageName): ReplyPairs {
  const { fields, gateway } = call
  checkRedirectUrl(call, "the customer's browser comes back there")
  const money = stage === 'verification' ? verificationMoney(gateway) : readAmount(fields, gateway.settings)
  const order = createOrder(call, { stage, ...money })
  const token = gateway.ids.token()
  const kind = stage === 'payout' ? 'payout' : 'card'
  const endsAt = gateway.clock.now() + gateway.settings.formLifetime
  gateway.orders.putForm({ token, orderId: order.orderId, kind, step: 'input', endsAt })
  const also = { redirectUrl: formAddress(token, gateway) }
  return orderReply(call, order, { type: 'AsyncCheckoutFormRedirect', also })
}

/** Ids that the gateway gives out where the reply needs one and neither the order nor the request has it. */
const given: Readonly<Record<string, (ids: Ids) => string>> = {
  orderId: ids => ids.orderId(),
  cardRefId: ids => ids.cardRefId(),
  recurringPaymentId: ids => ids.recurringPaymentId(),
}

function replyByRow(call: AcceptedCall, order: Order | undefined): ReplyPairs {
  const { row, fields, gateway, serialNumber } = call
  const { profile } = gateway.settings
  const ids: Readonly<Record<string, string | undefined>> = {
    clientOrderId: order?.clientOrderId ?? fields.clientOrderId,
    orderId: order?.orderId ?? fields.orderId,
    endpointId: order?.endpointId ?? endpointOfOrder({ ...call, currency: fields.currency }, gateway.settings),
  }
  const required = requiredReplyFields(row.response).map(
    field => [field, ids[field] ?? fields[field] ?? given[field]?.(gateway.ids) ?? ''] as const,
  )
  if (typeof row.response === 'string') {
    const type = profile.replyTypes.value[row.response]
    return replyPairs({ type, serialNumber, ...ids, ...Object.fromEntries(required) }, profile)
  }
  const names = row.response
  return [
    ...replyPairs({ serialNumber, ...ids }, profile),
    ...required.map(([field, value]) => [names[field] ?? field, value] as const),
  ]
}
