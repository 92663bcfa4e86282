/**
 * Steps that take payments: hosted and direct, approved and declined, held, captured, released and returned.
 *
 * @module
 */

import { type AsyncResponse, orderTotals, type Settled } from '@tillkit/protocol'
import { open, submit } from './customer.js'
import { card, customer, cvv, euro, typedCard } from './fixtures.js'
import { acknowledged, answeredBy, settled } from './outcome.js'
import { mustBe, type Step, type TourContext } from './step.js'

const byStatus = 'status reply'

/** The customer buys in the shop, as a person would, and the shop learns the outcome. */
const hostedSale: Step = {
  title: 'A customer pays on the hosted page',
  async run({ shop, gateway, client, print }) {
    const shelf = await open(shop)
    const hosted = await submit(shelf, {})
    const leaving = await submit(hosted, typedCard)
    const back = await submit(leaving, {})
    mustBe('the page the customer comes back to', back.url.origin, shop.origin)
    await gateway.clock.advance(5_000)
    await gateway.callbacks.idle()
    const paid = await open(back.url)
    mustBe('the order page says Paid', paid.html.includes('>Paid</span>'), true)
    const clientOrderId = decodeURIComponent(back.url.pathname.split('/').at(-1) ?? '')
    const { orderId = '', status } = await client.status({ clientOrderId })
    mustBe('its status', status, 'approved')
    print({ operation: 'saleForm', detail: 'in the shop', orderId, outcome: status, evidence: byStatus })
  },
}

const directSales: Step = {
  title: 'Direct sales',
  async run(context) {
    const approved = await sale(context, cvv.approved)
    mustBe('the sale', approved.kind, 'approved')
    context.print({ operation: 'sale', ...shown(approved) })
    const declined = await sale(context, cvv.declinedNoFunds)
    mustBe('the sale without funds', declined.kind, 'declined')
    mustBe('money moved', declined.moneyMoved, 'none')
    context.print({ operation: 'sale', detail: 'without funds', ...shown(declined) })
  },
}

const partialCapture: Step = {
  title: 'Hold, then settle a part of it',
  async run(context) {
    const { hold, clientOrderId } = await preauth(context)
    const ids = { clientOrderId, orderId: hold.order.orderId ?? '' }
    const reply = await context.client.capture(
      { ...ids, ...euro('7.50') },
      { attemptId: `parcel-1 of ${clientOrderId}` },
    )
    const expected = answeredBy(reply, { stages: ['capture'], ...euro('7.50') })
    const capture = await settled(context, { order: hold.order, expected })
    mustBe('the capture', capture.kind, 'approved')
    mustBe('captured', orderTotals(capture.order)?.captured, '7.50')
    context.print({ operation: 'capture', detail: '7.50 of 20.00', ...shown(capture) })
  },
}

const release: Step = {
  title: 'Hold, then release it',
  async run(context) {
    const { hold, clientOrderId } = await preauth(context)
    const reply = await context.client.void({ clientOrderId, orderId: hold.order.orderId ?? '' })
    const expected = answeredBy(reply, { stages: ['void'], ...euro('20.00') })
    const voided = await settled(context, { order: hold.order, expected })
    mustBe('the void operation', voided.kind, 'approved')
    mustBe('held', orderTotals(voided.order)?.held, '0.00')
    context.print({ operation: 'void', ...shown(voided) })
  },
}

const equalReturns: Step = {
  title: 'Two equal partial returns are two',
  async run(context) {
    const sold = await sale(context, cvv.approved)
    context.print({ operation: 'sale', ...shown(sold) })
    const ids = { clientOrderId: sold.order.clientOrderId, orderId: sold.order.orderId ?? '' }
    let { order } = sold
    for (const total of ['3.00', '6.00']) {
      const reply: AsyncResponse = await context.client.return(
        { ...ids, ...euro('3.00') },
        { attemptId: `${total} of ${ids.clientOrderId}` },
      )
      const expected = answeredBy(reply, { stages: ['reversal'], ...euro('3.00') })
      const returned = await settled(context, { order, expected })
      mustBe('the return operation', returned.kind, 'approved')
      mustBe('returned', orderTotals(returned.order)?.returned, total)
      context.print({ operation: 'return', detail: `3.00, in all ${total}`, ...shown(returned) })
      order = returned.order
    }
  },
}

const verification: Step = {
  title: 'Verify a card without charging it',
  async run(context) {
    const clientOrderId = context.newId()
    const reply = await context.client.accountVerification({ clientOrderId, ...card, ...customer, cvv2: cvv.approved })
    const order = acknowledged(clientOrderId, reply)
    const verified = await settled(context, { order, expected: { stages: ['verification'] } })
    mustBe('the verification', verified.kind, 'approved')
    mustBe('money moved', verified.moneyMoved, 'none')
    context.print({ operation: 'accountVerification', ...shown(verified) })
  },
}

/** A direct sale over 10.00, settled. */
export async function sale(context: TourContext, cvv2: string): Promise<Settled> {
  const clientOrderId = context.newId()
  const reply = await context.client.sale({ clientOrderId, ...euro('10.00'), ...card, ...customer, cvv2 })
  const order = acknowledged(clientOrderId, reply)
  return settled(context, { order, expected: { stages: ['sale'], ...euro('10.00') } })
}

async function preauth(context: TourContext): Promise<{ readonly hold: Settled; readonly clientOrderId: string }> {
  const clientOrderId = context.newId()
  const reply = await context.client.preauth({
    clientOrderId,
    ...euro('20.00'),
    ...card,
    ...customer,
    cvv2: cvv.approved,
  })
  const order = acknowledged(clientOrderId, reply)
  const hold = await settled(context, { order, expected: { stages: ['preauth'], ...euro('20.00') } })
  mustBe('money moved', hold.moneyMoved, 'held')
  context.print({ operation: 'preauth', ...shown(hold) })
  return { hold, clientOrderId }
}

/** What a line says of a settlement. */
export function shown({ order, kind: outcome, moneyMoved }: Settled) {
  const money = moneyMoved === 'none' ? '' : `, ${moneyMoved}`
  return { orderId: order.orderId ?? '', outcome: `${outcome}${money}`, evidence: byStatus }
}

/** Steps that take payments. */
export const paymentSteps: readonly Step[] = [
  hostedSale,
  directSales,
  partialCapture,
  release,
  equalReturns,
  verification,
]
