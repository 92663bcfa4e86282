/** One order, as its customer sees it: what is known of the payment, and where to go from here. */
import type { Payment } from '@tillkit/till'
import { type Html, html } from './html.js'
import { layout } from './layout.js'
import { noticeOf, orderHead } from './order-head.js'
import { isUnderWay, type OrderView } from './order-view.js'

/** The page of one order. */
export function orderPage(view: OrderView, gatewayAddress: string): Html {
  const { id } = view.order
  return layout({
    title: `Order ${id}`,
    gatewayAddress,
    script: '/order-page.js',
    body: orderHead(
      view,
      'customer',
      html`${noticeOf(view.order.notice)}${wayOn(view)}
<p class="hint">This is all that your customer sees. Yours is <a href="/merchant/orders/${id}">the merchant’s page</a>:
what happened, what went over the wire, and your buttons. In a shop of your own it is behind your login.</p>`,
    ),
  })
}

/** Where a customer goes from here. The page goes on by itself where scripts run; the link is for where they do not. */
function wayOn(view: OrderView): Html | false {
  const { order, payment } = view
  const label = payButtons[payment.state]
  const here = `/pay-here/${order.product.id}?after=${order.id}`
  const lookAgain =
    isUnderWay(view) &&
    payment.state !== 'unknown' &&
    html`<a class="button quiet" href="/orders/${order.id}">Look again</a>`
  const payHere = payment.state === 'declined' && order.kind === 'sale'
  return (
    (label !== undefined || lookAgain !== false) &&
    html`<div class="buttons way">
${label !== undefined && html`<form method="post" action="/orders/${order.id}/pay"><button>${label}</button></form>`}
${payHere && html`<a class="button quiet" href="${here}">Pay here, by card</a>`}${lookAgain}
</div>`
  )
}

/** What the button says that asks the till to pay: it is safe to press at any time. */
const payButtons: { readonly [State in Payment['state']]?: string } = {
  new: 'Pay',
  open: 'Go on with the payment',
  unknown: 'See how it stands',
  declined: 'Try another card',
  released: 'Pay again',
}
