/** Steps that take payments: hosted and direct, approved and declined, held, captured, released and returned. */

import type { Settled } from '@tillkit/protocol'
import type { Payment } from '@tillkit/till'
import { open, submit } from './customer.js'
import { card, customer, cvv, euro, typedCard } from './fixtures.js'
import { acknowledged, arrives, settled } from './outcome.js'
import { mustBe, type Step, type TourContext } from './step.js'

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
    const { status } = await client.status({ clientOrderId })
    mustBe('its status', status, 'approved')
    print({ operation: 'saleForm', detail: 'in the shop', outcome: 'paid' })
  },
}

const directSales: Step = {
  title: 'Cards that the shop was handed: one is charged, one has no funds',
  async run(context) {
    const { till, newId, print } = context
    const reference = newId()
    await till.pay({ reference, ...euro('10.00'), ...card, ...customer, cvv2: cvv.approved })
    print({ operation: 'sale', ...told(await arrives(context, reference, 'paid')) })
    const poor = newId()
    await till.pay({ reference: poor, ...euro('10.00'), ...card, ...customer, cvv2: cvv.declinedNoFunds })
    print({ operation: 'sale', detail: 'without funds', ...told(await arrives(context, poor, 'declined')) })
  },
}

const partialCapture: Step = {
  title: 'Hold, then settle a part of it',
  async run(context) {
    const reference = await held(context)
    await context.till.capture(reference, { amount: '7.50', key: 'parcel-1' })
    const payment = await arrives(context, reference, 'paid')
    mustBe('captured', payment.totals?.captured, '7.50')
    context.print({ operation: 'capture', detail: '7.50 of 20.00', ...told(payment) })
    const { again } = await context.till.capture(reference, { amount: '7.50', key: 'parcel-1' })
    mustBe('the same parcel once more was sent before', again, true)
  },
}

const release: Step = {
  title: 'Hold, then release it',
  async run(context) {
    const reference = await held(context)
    await context.till.void(reference)
    const payment = await arrives(context, reference, 'released')
    mustBe('held', payment.totals?.held, '0.00')
    context.print({ operation: 'void', ...told(payment) })
  },
}

const equalReturns: Step = {
  title: 'Two equal partial returns are two',
  async run(context) {
    const { till, newId, print } = context
    const reference = newId()
    await till.pay({ reference, ...euro('10.00'), ...card, ...customer, cvv2: cvv.approved })
    await arrives(context, reference, 'paid')
    for (const [key, total] of [
      ['parcel-1', '3.00'],
      ['parcel-2', '6.00'],
    ] as const) {
      await till.return(reference, { amount: '3.00', key })
      const payment = await arrives(context, reference, 'paid')
      mustBe('returned', payment.totals?.returned, total)
      print({ operation: 'return', detail: `3.00, in all ${total}`, ...told(payment) })
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

/** A direct sale over 10.00 by the client alone, settled. */
export async function sale(context: TourContext, cvv2: string): Promise<Settled> {
  const clientOrderId = context.newId()
  const reply = await context.client.sale({ clientOrderId, ...euro('10.00'), ...card, ...customer, cvv2 })
  const order = acknowledged(clientOrderId, reply)
  return settled(context, { order, expected: { stages: ['sale'], ...euro('10.00') } })
}

/** A hold over 20.00. @returns The reference of its payment. */
async function held(context: TourContext): Promise<string> {
  const { till, newId, print } = context
  const reference = newId()
  await till.pay({ reference, hold: true, ...euro('20.00'), ...card, ...customer, cvv2: cvv.approved })
  const payment = await arrives(context, reference, 'held')
  mustBe('held', payment.totals?.held, '20.00')
  print({ operation: 'preauth', ...told(payment) })
  return reference
}

/** What a line says of a payment of the till. */
export const told = ({ state }: Payment) => ({ outcome: state })

/** What a line says of a settlement. */
export const shown = ({ kind, moneyMoved }: Settled) => ({
  outcome: moneyMoved === 'none' ? kind : `${kind}, ${moneyMoved}`,
})

/** Steps that take payments. */
export const paymentSteps: readonly Step[] = [
  hostedSale,
  directSales,
  partialCapture,
  release,
  equalReturns,
  verification,
]
