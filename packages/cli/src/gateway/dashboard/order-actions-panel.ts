/**
 * What may be done to an order now: a button for each.
 *
 * @module
 */
import type { OrderActionName, OrderView } from '@tillkit/testing'
import { type Html, html } from '@tillkit/testing/gateway'
import { writeControlForm, writeInput, writeSelect } from './control-form.js'

const outcomes = ['approved', 'declined', 'filtered', 'error']

/** Inputs and button of each action. */
const contents: { readonly [Name in OrderActionName]: Html } = {
  approve: html`<button>Approve</button>`,
  decline: html`<button class="danger">Decline</button>`,
  correct: html`${writeSelect({
    id: 'correct-status',
    name: 'status',
    label: 'Correct the final status to',
    options: outcomes.map(each => html`<option>${each}</option>`),
  })}<button>Correct</button>`,
  reverse: html`${writeInput({ id: 'reverse-amount', name: 'amount', label: 'Amount to reverse', hint: 'all', inputMode: 'decimal' })}<button>Reverse</button>`,
  'charge-back': html`${writeInput({ id: 'charge-back-amount', name: 'amount', label: 'Amount to charge back', hint: 'all', inputMode: 'decimal' })}<button class="danger">Charge back</button>`,
}

/** Writes the buttons. */
export function orderActionsPanel({ orderId, actions, callbackUrl, notifyUrl }: OrderView): Html {
  const page = `orders/${orderId}`
  const forms = actions.map(action =>
    writeControlForm({ route: 'actOnOrder', page, sends: { id: orderId, action }, content: contents[action] }),
  )
  const resend = writeControlForm({
    route: 'resendCallback',
    page,
    sends: { id: orderId },
    content: html`<button class="quiet">Resend the callback</button>`,
  })
  const asked = callbackUrl !== undefined || notifyUrl !== undefined
  return html`<div class="actions">${forms}${asked ? resend : undefined}</div>`
}
