import { cardFields } from '@tillkit/protocol'
import { isExpired, type StoredCard } from '../orders/card.js'
import { readAmount } from '../orders/order.js'
import { approved, expiredCard } from '../orders/outcomes.js'
import { refuse } from '../replies/refusal.js'
import { replyPairs } from '../replies/reply.js'
import type { AcceptedCall } from '../state/gateway-state.js'
import { strikeUnasked } from '../state/order-actions.js'
import { createDecided } from '../state/order-changes.js'
import type { OperationHandler } from './handler.js'
import { namesIn, readCard } from './take-payment.js'

/**
 * Creates a subscription, which is no order, and charges it on the gateway's clock.
 *
 * @see Interface specification, section 4, "create-recurring-payment"
 */
export const createRecurringPayment: OperationHandler = call => {
  const { fields, serialNumber, gateway } = call
  const { clientOrderId = '', rpCardType } = fields
  if (rpCardType !== 'SRC' && rpCardType !== 'DST') {
    refuse('invalid-field', `"${namesIn(call)('rpCardType')}" must be "SRC" (charges the card) or "DST" (pays to it).`)
  }
  const amountOf = readRecurringAmount(call)
  const card = readCard(call)
  const recurringPaymentId = gateway.ids.recurringPaymentId()
  gateway.orders.storeCard('recurringPayment', recurringPaymentId, card)
  gateway.orders.take(clientOrderId, gateway.settings.login)
  const dateOf = readSchedule(call)
  if (dateOf !== undefined) schedule(subscriptionOf(call), { card, amountOf, dateOf })
  const { profile } = gateway.settings
  const type = profile.replyTypes.value.CreateRecurringPaymentResponse
  return replyPairs({ type, serialNumber, clientOrderId, recurringPaymentId }, profile)
}

/** The amount of a charge, counted from 0, in minor units; undefined after the last one. */
type AmountOf = (charge: number) => bigint | undefined

/**
 * One amount, one between two that the gateway draws, or a sequence joined by commas, which ends: the operation's row demands
 * one of the three.
 */
function readRecurringAmount({ fields, gateway }: AcceptedCall): AmountOf {
  const { amount, amountFrom, amountTo, amountSequence, currency } = fields
  const read = (text: string | undefined) => readAmount({ amount: text?.trim(), currency }, gateway.settings).amount
  if (amount !== undefined) {
    const always = read(amount)
    return () => always
  }
  const sequence = amountSequence?.split(',').map(read)
  if (sequence !== undefined) return charge => sequence[charge]
  const [least, most] = [read(amountFrom), read(amountTo)]
  const span = most < least ? 1n : most - least + 1n
  return () => least + (BigInt(gateway.ids.rrn()) % span)
}

/** The time of a charge, counted from 0, in milliseconds since the epoch. */
type DateOf = (charge: number) => number

/** What moves a date on by so many periods. The interface shows no words: these are the fake's own. */
const periods: Readonly<Record<string, (date: Date, count: number) => number>> = {
  day: (date, count) => date.setUTCDate(date.getUTCDate() + count),
  week: (date, count) => date.setUTCDate(date.getUTCDate() + 7 * count),
  month: addMonths,
  year: (date, count) => addMonths(date, 12 * count),
}

/** The same day of a later month, or its last day. */
function addMonths(date: Date, count: number): number {
  const day = date.getUTCDate()
  const moved = new Date(date.setUTCMonth(date.getUTCMonth() + count, 1))
  const lastDay = new Date(Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0)).getUTCDate()
  return moved.setUTCDate(Math.min(day, lastDay))
}

/** Reads `period` and `interval`. The first charge is one interval after the request. @returns undefined without a schedule. */
function readSchedule({ fields, gateway, warnings }: AcceptedCall): DateOf | undefined {
  const { period, interval = '1' } = fields
  if (period === undefined && fields.interval === undefined) return undefined
  const word = period?.toLowerCase() ?? ''
  const move = Object.hasOwn(periods, word) ? periods[word] : undefined
  const count = /^\d{1,4}$/.test(interval) ? Number(interval) : 0
  if (move === undefined || count === 0) {
    const known = Object.keys(periods).join(', ')
    warnings.push(
      `"period" is ${JSON.stringify(period)} and "interval" ${JSON.stringify(fields.interval)}: no charge will come, for the fake knows the periods ${known} and whole intervals`,
    )
    return undefined
  }
  const begun = gateway.clock.now()
  return charge => move(new Date(begun), count * (charge + 1))
}

/** The request without the card data, which nothing may keep. */
function subscriptionOf(call: AcceptedCall): AcceptedCall {
  const kept = Object.entries(call.fields).filter(([field]) => !cardFields.some(each => each === field))
  return { ...call, fields: Object.fromEntries(kept) }
}

interface Subscription {
  readonly card: StoredCard
  readonly amountOf: AmountOf
  readonly dateOf: DateOf
}

/** Makes an order at each date, until the amounts end: a sale of `SRC`, a payout of `DST`. */
function schedule(call: AcceptedCall, { card, amountOf, dateOf }: Subscription): void {
  const { gateway, fields } = call
  const { currency } = fields
  const stage = fields.rpCardType === 'SRC' ? 'sale' : 'payout'
  const plan = (charge: number): void => {
    const amount = amountOf(charge)
    if (amount === undefined) return
    gateway.schedule.add(dateOf(charge), () => {
      const otherwise = isExpired(card, gateway.clock.now()) ? expiredCard : approved
      const serialNumber = gateway.ids.serialNumber()
      const charged = createDecided({ ...call, serialNumber }, { stage, amount, currency, card }, otherwise)
      strikeUnasked(charged, gateway)
      plan(charge + 1)
      return gateway.callbackSender.flush()
    })
  }
  plan(0)
}
