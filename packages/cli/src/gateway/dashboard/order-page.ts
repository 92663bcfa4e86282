import { type OrderActionName, type OrderView, orderActions } from '@tillkit/testing'
import {
  type GatewayState,
  type Html,
  html,
  type Order,
  tellingApart,
  type WrittenAnswer,
} from '@tillkit/testing/gateway'
import { customerPage, merchantPage, shownOrder } from '../inspection/orders.js'
import { expectedOfOrder, storyOfOrder, totalsOfOrder } from '../inspection/story.js'
import {
  writeControlForm,
  writeFacts,
  writeInput,
  writeLive,
  writeMoment,
  writeMoney,
  writeSection,
  writeSelect,
  writeStatus,
} from './look/elements.js'
import { dashboardPage } from './look/layout.js'
import { expectedPart, storyPart } from './story-part.js'

/** The page of one order: its story, its money, what will happen to it and what may be done to it. */
export function orderPage(order: Order, gateway: GatewayState, notice?: string): WrittenAnswer {
  const view = shownOrder(order, gateway)
  const { currency, stages } = view
  const last = stages.at(-1)
  return dashboardPage({
    title: `Order ${view.clientOrderId}`,
    under: 'orders',
    gateway,
    notice,
    content: html`<div class="title"><h1 dir="auto">Order ${view.clientOrderId}</h1>
${writeLive('standing', last && html`<p>${writeStatus(last, `${last.stage} ${last.status}`)}</p>`)}</div>
<div class="columns"><div>
${writeSection('story', 'What happened', writeLive('events', storyPart(storyOfOrder(view, order, gateway), { currency, gateway })))}
${writeSection('facts', 'What it is', factsPart(view, order, gateway))}
</div><aside aria-label="Money and actions">
${writeSection('money', 'Money', writeLive('totals', moneyPart(view, gateway)))}
${writeSection('actions', 'What can be done', writeLive('possible', actionsPart(view, order, gateway)))}
</aside></div>`,
  })
}

function moneyPart(view: OrderView, gateway: GatewayState): Html {
  const { currency, stages } = view
  const [asked] = stages
  const totals = totalsOfOrder(view, gateway)
  if (totals.length === 0) {
    const about = asked?.amount && html` ${writeMoney(asked.amount, currency)} were asked for.`
    return html`<p class="empty">No money moved.${about}</p>`
  }
  const lines = totals.map(
    ({ what, amount }) => html`<div><dt>${what}</dt><dd>${writeMoney(amount, currency)}</dd></div>`,
  )
  return html`<dl class="totals">${lines}</dl>`
}

function factsPart(view: OrderView, order: Order, gateway: GatewayState): Html {
  const { card, formEndsAt } = view
  const hasEnded = formEndsAt !== undefined && gateway.clock.now() >= formEndsAt
  const shop = merchantPage(order, gateway)
  return writeFacts([
    ['In the shop', shop && html`<a href="${shop}">Order ${view.clientOrderId}</a>`],
    ["The gateway's id", view.orderId],
    ['Merchant', `${view.login}, endpoint ${view.endpointId}`],
    ['Description', view.description && html`<bdi>${view.description}</bdi>`],
    ['E-mail', view.email],
    ['Card', card === undefined ? undefined : `${card.brand} ${card.bin}******${card.lastFourDigits}`],
    ['Callback to', view.callbackUrl],
    ['All callbacks to', view.notifyUrl],
    ['Its form ended', hasEnded ? writeMoment(formEndsAt) : undefined],
    ['Customer returns to', view.redirectUrl && shorten(view.redirectUrl)],
  ])
}

/** A state that travels in an address makes it long. */
const shorten = (address: string): string => (address.length > 100 ? `${address.slice(0, 100)}…` : address)

/** Inputs and button of each action. */
const contents: { readonly [Name in Exclude<OrderActionName, 'correct'>]: Html } = {
  approve: html`<button>Approve</button>`,
  decline: html`<button class="danger">Decline</button>`,
  'end-form': html`<button class="quiet">End the form</button>`,
  reverse: html`${movementInputs('reverse', 'Amount to reverse')}<button class="quiet">Reverse</button>`,
  'charge-back': html`${movementInputs('charge-back', 'Amount to charge back')}<button class="danger">Charge back</button>`,
}

function inputsOf(action: OrderActionName, { stages }: OrderView): Html {
  if (action !== 'correct') return contents[action]
  const only = stages.length === 1 ? stages[0]?.status : undefined
  const others = ['approved', 'declined', 'filtered', 'error'].filter(status => status !== only)
  const which =
    stages.length === 1
      ? undefined
      : writeInput('stage', `Number of the stage, 1 to ${stages.length}`, { hint: 'the latest', inputMode: 'numeric' })
  return html`${which}${writeSelect('status', 'Correct the final status to', others)}<button class="quiet">Correct</button>`
}

function movementInputs(id: string, label: string): Html {
  return html`${writeInput('amount', label, { id: `${id}-amount`, hint: 'all', inputMode: 'decimal' })}
${writeSelect('toldApartBy', 'Told apart by', tellingApart, `${id}-toldApartBy`)}`
}

/** The page that waits for the customer, what only a person can do, and what happens by itself; each says what will come of it. */
function actionsPart(view: OrderView, order: Order, gateway: GatewayState): Html {
  const { orderId, actions } = view
  const sends = { id: orderId, page: `orders/${orderId}` }
  const waitsAt = customerPage(order, gateway)
  const customer =
    waitsAt &&
    html`<li><a href="${waitsAt}">Open the page that waits for the customer</a>
<p class="soft">Be the customer: the page decides the order.</p></li>`
  const acts = actions.map(
    action => html`<li>${writeControlForm('actOnOrder', inputsOf(action, view), { sends: { ...sends, action } })}
<p class="soft">${orderActions[action].does}${hears(action, view)}</p></li>
`,
  )
  const callback = gateway.callbackSender.resendable(order)
  const resend =
    callback &&
    html`<li>${writeControlForm('resendCallback', html`<button class="quiet">Resend the callback</button>`, { sends })}
<p class="soft">Sends <code>${callback.status}</code> once more to <code>${callback.url.split('?')[0]}</code>.</p></li>`
  const all = [customer || undefined, ...acts, resend].filter(each => each !== undefined)
  const now = gateway.clock.now()
  const nobody = view.callbackUrl === undefined && view.notifyUrl === undefined && actions.length > 0
  const silent = html`<p class="soft">The order names no address for callbacks: the shop hears of nothing that is done here.</p>`
  const possible =
    all.length === 0 ? html`<p class="empty">Nothing, as it stands.</p>` : html`<ul class="actions">${all}</ul>`
  return html`${nobody ? silent : undefined}${possible}${expectedPart(expectedOfOrder(view, order, gateway), now)}`
}

/** Who hears of an action. The callback of the first stage alone goes to an address of its own. */
function hears(action: OrderActionName, { callbackUrl, notifyUrl, stages }: OrderView): string {
  if ((callbackUrl === undefined && notifyUrl === undefined) || action === 'end-form') return ''
  const isFirst = stages.length === 1 && ['approve', 'decline', 'correct'].includes(action)
  const to = notifyUrl ?? (isFirst ? callbackUrl : undefined)
  return to === undefined ? ' No callback: the order has no notify_url.' : ' A callback tells the shop.'
}
