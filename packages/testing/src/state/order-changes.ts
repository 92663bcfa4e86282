import type { ReplyRecordName, StageName } from '@tillkit/protocol'
import { endpointOfOrder } from '../merchants/settings.js'
import type { StoredCard } from '../orders/card.js'
import { addStage, type Order, replaceStage, type Stage, type ThreeDSecure, type Verdict } from '../orders/order.js'
import { approved } from '../orders/outcomes.js'
import { refuse } from '../replies/refusal.js'
import { type ReplyPairs, type ReplyRecord, replyPairs } from '../replies/reply.js'
import type { AcceptedCall, GatewayState } from './gateway-state.js'

interface NewStage {
  readonly stage: StageName
  readonly amount: bigint | undefined
  readonly verdict: Verdict | undefined
  readonly threeDSecure?: ThreeDSecure | undefined
  readonly comment?: string | undefined
  /** Where callbacks about this stage go, if its request names an address. */
  readonly serverCallbackUrl?: string | undefined
  readonly serialNumber: string
  /** Name of the operation that asked for it; undefined where none did. */
  readonly operation: string | undefined
}

/** Makes a stage. With a verdict it is final once the processing time is over. */
export function newStage(begin: NewStage, gateway: GatewayState): Stage {
  const { verdict } = begin
  const decided = verdict === undefined ? undefined : decision(verdict, gateway)
  return {
    stage: begin.stage,
    operation: begin.operation,
    serialNumbers: [begin.serialNumber],
    amount: begin.amount,
    createdAt: gateway.clock.now(),
    verdict,
    finalAt: decided?.finalAt,
    approvalCode: decided?.approvalCode,
    rrn: decided?.rrn,
    threeDSecure: begin.threeDSecure,
    comment: begin.comment,
    serverCallbackUrl: begin.serverCallbackUrl,
  }
}

/** What a stage gains when it is decided: a verdict that is known once the processing time is over. */
export const decision = (
  verdict: Verdict,
  { clock, settings, ids }: GatewayState,
): Pick<Stage, 'verdict' | 'finalAt' | 'rrn' | 'approvalCode'> => ({
  verdict,
  finalAt: clock.now() + settings.processingTime,
  rrn: ids.rrn(),
  approvalCode: verdict.outcome === 'approved' ? ids.approvalCode() : undefined,
})

/** Decides a stage of an order, keeps the order and announces the outcome. @returns The order as it is afterwards. */
export function decideStage(
  { order, stage }: { readonly order: Order; readonly stage: Stage },
  verdict: Verdict,
  gateway: GatewayState,
  also: Partial<Stage> = {},
): Order {
  const after: Stage = { ...stage, ...decision(verdict, gateway), ...also }
  const changed = replaceStage(order, { before: stage, after })
  gateway.orders.put(changed)
  gateway.callbackSender.announce(changed, after)
  return changed
}

interface NewOrder {
  readonly stage: StageName
  /** Minor units. */
  readonly amount?: bigint
  readonly currency?: string
  readonly card?: StoredCard
  readonly destinationCard?: StoredCard
  /** Undefined while the customer has something to do. */
  readonly verdict?: Verdict
  readonly threeDSecure?: ThreeDSecure
}

/**
 * Reads the merchant's order id of a request that creates something, and refuses one that was used before where the wire
 * profile says so.
 *
 * @throws {@link RefusedRequest} for a used one: nothing is created.
 */
export function checkNewOrderId({ fields, gateway }: AcceptedCall): string {
  const { clientOrderId = '' } = fields
  const { profile, login } = gateway.settings
  if (profile.usedClientOrderId.value === 'refused' && gateway.orders.isTaken(clientOrderId, login)) {
    refuse('repeated-order', usedBefore(clientOrderId))
  }
  return clientOrderId
}

/** What a gateway that refuses a used id says. */
export const usedBefore = (clientOrderId: string): string =>
  `The merchant order id "${clientOrderId}" was used before. Nothing was created.`

/** Creates an order, keeps it, and announces its outcome if that is decided. */
export function createOrder(call: AcceptedCall, begin: NewOrder): Order {
  const { fields, gateway } = call
  const clientOrderId = checkNewOrderId(call)
  const { stage, amount, verdict, threeDSecure } = begin
  const { serialNumber, operation } = call
  const first = newStage({ stage, amount, verdict, threeDSecure, serialNumber, operation }, gateway)
  const order: Order = {
    orderId: gateway.ids.orderId(),
    clientOrderId,
    login: gateway.settings.login,
    endpointId: endpointOfOrder({ endpointId: call.endpointId, currency: begin.currency }, gateway.settings),
    currency: begin.currency,
    stages: [first],
    card: begin.card,
    destinationCard: begin.destinationCard,
    description: fields.orderDesc,
    email: fields.email,
    phone: fields.phone,
    merchantData: fields.merchantData,
    redirectUrl: fields.redirectUrl,
    redirectSuccessUrl: fields.redirectSuccessUrl,
    redirectFailUrl: fields.redirectFailUrl,
    serverCallbackUrl: fields.serverCallbackUrl,
    notifyUrl: fields.notifyUrl,
  }
  gateway.orders.put(order)
  gateway.callbackSender.announce(order, first)
  return order
}

/** The verdict on a new order that no customer is asked about: the planned one, else the ordinary one. */
export function decideNew(
  { operation, fields, gateway }: AcceptedCall,
  ordinary: { readonly amount?: bigint; readonly currency?: string; readonly otherwise: Verdict },
): Verdict {
  const { amount, currency, otherwise } = ordinary
  const { clientOrderId = '' } = fields
  return gateway.outcomes.decide({ operation, clientOrderId, amount, currency, allows3ds: false }, otherwise)
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
  const changed = addStage(order, stage)
  gateway.orders.put(changed)
  gateway.callbackSender.announce(changed, stage)
  return changed
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
