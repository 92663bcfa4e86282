/**
 * The state of an order in words for people: what is known, what happens next, and whom to ask.
 *
 * @module
 */
import type { OrderTotals, Payment } from '@tillkit/protocol'
import { compareAmounts } from '@tillkit/signing'
import { money } from './money.js'
import type { OrderView } from './order-view.js'

/** A label, its colour, and what to know. */
export interface OrderState {
  readonly label: string
  readonly tone: 'good' | 'wait' | 'bad' | 'info'
  readonly sentence: string
}

/** Says in words what the till knows of the payment, and nothing more. */
export function orderState(view: OrderView): OrderState {
  const { payment, order } = view
  const [change] = payment.underWay
  switch (payment.state) {
    case 'disputed':
    case 'surplus':
      return {
        label: 'To be looked at',
        tone: 'bad',
        sentence: `${payment.needsPerson ?? 'The gateway contradicted itself.'} Deliver nothing and repeat nothing until then.`,
      }
    case 'declined':
      return declinedState(payment)
    case 'paid':
    case 'held':
      if (change !== undefined) return changeState(change)
      return payment.totals === undefined ? uncountedState(view) : settledState(payment.totals, view)
    case 'returned':
      if (order.told !== 'chargeback')
        return { label: 'Returned', tone: 'info', sentence: 'Everything was given back.' }
      return {
        label: 'Charged back',
        tone: 'bad',
        sentence: `The cardholder’s bank took ${amountOf(payment)} back. Deliver nothing more. Ask the gateway why, and until when you can object.`,
      }
    default:
      return simpleStates[payment.state]
  }
}

const simpleStates = {
  new: { label: 'Not paid', tone: 'wait', sentence: 'No payment was sent for this order yet.' },
  open: {
    label: 'Checking',
    tone: 'wait',
    sentence:
      'The gateway has not said yet how this payment ended. We keep asking. If you have paid, please do not pay again: this page goes on by itself.',
  },
  unknown: {
    label: 'Not known',
    tone: 'wait',
    sentence:
      'We sent the payment and have no answer yet: it may have been made. We keep asking the gateway, and you need not do anything. Please do not pay again.',
  },
  verified: { label: 'Verified', tone: 'good', sentence: 'The card is good. No money moved.' },
  sent: { label: 'Sent', tone: 'good', sentence: 'The money was sent, because the gateway’s status said so.' },
  released: { label: 'Released', tone: 'info', sentence: 'The hold was released. No money moved.' },
  purged: { label: 'Over', tone: 'info', sentence: 'This payment was over long ago; only its number is kept.' },
} as const satisfies Partial<Record<Payment['state'], OrderState>>

/** Every try has failed. One that the gateway refused, or never got, never became a payment there. */
function declinedState({ orders, timeline }: Payment): OrderState {
  const last = orders.findLast(({ standing }) => standing === 'failed')
  const answer = timeline.findLast(entry => entry.kind === 'answer' && entry.clientOrderId === last?.clientOrderId)
  const ended = answer?.kind === 'answer' ? answer.ended : undefined
  if (ended === 'refused') {
    const sentence = 'The gateway refused this payment and did nothing with it. No money moved.'
    return { label: 'Refused', tone: 'bad', sentence }
  }
  if (ended === 'no-trace') {
    const sentence = 'The gateway says that this payment never reached it. No money moved, and you can pay now.'
    return { label: 'Not paid', tone: 'wait', sentence }
  }
  const why = last?.reason?.message === undefined ? '' : ` (${last.reason.message})`
  return { label: 'Declined', tone: 'bad', sentence: `The card was declined${why}. No money moved.` }
}

/** While a change has not ended nothing else is sent: it could not be told from another one. */
function changeState({ operation, amount, currency, state }: Payment['underWay'][number]): OrderState {
  const what = amount === undefined ? operation : `${operation} of ${money(amount, currency ?? '')}`
  if (state !== 'unknown') {
    return { label: 'Working', tone: 'wait', sentence: `The ${what} was sent; its outcome is being asked for.` }
  }
  return {
    label: 'Not known',
    tone: 'wait',
    sentence: `The ${what} was sent and not answered: it may have happened. We send nothing again and keep asking the gateway; until it has said more, nothing else can be done with this order. If that lasts, ask the gateway’s support.`,
  }
}

/** The totals would be a guess. That it is paid is none, where nothing was told since. */
function uncountedState({ order: { told }, payment: { state } }: OrderView): OrderState {
  if (told === 'paid' || told === 'held') {
    const label = state === 'held' ? 'Reserved' : 'Paid'
    const sentence = `${label}, because the gateway’s status said approved. What it said before does not add up: ask the gateway before you change this order.`
    return { label, tone: 'good', sentence }
  }
  return {
    label: 'Not added up',
    tone: 'wait',
    sentence:
      'The gateway shows a change without the number of its request, as after a lost answer, and it may stand for several. So nothing is added up here: what happened below is what is known. Ask the gateway before you change this order.',
  }
}

/** What became of the money of an approved payment. */
function settledState(totals: OrderTotals, { order: { product } }: OrderView): OrderState {
  const isNothing = (amount: string) => /^[0.]+$/.test(amount)
  if (!isNothing(totals.held) && !isNothing(totals.captured)) {
    return {
      label: 'Partly captured',
      tone: 'info',
      sentence: 'A part was captured, the rest is still held on the card. Capture more, or void to release the rest.',
    }
  }
  if (!isNothing(totals.held)) {
    return {
      label: 'Reserved',
      tone: 'info',
      sentence: 'The amount is held on the card. Capture it, or void to release it.',
    }
  }
  if (!isNothing(totals.returned)) {
    return { label: 'Partly returned', tone: 'info', sentence: 'A part was given back.' }
  }
  if (compareAmounts(totals.captured, product.price) < 0) {
    const sentence = `${money(totals.captured, totals.currency)} was captured, and the rest of the hold was released.`
    return { label: 'Partly paid', tone: 'good', sentence }
  }
  return { label: 'Paid', tone: 'good', sentence: 'Paid, because the gateway’s status said approved.' }
}

function amountOf({ totals, amount = '', currency = '' }: Payment): string {
  return totals === undefined ? money(amount, currency) : money(totals.returned, totals.currency)
}
