/** The state of an order in words for people: what is known, what happens next, and whom to ask. */
import { compareAmounts } from '@tillkit/signing'
import type { OrderTotals, Payment } from '@tillkit/till'
import { money } from './money.js'
import type { OrderView } from './order-view.js'

/** A label, its colour, and what to know. */
export interface OrderState {
  readonly label: string
  readonly tone: 'good' | 'wait' | 'bad' | 'info'
  /** For the customer. */
  readonly sentence: string
  /** For the merchant, where that is another one. */
  readonly forMerchant?: string
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
        sentence: 'We are clearing up with the gateway what became of this payment. Please do not pay again.',
        forMerchant: `${payment.needsPerson ?? 'The gateway contradicted itself.'} Deliver nothing and repeat nothing until then.`,
      }
    case 'declined':
      return declinedState(payment)
    case 'paid':
    case 'held':
      if (change !== undefined) return changeState(change, payment)
      return payment.totals === undefined ? uncountedState(view) : settledState(payment.totals, view)
    case 'returned':
      if (order.told !== 'chargeback')
        return { label: 'Returned', tone: 'info', sentence: 'Everything was given back.' }
      return {
        label: 'Charged back',
        tone: 'bad',
        sentence: `The cardholder’s bank took ${amountOf(payment)} back. If you did not ask for that, please write to us.`,
        forMerchant:
          `The cardholder’s bank took ${amountOf(payment)} back. Deliver nothing more. ` +
          'Ask the gateway why, and until when you can object.',
      }
    case 'unknown':
      return { ...simpleStates.unknown, forMerchant: `${simpleStates.unknown.forMerchant}${personOf(payment)}` }
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
      'The gateway has not said yet how this payment ended. We keep asking. ' +
      'If you have paid, please do not pay again: this page goes on by itself.',
    forMerchant: 'The gateway has not said yet how this payment ended. The till keeps asking.',
  },
  unknown: {
    label: 'Not known',
    tone: 'wait',
    sentence:
      'We sent the payment and have no answer yet: it may have been made. ' +
      'We keep asking the gateway, and you need not do anything. Please do not pay again.',
    forMerchant:
      'The payment was sent and not answered: it may have been made. The till sends nothing again and keeps asking.',
  },
  verified: { label: 'Verified', tone: 'good', sentence: 'The card is good. No money moved.' },
  sent: { label: 'Sent', tone: 'good', sentence: 'The money was sent, because the gateway’s status said so.' },
  released: { label: 'Released', tone: 'info', sentence: 'The hold was released. No money moved.' },
  purged: { label: 'Over', tone: 'info', sentence: 'This payment was over long ago; only its number is kept.' },
} as const satisfies Partial<Record<Payment['state'], OrderState>>

/** What no machine can know any more, once the till says so. */
const personOf = ({ needsPerson }: Payment): string =>
  needsPerson === undefined ? '' : ` A person has to decide. ${needsPerson}`

/** Every try has failed. One that the gateway refused, or never got, never became a payment there. */
function declinedState({ orders, timeline }: Payment): OrderState {
  const last = orders.findLast(({ standing }) => standing === 'failed')
  const answer = timeline.findLast(entry => entry.kind === 'answered' && entry.clientOrderId === last?.clientOrderId)
  const ended = answer?.kind === 'answered' ? answer.ended : undefined
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
function changeState(
  { operation, amount, currency, state }: Payment['underWay'][number],
  payment: Payment,
): OrderState {
  const what = amount === undefined ? operation : `${operation} of ${money(amount, currency ?? '')}`
  const sentence = `We are asking the gateway how the ${what} ended. You need not do anything.`
  if (state !== 'unknown') {
    const forMerchant = `The ${what} was sent; its outcome is being asked for.`
    return { label: 'Working', tone: 'wait', sentence, forMerchant }
  }
  return {
    label: 'Not known',
    tone: 'wait',
    sentence,
    forMerchant:
      `The ${what} was sent and not answered: it may have happened. The till sends nothing again and keeps asking; ` +
      `until the gateway has said more, nothing else can be done with this order.${personOf(payment)}`,
  }
}

/** The totals would be a guess. That it is paid is none, where nothing was told since. */
function uncountedState({ order: { told }, payment: { state } }: OrderView): OrderState {
  if (told === 'paid' || told === 'held') {
    const label = state === 'held' ? 'Reserved' : 'Paid'
    const forMerchant =
      `${label}, because the gateway’s status said approved. ` +
      'What it said before does not add up: ask the gateway before you change this order.'
    return { label, tone: 'good', sentence: `${label}. Thank you.`, forMerchant }
  }
  return {
    label: 'Not added up',
    tone: 'wait',
    sentence: 'We are asking the gateway what became of a part of this payment. You need not do anything.',
    forMerchant:
      'The gateway shows a change without the number of its request, as after a lost answer, ' +
      'and it may stand for several. So nothing is added up here: what happened below is what is known. ' +
      'Ask the gateway before you change this order.',
  }
}

/** What became of the money of an approved payment. */
function settledState(totals: OrderTotals, { order: { product } }: OrderView): OrderState {
  const isNothing = (amount: string) => /^[0.]+$/.test(amount)
  if (!isNothing(totals.held) && !isNothing(totals.captured)) {
    return {
      label: 'Partly captured',
      tone: 'info',
      sentence: 'A part was paid, the rest is still held on your card.',
      forMerchant:
        'A part was captured, the rest is still held on the card. Capture more, or void to release the rest.',
    }
  }
  if (!isNothing(totals.held)) {
    return {
      label: 'Reserved',
      tone: 'info',
      sentence: 'The amount is held on your card. It is taken once we send the parcel.',
      forMerchant: 'The amount is held on the card. Capture it, or void to release it.',
    }
  }
  if (!isNothing(totals.returned)) {
    const sentence = `${money(totals.returned, totals.currency)} was given back.`
    return { label: 'Partly returned', tone: 'info', sentence }
  }
  if (compareAmounts(totals.captured, product.price) < 0) {
    const sentence = `${money(totals.captured, totals.currency)} was captured, and the rest of the hold was released.`
    return { label: 'Partly paid', tone: 'good', sentence }
  }
  const forMerchant = 'Paid, because the gateway’s status said approved.'
  return { label: 'Paid', tone: 'good', sentence: 'Paid. Thank you for your order.', forMerchant }
}

function amountOf({ totals, amount = '', currency = '' }: Payment): string {
  return totals === undefined ? money(amount, currency) : money(totals.returned, totals.currency)
}
