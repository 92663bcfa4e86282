/** Steps about what to believe: callbacks, ids, and answers that got lost. */
import type { AnyGatewayError } from '@tillkit/client'
import { emptyOrder } from '@tillkit/protocol'
import { controlItems, controlValue } from '@tillkit/signing'
import { catalog } from '../catalog.js'
import { card, customer, cvv, euro } from './fixtures.js'
import { settled } from './outcome.js'
import { mustBe, type Step } from './step.js'
import { sale, shown } from './steps-payments.js'

const callbacks: Step = {
  title: 'A callback is verified, a forged one refused',
  async run({ till, client, gateway, shop, orders, print }) {
    const [product] = catalog
    if (product === undefined) throw new Error('The shelf is empty.')
    const { id: clientOrderId } = await orders.create(product, 'sale', '')
    const serverCallbackUrl = new URL('/payments/callback', shop).href
    const { orderId } = await client.sale({
      clientOrderId,
      ...euro(product.price),
      ...card,
      ...customer,
      cvv2: cvv.declinedNoFunds,
    })
    await gateway.clock.advance(5_000)
    await gateway.callbacks.idle()
    const delivered = gateway.callbacks.list().find(({ url }) => url.includes(`orderid=${orderId}`))
    mustBe('the answer to the callback', delivered?.httpStatus, 200)
    mustBe('what the till knows', (await till.payment(clientOrderId)).state, 'declined')
    print({ operation: 'callback', detail: 'genuine', outcome: 'verified', evidence: 'signature' })

    const forged = new URL(serverCallbackUrl)
    const claims = { status: 'approved', orderid: orderId, merchant_order: clientOrderId, control: '0'.repeat(40) }
    forged.search = new URLSearchParams(claims).toString()
    const answer = await fetch(forged)
    mustBe('the answer to the forged callback', answer.status, 403)
    mustBe('the status after it', (await client.status({ clientOrderId, orderId })).status, 'declined')
    print({ operation: 'callback', detail: 'forged', outcome: 'refused, HTTP 403', evidence: 'signature' })
  },
}

const eitherId: Step = {
  title: 'Status by either id',
  async run(context) {
    const { client, print } = context
    const sold = await sale(context, cvv.approved)
    const { clientOrderId, orderId = '' } = sold.order
    const byBoth = await client.status({ clientOrderId, orderId })
    print({ operation: 'status', detail: 'by orderid', outcome: byBoth.status })
    const byOurs = await client.status({ clientOrderId })
    mustBe('the gateway’s order id', byOurs.orderId, orderId)
    print({ operation: 'status', detail: 'by client_orderid', outcome: byOurs.status })
  },
}

const lostAnswer: Step = {
  title: 'The gateway takes the money and its answer is lost',
  async run(context) {
    const { client, gateway, newId, print } = context
    const clientOrderId = newId()
    gateway.faults.arm({ fault: 'commit-then-drop', operation: 'sale' })
    const request = { clientOrderId, ...euro('10.00'), ...card, ...customer, cvv2: cvv.approved }
    const code = await client.sale(request).then(
      () => 'answered',
      (error: AnyGatewayError) => error.code,
    )
    mustBe('what the client says', code, 'ERR_OUTCOME_UNKNOWN')
    print({ operation: 'sale', detail: 'answer lost', outcome: 'unknown, not sent again', evidence: 'no answer' })
    const found = await settled(context, {
      order: emptyOrder({ clientOrderId }),
      expected: { stages: ['sale'], ...euro('10.00') },
    })
    const arrivals = gateway.calls('sale').filter(({ fields }) => fields.some(([, value]) => value === clientOrderId))
    mustBe('times the sale arrived', arrivals.length, 1)
    print({ operation: 'status', detail: 'by client_orderid', ...shown(found) })
  },
}

const altered: Step = {
  title: 'A request is altered after it was signed',
  async run({ gateway, newId, print }) {
    const { baseUrl, endpointId, controlKey } = gateway.clientOptions
    const clientOrderId = newId()
    const signedItems = { endpointId, clientOrderId, amount: '1000', email: customer.email }
    const control = controlValue(controlItems.sale, signedItems, controlKey)
    const response = await fetch(`${baseUrl.href.replace(/\/$/, '')}/api/v2/sale/${endpointId}`, {
      method: 'POST',
      headers: { accept: 'application/vnd.pay+json' },
      body: new URLSearchParams({
        client_orderid: clientOrderId,
        amount: '90.00',
        currency: 'EUR',
        email: customer.email,
        credit_card_number: card.creditCardNumber,
        card_printed_name: card.cardPrintedName,
        expire_month: card.expireMonth,
        expire_year: card.expireYear,
        cvv2: cvv.approved,
        control,
      }),
    })
    const reply = (await response.json()) as Record<string, string>
    mustBe('the answer', response.status, 401)
    mustBe('the item that is named', /item "(\w+)"/.exec(reply['error-message'] ?? '')?.[1], 'amount')
    print({
      operation: 'sale',
      detail: '10.00 made 90.00 on the way',
      outcome: 'refused, HTTP 401: item "amount" differs',
      evidence: 'signature',
    })
  },
}

/** Steps about what to believe. */
export const trustSteps: readonly Step[] = [lostAnswer, altered, callbacks, eitherId]
