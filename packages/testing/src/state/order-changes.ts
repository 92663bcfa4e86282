import type { ReplyRecordName } from '@tillkit/protocol'
import { endpointOfOrder } from '../merchants/settings.js'
import { addStage, type Order, type Stage, type Verdict } from '../orders/order.js'
import { approved } from '../orders/outcomes.js'
import { refuse } from '../replies/refusal.js'
import { type ReplyPairs, type ReplyRecord, replyPairs } from '../replies/reply.js'
import { beginOrder, beginStage, decide, type Marks, type NewStage, type OrderStage } from '../rules/stages.js'
import type { AcceptedCall, GatewayState } from './gateway-state.js'

/** Makes a stage. With a verdict it is final once the processing time is over. */
export const newStage = (begin: Omit<NewStage, 'now'>, gateway: GatewayState): Stage =>
  beginStage(
    { ...begin, now: gateway.clock.now() },
    begin.verdict === undefined ? undefined : marksFor(begin.verdict, gateway),
  )

/** What a gateway gives out with a verdict, which is known once the processing time is over. */
export const marksFor = (verdict: Verdict, { clock, settings, ids }: GatewayState): Marks => ({
  finalAt: clock.now() + settings.processingTime,
  rrn: ids.rrn(),
  approvalCode: verdict.outcome === 'approved' ? ids.approvalCode() : undefined,
})

/** Decides a stage of an order, keeps the order and announces the outcome. @returns The order as it is afterwards. */
export const decideStage = (
  undecided: OrderStage,
  verdict: Verdict,
  gateway: GatewayState,
  also: Partial<Stage> = {},
): Order => keep(decide(undecided, { verdict, ...marksFor(verdict, gateway) }, also), gateway)

/** Keeps a changed order and announces the outcome of the stage that changed. */
export function keep({ order, stage }: OrderStage, gateway: GatewayState): Order {
  const before = gateway.orders.byOrderId(order.orderId)
  gateway.orders.put(order)
  gateway.callbackSender.announce(order, stage, before)
  return order
}

interface NewOrder
  extends Pick<Order, 'card' | 'destinationCard'>,
    Pick<Stage, 'stage' | 'verdict' | 'threeDSecure'>,
    Partial<Pick<Order & Stage, 'amount' | 'currency'>> {}

/** @throws {@link RefusedRequest} for a merchant's order id that was used before, where the wire profile says so. */
export function checkNewOrderId({ fields, gateway }: AcceptedCall): void {
  const { clientOrderId = '' } = fields
  const { profile, login } = gateway.settings
  if (profile.usedClientOrderId.value === 'refused' && gateway.orders.isTaken(clientOrderId, login)) {
    refuse('repeated-order', usedBefore(clientOrderId))
  }
}

export const usedBefore = (clientOrderId: string): string =>
  `The merchant order id "${clientOrderId}" was used before. Nothing was created.`

/** Creates an order, keeps it, and announces its outcome if that is decided. */
export function createOrder(call: AcceptedCall, begin: NewOrder): Order {
  const { fields, gateway, serialNumber, operation } = call
  const { stage, amount, verdict, threeDSecure, currency, card, destinationCard } = begin
  const first = newStage({ stage, amount, verdict, threeDSecure, serialNumber, operation }, gateway)
  const given = {
    orderId: gateway.ids.orderId(),
    login: gateway.settings.login,
    endpointId: endpointOfOrder({ endpointId: call.endpointId, currency }, gateway.settings),
    currency,
    card,
    destinationCard,
  }
  const order = beginOrder(fields, given, first)
  return keep({ order, stage: first }, gateway)
}

/** Creates an order that no customer is asked about. Its verdict is the planned one, else `otherwise`. */
export function createDecided(call: AcceptedCall, begin: NewOrder, otherwise: Verdict): Order {
  const { operation, fields, gateway } = call
  const { amount, currency } = begin
  const undecided = { operation, clientOrderId: fields.clientOrderId ?? '', amount, currency, allows3ds: false }
  return createOrder(call, { ...begin, verdict: gateway.outcomes.decide(undecided, otherwise) })
}

/** Adds a stage to an order that exists, decides it, keeps the order and announces the outcome. */
export function appendStage(
  { operation, serialNumber, fields, gateway }: AcceptedCall,
  { order, ...begin }: Pick<NewStage, 'stage' | 'amount' | 'comment'> & { readonly order: Order },
): Order {
  const { clientOrderId, currency } = order
  const { serverCallbackUrl } = fields
  const undecided = { operation, clientOrderId, amount: begin.amount, currency, allows3ds: false }
  const verdict = gateway.outcomes.decide(undecided, approved)
  const stage = newStage({ ...begin, verdict, serverCallbackUrl, serialNumber, operation }, gateway)
  return keep({ order: addStage(order, stage), stage }, gateway)
}

/** The reply about an order: its ids, and what else it says. Ids are text, as in most replies. */
export function orderReply(
  { serialNumber, gateway }: AcceptedCall,
  { clientOrderId, orderId, endpointId }: Order,
  { type = 'AsyncResponse', also = {} }: { readonly type?: ReplyRecordName; readonly also?: ReplyRecord } = {},
): ReplyPairs {
  const { profile } = gateway.settings
  const ids = { type: profile.replyTypes.value[type], serialNumber, clientOrderId, orderId, endpointId }
  return replyPairs({ ...ids, ...also }, profile)
}
