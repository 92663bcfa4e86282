/**
 * One verified callback, taken for the hint that it is: the order is looked up, status is asked, outcomes are told.
 *
 * @module
 */
import type { StatusAsker, WireProfile } from '@tillkit/protocol'
import type { ControlKeys } from '@tillkit/signing'
import { OrderMismatchError, quote } from '../config/errors.js'
import { type AwaitedOrder, askAboutOrder, checkAwaitedOrder, type Finding } from '../outcomes/ask-about-order.js'
import { type DeliverOptions, deliverOutcome } from '../outcomes/deliver-outcome.js'
import { receivedOutcome } from '../outcomes/received-outcome.js'
import { type CallbackReport, report } from './callback-report.js'

/** A merchant whose callbacks are received. */
export interface CallbackMerchant {
  /** Merchant login. It is part of what identifies an outcome. */
  readonly login: string
  /** Merchant control key, or several while one is being replaced. */
  readonly controlKeys: ControlKeys
  /** Asks status. It is handed in, so that any client will do. */
  readonly client: StatusAsker
}

/** Ids of a verified callback, and whose it is. */
export interface CallbackIds {
  /** Merchant login. */
  readonly login: string
  readonly clientOrderId: string
  /** The gateway's order id. */
  readonly orderId: string
}

/** What settling works with. */
export interface SettleCallbackOptions extends DeliverOptions {
  readonly client: StatusAsker
  readonly clock: () => number
  readonly profile: WireProfile | undefined
  /** Whether something has been there, unexpected, for so long that no request of the merchant's own can be behind it. */
  readonly isForeign: (key: string) => boolean
  readonly findOrder: (ids: CallbackIds) => AwaitedOrder | undefined | Promise<AwaitedOrder | undefined>
}

/** Settles what a verified callback is about. It never throws: what goes wrong is in the report. */
export async function settleCallback(ids: CallbackIds, options: SettleCallbackOptions): Promise<CallbackReport> {
  try {
    const known = (await options.findOrder(ids)) ?? undefined
    if (known === undefined) {
      return report(
        'unknown-order',
        `Nothing is known of order ${quote(ids.clientOrderId)} (orderid ${quote(ids.orderId)}).`,
      )
    }
    const { order } = checkAwaitedOrder(known)
    if (order.clientOrderId !== ids.clientOrderId) {
      throw new OrderMismatchError(
        `Option "order" was asked for order ${ids.clientOrderId} and returned order ${order.clientOrderId}. Status was not asked.`,
        { status: 500 },
      )
    }
    if (order.orderId !== undefined && order.orderId !== ids.orderId) {
      const explanation = `Order ${quote(ids.clientOrderId)} is orderid ${quote(order.orderId)}; the callback says ${quote(ids.orderId)}.`
      return report('other-order', `${explanation} Status was not asked.`)
    }
    return await tellFindings({ ...known, order: { ...order, orderId: ids.orderId } }, { ids, options })
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause)
    return report('failed', `Order ${quote(ids.clientOrderId)} could not be settled: ${message}`, { cause })
  }
}

async function tellFindings(
  known: AwaitedOrder,
  { ids, options }: { readonly ids: CallbackIds; readonly options: SettleCallbackOptions },
): Promise<CallbackReport> {
  const { client, clock, profile } = options
  const findings = await askAboutOrder(known, { client, clock, ...(profile === undefined ? {} : { profile }) })
  for (const finding of findings) {
    if (!finding.conclusive) continue
    const { isExpected, mayBeOwn, settlement } = finding
    const received = receivedOutcome(settlement, { login: ids.login, isExpected })
    if (mayBeOwn && !options.isForeign(received.key)) {
      return report(
        'not-expected',
        `Status speaks of a ${settlement.stage.stage} of order ${quote(ids.clientOrderId)} that is not waited for. It may be one of ` +
          'yours whose answer is not stored yet; if it still is not waited for in a minute, the next callback tells of it.',
      )
    }
    const delivery = await deliverOutcome(received, options)
    if (delivery === 'busy') {
      return report('busy', `An outcome of order ${quote(ids.clientOrderId)} is being handled, here or elsewhere.`)
    }
  }
  const open = findings.filter(isOpen)
  const worst = open.find(({ reason }) => reason !== 'known')
  if (worst !== undefined) {
    return report(worst.reason, worst.explanation, 'cause' in worst ? { cause: worst.cause } : {})
  }
  return open.length === findings.length
    ? report('known', 'Status says what your order says already.')
    : report('told', `Every outcome of order ${quote(ids.clientOrderId)} has been told.`)
}

const isOpen = (finding: Finding): finding is Extract<Finding, { conclusive: false }> => !finding.conclusive
