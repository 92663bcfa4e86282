/**
 * The state of an order in words for people.
 *
 * @module
 */
import { orderTotals } from '@tillkit/client'
import type { ShopOrder } from '../orders.js'

/** A label, its colour, and one sentence. */
export interface OrderState {
  readonly label: string
  readonly tone: 'good' | 'wait' | 'bad' | 'info'
  readonly sentence: string
}

/** Reads the stages of an order. It says only what a status reply has said. */
export function orderState({ order, open, isDisputed }: ShopOrder): OrderState {
  const first = order.stages.find(stage => stage.stage === 'sale' || stage.stage === 'preauth')
  const totals = orderTotals(order)
  const question = open[0]
  if (isDisputed || order.stages.some(({ corrections }) => corrections.length > 0)) {
    return {
      label: 'To be looked at',
      tone: 'bad',
      sentence: 'What the gateway says does not fit this order. Deliver nothing and repeat nothing: ask the gateway.',
    }
  }
  if (question?.state === 'unknown') {
    return {
      label: 'Not known',
      tone: 'wait',
      sentence: `The answer to the ${question.operation} was lost. It is not sent again; ask the gateway before you do anything.`,
    }
  }
  if (first?.outcome === undefined && first?.status === 'unknown') {
    return {
      label: 'Not known',
      tone: 'wait',
      sentence: 'The gateway does not know how this payment ended. We ask less and less often. Do not pay again yet.',
    }
  }
  if (first?.outcome === undefined) {
    return {
      label: 'Checking',
      tone: 'wait',
      sentence: 'The gateway has not said yet how this payment ended. We keep asking.',
    }
  }
  if (first.outcome !== 'approved') {
    const why = first.errorMessage === undefined ? '' : ` (${first.errorMessage})`
    return {
      label: 'Declined',
      tone: 'bad',
      sentence: `The gateway’s status says ${first.status}${why}. No money moved.`,
    }
  }
  if (question !== undefined) {
    return {
      label: 'Working',
      tone: 'wait',
      sentence: `The ${question.operation} was sent; its outcome is being asked for.`,
    }
  }
  const nothing = /^[0.]+$/
  if (totals !== undefined && !nothing.test(totals.held)) {
    return {
      label: 'Reserved',
      tone: 'info',
      sentence: 'The amount is held on the card. Capture it, or void to release it.',
    }
  }
  if (totals === undefined || nothing.test(totals.captured)) {
    return { label: 'Released', tone: 'info', sentence: 'The hold was released. No money moved.' }
  }
  if (nothing.test(totals.returned)) {
    return { label: 'Paid', tone: 'good', sentence: 'Paid, because the gateway’s status said approved.' }
  }
  return nothing.test(totals.returnable)
    ? { label: 'Returned', tone: 'info', sentence: 'Everything was given back.' }
    : { label: 'Partly returned', tone: 'info', sentence: 'A part was given back.' }
}
