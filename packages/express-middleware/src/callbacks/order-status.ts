import {
  approvedKinds,
  type FinalOutcome,
  type MoneyMoved,
  mayRepeat,
  moneyMoved,
  type StageName,
  type StatusResponse,
  stageOf,
  type WireProfile,
} from '@tillkit/protocol'
import { sameAmount } from '@tillkit/signing'
import type { VerifiedCallback } from './check.js'

/**
 * Says in one word for your program how an order stands by status.
 *
 * `paid`: an approved sale or capture. `held`: an approved preauth. `verified`: an approved account verification or payout check. `sent`:
 * an approved payout or transfer. `returned`: money went back. `released`: a hold ended without money. `chargeback`: the bank took money
 * back. `declined`: the payment, verification or payout itself ended without success. `failed`: a capture, return or void did; what was
 * before it stands. `unrecognized`: status names no stage that this library knows, so a person must look.
 */
export type OrderStatusKind =
  | 'paid'
  | 'held'
  | 'verified'
  | 'sent'
  | 'returned'
  | 'released'
  | 'chargeback'
  | 'declined'
  | 'failed'
  | 'unrecognized'

/** An order as status shows it after a callback came for it. It is final, and the gateway can call back about it again at any time. */
export interface OrderStatus {
  readonly kind: OrderStatusKind
  /** The merchant's order id. */
  readonly clientOrderId: string
  /** The gateway's order id. */
  readonly orderId: string
  /** The latest stage of the order: the one that this is about. `unrecognized` also where status names none. */
  readonly stage: StageName
  /** How that stage ended, by the word of status. */
  readonly outcome: FinalOutcome
  /** The stage's effect on money; `none` unless it was approved. */
  readonly moneyMoved: MoneyMoved | 'unknown'
  /** Amount of the stage in major units, as status wrote it. **Nobody has compared it with your order**: `isOver` does. */
  readonly amount?: string
  /** ISO 4217 code, as status wrote it. */
  readonly currency?: string
  /** Whether status names exactly this price. The amount is compared as a decimal: 10 is 10.00. */
  readonly isOver: (price: { readonly amount: string; readonly currency: string }) => boolean
  /** All that status said. */
  readonly reply: StatusResponse
  /** The callback; the first that status has shown, if several came together. */
  readonly callback: VerifiedCallback
}

/** Reads a final status reply. @param outcome That of its word. */
export function orderStatus(
  { reply, outcome }: { readonly reply: StatusResponse; readonly outcome: FinalOutcome },
  callback: VerifiedCallback,
  profile: WireProfile,
): OrderStatus {
  const { clientOrderId, orderId } = callback.signed
  const { amount, currency } = reply
  const stage = stageOf(reply, profile) ?? 'unrecognized'
  return {
    kind: kindOf(stage, outcome),
    clientOrderId,
    orderId,
    stage,
    outcome,
    moneyMoved: outcome === 'approved' ? moneyMoved(stage) : 'none',
    ...(amount === undefined ? {} : { amount }),
    ...(currency === undefined ? {} : { currency }),
    isOver: price => amount !== undefined && currency === price.currency && sameAmount(amount, price.amount),
    reply,
    callback,
  }
}

function kindOf(stage: StageName, outcome: FinalOutcome): OrderStatusKind {
  if (stage === 'unrecognized') return stage
  if (outcome !== 'approved') return mayRepeat(stage) ? 'failed' : 'declined'
  return stage === 'chargeback' ? stage : approvedKinds[moneyMoved(stage)]
}
