import type { WireProfile } from '@tillkit/protocol'
import type { PaymentDocument } from '../../state/document.js'
import { isUntold } from '../../state/known.js'
import { outcomeToTell, type ReceivedOutcome } from '../delivery/outcome.js'
import { isLeft } from '../orders/reserve.js'
import { type Payment, paymentOf } from '../pay/payment.js'
import { approvedCreation, ordersWithMoney, standingsOf } from '../pay/standing.js'
import { isUnmatched, openAttempts, unknownAttempts } from './lists.js'

/** An order that took or holds money although another one of the payment does. Its amount is in major units. */
export interface SurplusOrder {
  readonly clientOrderId: string
  readonly orderId: string | undefined
  readonly login: string
  readonly amount: string | undefined
  readonly currency: string | undefined
}

/** A request that was not answered. Times are in milliseconds of the store's clock. */
export interface UnknownRequest {
  readonly clientOrderId: string
  readonly operation: string
  /** Major units; undefined where the request named none: it is about the whole. */
  readonly amount: string | undefined
  /** When it was about to be sent. */
  readonly since: number
}

/** A handler that fails. Times are in milliseconds of the store's clock. */
export interface FailingHandler {
  readonly clientOrderId: string
  /** The kind of the outcome that it cannot be told of. */
  readonly outcome: ReceivedOutcome['kind']
  readonly since: number
  /** How often it has failed. */
  readonly tries: number
  /** The error that it threw last: name, code and message, at most 200 characters, without what looks like card data. */
  readonly error: string
}

/** An order that verified callbacks came for, and that no request in the store is behind. */
export interface UnmatchedOrder {
  readonly clientOrderId: string
  readonly orderId: string | undefined
  readonly login: string
  /** The words of status that came, each once; none where an older release kept the callback. */
  readonly statuses: readonly string[]
  /** When a callback came last that said something new, in milliseconds of the store's clock. */
  readonly at: number
}

/** All that a document is listed for. */
export interface Reported {
  readonly payment: Payment
  /** All orders with money, where there are two or more. */
  readonly surplus: readonly SurplusOrder[]
  readonly unknown: readonly UnknownRequest[]
  readonly failing: FailingHandler | undefined
  readonly unmatched: readonly UnmatchedOrder[]
  /** Since when a request is open, in milliseconds of the store's clock; undefined: none is. */
  readonly openSince: number | undefined
  /** Since when status has said what the handler was not told yet, in milliseconds of the store's clock; undefined: it was told all. */
  readonly untoldSince: number | undefined
}

/** Makes the part of a report that is about one document. */
export function reportedOf(
  document: PaymentDocument,
  view: { readonly at: number; readonly profile: WireProfile; readonly patience: number },
): Reported {
  const { orders, reference } = document
  const { at, profile } = view
  const payment = paymentOf(document, { reference, ...view })
  const awaited = orders.filter(each => !isLeft(each))
  const open = awaited.flatMap(openAttempts).map(({ reservedAt }) => reservedAt)
  const untold = orders.flatMap(({ stages }) => stages.filter(isUntold)).map(({ askedAt }) => askedAt)
  const withMoney = ordersWithMoney(standingsOf(orders, at, profile), profile)
  return {
    payment,
    surplus: payment.state !== 'surplus' ? [] : withMoney.map(each => ({ ...idsOf(each), ...moneyOf(each, profile) })),
    unknown: awaited.flatMap(order =>
      unknownAttempts(order).map(({ operation, amount, reservedAt }) => ({
        clientOrderId: order.clientOrderId ?? reference,
        operation,
        amount,
        since: reservedAt,
      })),
    ),
    failing: failingOf(document, profile),
    unmatched: orders.filter(isUnmatched).map(each => ({
      ...idsOf(each),
      statuses: each.unmatched?.words ?? [],
      at: each.callbackAt ?? 0,
    })),
    openSince: earliest(open),
    untoldSince: earliest(untold),
  }
}

const earliest = (times: readonly number[]): number | undefined => (times.length === 0 ? undefined : Math.min(...times))

const idsOf = ({ clientOrderId = '', orderId, login }: PaymentDocument['orders'][number]) => ({
  clientOrderId,
  orderId,
  login,
})

function moneyOf(order: PaymentDocument['orders'][number], profile: WireProfile) {
  const { amount, currency } = approvedCreation(order, profile) ?? {}
  return { amount, currency }
}

function failingOf(document: PaymentDocument, profile: WireProfile): FailingHandler | undefined {
  const { telling, orders } = document
  const order = telling === undefined ? undefined : orders[telling.order]
  const stage = telling === undefined ? undefined : order?.stages[telling.stage]
  if (telling?.failed === undefined || order === undefined || stage === undefined) return undefined
  const { kind } = outcomeToTell(document, { order, stage, key: '' }, profile)
  return { clientOrderId: order.clientOrderId ?? document.reference, outcome: kind, ...telling.failed }
}
