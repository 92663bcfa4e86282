/**
 * The state of an order in words for people: what is known, what happens next, and whom to ask.
 *
 * @module
 */
import { creationOf, type OrderTotals, orderTotals } from '@tillkit/protocol'
import { compareAmounts } from '@tillkit/signing'
import type { Product } from '../catalog.js'
import { money } from './money.js'
import type { OrderView } from './order-view.js'

/** A label, its colour, and what to know. */
export interface OrderState {
  readonly label: string
  readonly tone: 'good' | 'wait' | 'bad' | 'info'
  readonly sentence: string
}

/** Reads the stages of an order. It says only what a status reply, or a refusal of the gateway, has said. */
export function orderState(view: OrderView): OrderState {
  const { order, open, disputes, notMade, product } = view
  const first = order.stages.find(stage => stage.stage === 'sale' || stage.stage === 'preauth')
  const [request] = open
  if (disputes.length > 0) {
    return {
      label: 'To be looked at',
      tone: 'bad',
      sentence: 'What the gateway says does not fit this order. Deliver nothing and repeat nothing: ask the gateway.',
    }
  }
  if (notMade !== undefined && creationOf(order) === undefined) {
    const wasRefused = order.attempts.some(({ end }) => end?.kind === 'refused')
    return { label: wasRefused ? 'Refused' : 'Not sent', tone: 'bad', sentence: notMade }
  }
  if (first?.outcome === undefined) return unpaidState(view, first?.status)
  if (first.outcome !== 'approved') {
    const why = first.errorMessage === undefined ? '' : ` (${first.errorMessage})`
    return {
      label: 'Declined',
      tone: 'bad',
      sentence: `The gateway’s status says ${first.status}${why}. No money moved.`,
    }
  }
  if (request?.state === 'unknown') return unansweredState(request.attempt.operation, view)
  if (request !== undefined) {
    return {
      label: 'Working',
      tone: 'wait',
      sentence: `The ${request.attempt.operation} was sent; its outcome is being asked for.`,
    }
  }
  const takenBack = order.stages.filter(({ stage, outcome }) => stage === 'chargeback' && outcome === 'approved')
  if (takenBack.length > 0) {
    const amounts = takenBack.map(({ amount = '', currency = '' }) => money(amount, currency)).join(' and ')
    return {
      label: 'Charged back',
      tone: 'bad',
      sentence: `The cardholder’s bank took ${amounts} back. Deliver nothing more. Ask the gateway why, and until when you can object.`,
    }
  }
  return settledState(orderTotals(order), product)
}

/** The payment itself, while status has no final word about it. */
function unpaidState({ open, formUrl }: OrderView, status: string | undefined): OrderState {
  const [request] = open
  const isForm = request?.attempt.operation.endsWith('Form')
  if (isForm && formUrl === undefined && request?.state !== 'sending') {
    return {
      label: 'No payment page',
      tone: 'wait',
      sentence:
        'We asked the gateway for a page to pay on and got no address for it, so we did not send you there. We keep asking. You can choose again: that is a new order.',
    }
  }
  if (request?.state === 'unknown' && status === undefined) {
    return {
      label: 'Not known',
      tone: 'wait',
      sentence:
        'We sent the payment and have no answer yet: it may have been made. We keep asking the gateway, and you need not do anything. Please do not pay again.',
    }
  }
  if (status === 'unknown') {
    return {
      label: 'Not known',
      tone: 'wait',
      sentence:
        'The gateway does not know yet how this payment ended. We keep asking, less and less often. Please do not pay again.',
    }
  }
  return formUrl === undefined
    ? {
        label: 'Checking',
        tone: 'wait',
        sentence:
          'The gateway has not said yet how this payment ended. We keep asking, and you need not do anything. Please do not pay again.',
      }
    : {
        label: 'Checking',
        tone: 'wait',
        sentence:
          'The gateway has not said yet how this payment ended. We keep asking. If you have paid, please do not pay again.',
      }
}

/** A change that was not answered. Nothing is sent meanwhile: a second one could not be told from it. */
function unansweredState(operation: string, { needsPerson }: OrderView): OrderState {
  const known = `The ${operation} was sent and not answered: it may have happened.`
  return {
    label: 'Not known',
    tone: 'wait',
    sentence: needsPerson
      ? `${known} Status cannot tell. Ask the gateway’s support whether it has this ${operation}. We send nothing again, and keep asking.`
      : `${known} We send nothing again and keep asking the gateway; until it has said more, nothing else can be done with this order. If that lasts, ask the gateway’s support.`,
  }
}

/** What became of the money of an approved payment. */
function settledState(totals: OrderTotals | undefined, { price }: Product): OrderState {
  if (totals === undefined) {
    return {
      label: 'Not added up',
      tone: 'wait',
      sentence:
        'The gateway shows a change without the number of its request, as after a lost answer, and it may stand for several. So nothing is added up here: the stages below are what is known. Ask the gateway before you change this order.',
    }
  }
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
  if (isNothing(totals.captured)) {
    return { label: 'Released', tone: 'info', sentence: 'The hold was released. No money moved.' }
  }
  if (isNothing(totals.returned) && compareAmounts(totals.captured, price) < 0) {
    const sentence = `${money(totals.captured, totals.currency)} was captured, and the rest of the hold was released.`
    return { label: 'Partly paid', tone: 'good', sentence }
  }
  if (isNothing(totals.returned)) {
    return { label: 'Paid', tone: 'good', sentence: 'Paid, because the gateway’s status said approved.' }
  }
  return isNothing(totals.returnable)
    ? { label: 'Returned', tone: 'info', sentence: 'Everything was given back.' }
    : { label: 'Partly returned', tone: 'info', sentence: 'A part was given back.' }
}
