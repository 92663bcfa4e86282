/**
 * What a gateway says of an order: in a status reply, in a callback and in the customer's browser. Pure.
 *
 * @module
 */
import type { StageName, WireProfile } from '@tillkit/protocol'
import {
  isApproved,
  latestStage,
  type Order,
  openStage,
  type Stage,
  stageAmount,
  stageOutcome,
} from '../orders/order.js'
import { refuse } from '../replies/refusal.js'
import type { ReplyRecord } from '../replies/reply.js'

export interface Saying {
  readonly order: Order
  readonly stage: Stage
}

export interface SayingAt {
  readonly profile: WireProfile
  readonly now: number
}

/** Where status is behind what the gateway did. */
export interface Behind {
  /** The order as status still shows it: a stage that it does not have yet is open. */
  readonly before?: Order | undefined
  /** Whether status shows the order without its latest stage. */
  readonly lags?: boolean
}

/**
 * The stage that a status reply is about: the latest one, or that of a serial number.
 *
 * @throws {@link RefusedRequest} for a serial number that no request about the order had.
 */
export function shownStage(
  order: Order,
  byRequestSn: string | undefined,
  { before, lags = false }: Behind = {},
): Stage {
  if (byRequestSn === undefined) {
    const shown = before ?? order
    const latest = latestStage(shown)
    return lags ? (shown.stages[shown.stages.indexOf(latest) - 1] ?? openStage(latest)) : latest
  }
  const find = ({ stages }: Order) => stages.find(({ serialNumbers }) => serialNumbers.includes(byRequestSn))
  const stage =
    find(order) ??
    refuse('unknown-order', `No request on order "${order.orderId}" has this serial number ("by-request-sn").`)
  const shown = before === undefined ? stage : (find(before) ?? openStage(stage))
  return lags ? openStage(shown) : shown
}

/** The amount of a stage as it is told: none before it comes. */
const shownAmount = ({ order, stage }: Saying, { profile, now }: SayingAt): string | undefined =>
  now < (stage.amountShownAt ?? now) ? undefined : stageAmount(order, stage, profile)

const isKnown = ({ finalAt }: Stage, now: number): boolean => finalAt !== undefined && now >= finalAt

/**
 * A status reply, without what 3DS asks of the customer.
 *
 * @param asked The number of the request itself, the serial number that it asked about, and a word in place of the stage's own.
 */
export function statusRecord(
  { order, stage }: Saying,
  { profile, now }: SayingAt,
  asked: {
    readonly serialNumber: string
    readonly byRequestSn?: string | undefined
    readonly word?: string | undefined
  },
): ReplyRecord {
  const { card, currency } = order
  const isFinal = isKnown(stage, now)
  const amount = shownAmount({ order, stage }, { profile, now })
  const partial = currency === undefined ? undefined : 'enabled'
  return {
    type: profile.replyTypes.value.StatusResponse,
    serialNumber: asked.serialNumber,
    clientOrderId: order.clientOrderId,
    orderId: order.orderId,
    endpointId: order.endpointId,
    status: asked.word ?? statusWord(stage, { profile, now }),
    byRequestSn: asked.byRequestSn,
    amount,
    currency: amount === undefined ? undefined : currency,
    transactionType: transactionType(stage.stage, profile),
    orderStage: orderStage(stage, { profile, now }),
    cardType: card?.brand,
    bin: card?.bin,
    lastFourDigits: card?.lastFourDigits,
    cardholderName: card?.holder,
    approvalCode: isApproved(stage, now) ? stage.approvalCode : undefined,
    processorRrn: isFinal ? stage.rrn : undefined,
    descriptor: 'TILLKIT TEST',
    gatePartialReversal: partial,
    gatePartialCapture: partial,
    verified3dStatus: stage.threeDSecure?.verified,
    merchantData: order.merchantData,
    errorCode: isFinal ? stage.verdict?.errorCode : undefined,
    errorMessage: isFinal ? stage.verdict?.errorMessage : undefined,
  }
}

/** What a callback and the customer's browser say besides ids and status: values by the profile's names for them. */
export function notificationFields(
  { order, stage }: Saying,
  { profile, now }: SayingAt,
): Readonly<Record<string, string | undefined>> {
  const { card } = order
  const failure = isKnown(stage, now) ? stage.verdict : undefined
  const partial = order.currency === undefined ? undefined : 'enabled'
  return {
    transactionType: transactionType(stage.stage, profile),
    amount: shownAmount({ order, stage }, { profile, now }),
    currency: order.currency,
    errorCode: failure?.errorCode,
    errorMessage: failure?.errorMessage,
    approvalCode: stage.approvalCode,
    processorRrn: stage.rrn,
    processorTxId: `TILLKIT-${order.orderId}`,
    gatePartialReversal: partial,
    gatePartialCapture: partial,
    descriptor: 'TILLKIT TEST',
    bin: card?.bin,
    lastFourDigits: card?.lastFourDigits,
    cardType: card?.brand,
    cardholderName: card?.holder,
    email: order.email,
    phone: order.phone,
    comment: stage.comment,
    merchantData: order.merchantData,
  }
}

/** `transaction-type` of a stage: the profile's first word for it. */
export const transactionType = (stage: StageName, profile: WireProfile): string => wordsFor(stage, profile)[0] ?? stage

/** `order-stage` of a stage, `<family>_<step>`: the profile's first word without a hyphen, and the status, or that of 3DS. */
export function orderStage(stage: Stage, { profile, now }: SayingAt) {
  const words = wordsFor(stage.stage, profile)
  const family = words.find(word => !word.includes('-')) ?? words[0] ?? stage.stage
  const waitsFor3ds =
    stage.threeDSecure !== undefined && stage.threeDSecure.step !== 'done' && stage.verdict === undefined
  return `${family}_${waitsFor3ds ? profile.threeDSecureStage.value : statusWord(stage, { profile, now })}`
}

/** `status` of a stage: the profile's word for its outcome, else `processing` or `unknown`. */
export function statusWord(stage: Stage, { profile, now }: SayingAt): string {
  const outcome = stageOutcome(stage, now)
  return Object.entries(profile.finalStatuses.value).find(([, means]) => means === outcome)?.[0] ?? outcome
}

const wordsFor = (stage: StageName, { stages }: WireProfile): readonly string[] =>
  Object.entries(stages.value).flatMap(([word, means]) => (means === stage ? [word] : []))
