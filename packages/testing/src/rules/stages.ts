import { hasEnded, type Order, replaceStage, type Stage, type Verdict } from '../orders/order.js'

export interface OrderStage {
  readonly order: Order
  readonly stage: Stage
}

/** What a gateway gives out with a decision. */
export interface Marks {
  /** When the verdict is known, in milliseconds since the epoch. */
  readonly finalAt: number
  /** Retrieval reference number of the acquirer. */
  readonly rrn: string | undefined
  readonly approvalCode: string | undefined
}

export interface NewStage
  extends Pick<Stage, 'stage' | 'operation' | 'amount' | 'verdict' | 'threeDSecure' | 'comment' | 'serverCallbackUrl'> {
  /** Undefined for a stage that nobody can ask for by number. */
  readonly serialNumber: string | undefined
  /** When it begins, in milliseconds since the epoch. */
  readonly now: number
}

/** Makes a stage. @param marks Undefined where it has no verdict yet. */
export const beginStage = (begin: NewStage, marks: Marks | undefined): Stage => ({
  stage: begin.stage,
  operation: begin.operation,
  serialNumbers: begin.serialNumber === undefined ? [] : [begin.serialNumber],
  amount: begin.amount,
  createdAt: begin.now,
  verdict: begin.verdict,
  finalAt: marks?.finalAt,
  approvalCode: marks?.approvalCode,
  rrn: marks?.rrn,
  threeDSecure: begin.threeDSecure,
  comment: begin.comment,
  serverCallbackUrl: begin.serverCallbackUrl,
  amountShownAt: undefined,
})

/** An order with its first stage. @param fields Of the request that asks for it, by field name. */
export const beginOrder = (
  fields: Readonly<Record<string, string | undefined>>,
  given: Pick<Order, 'orderId' | 'login' | 'endpointId' | 'currency' | 'card' | 'destinationCard'>,
  first: Stage,
): Order => ({
  orderId: given.orderId,
  clientOrderId: fields.clientOrderId ?? '',
  login: given.login,
  endpointId: given.endpointId,
  currency: given.currency,
  stages: [first],
  card: given.card,
  destinationCard: given.destinationCard,
  description: fields.orderDesc,
  email: fields.email,
  phone: fields.phone,
  merchantData: fields.merchantData,
  redirectUrl: fields.redirectUrl,
  redirectSuccessUrl: fields.redirectSuccessUrl,
  redirectFailUrl: fields.redirectFailUrl,
  serverCallbackUrl: fields.serverCallbackUrl,
  notifyUrl: fields.notifyUrl,
})

/** A verdict, and what is given out with it. */
export interface Decision extends Marks {
  readonly verdict: Verdict
}

/** Decides a stage, also one that was decided before: it keeps its RRN. Nothing is left for the customer to do then. */
export function decide({ order, stage }: OrderStage, decision: Decision, also: Partial<Stage> = {}): OrderStage {
  const threeDSecure = stage.threeDSecure && ({ ...stage.threeDSecure, step: 'done' } as const)
  const after: Stage = { ...stage, ...decision, rrn: stage.rrn ?? decision.rrn, threeDSecure, ...also }
  return { order: replaceStage(order, { before: stage, after }), stage: after }
}

/** The stage that a callback is about where none is named: the latest that has ended. */
export const latestEnded = ({ stages }: Order, now: number): Stage | undefined =>
  stages.findLast(each => hasEnded(each, now))
