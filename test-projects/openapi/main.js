/** A client without `@tillkit/client`: generated from the OpenAPI document of the package, and signed in a middleware. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { controlItems, controlValue, toMinorUnits } from '@tillkit/signing'
import { createFakeGateway } from '@tillkit/testing'
import createClient from 'openapi-fetch'
import generate, { astToString } from 'openapi-typescript'

// What `types.ts` is checked with.
const document = new URL(import.meta.resolve('@tillkit/protocol/openapi.json'))
writeFileSync('gateway.d.ts', astToString(await generate(document)))

const gateway = createFakeGateway()
await gateway.listen()
const { baseUrl, login, controlKey, endpointId } = gateway.clientOptions

/** Section 5.1 of the interface specification: what the control value of each operation covers. */
const signed = {
  '/api/v2/sale/{endpointId}': controlItems.sale,
  '/api/v2/status/{endpointId}': controlItems.status,
}
const signing = {
  async onRequest({ request, schemaPath, params }) {
    const form = new URLSearchParams(await request.text())
    const [amount, currency] = [form.get('amount'), form.get('currency')]
    const values = {
      endpointId: String(params.path.endpointId),
      login,
      clientOrderId: form.get('client_orderid') ?? '',
      orderId: form.get('orderid') ?? '',
      email: form.get('email') ?? '',
      ...(amount !== null && { amount: toMinorUnits(amount, currency) }),
    }
    form.set('control', controlValue(signed[schemaPath], values, controlKey))
    return new Request(request.url, { method: 'POST', headers: request.headers, body: form })
  },
}

const client = createClient({
  baseUrl: String(baseUrl),
  headers: { accept: 'application/vnd.pay+json', 'content-type': 'application/x-www-form-urlencoded' },
})
client.use(signing)

const params = { path: { endpointId: Number(endpointId) } }
const sale = await client.POST('/api/v2/sale/{endpointId}', {
  params,
  body: {
    client_orderid: 'bread-1',
    amount: '12.50',
    currency: 'EUR',
    email: 'ada@shop.example',
    credit_card_number: '4444444444444448',
    card_printed_name: 'ADA LOVELACE',
    expire_month: '12',
    expire_year: '2099',
    cvv2: '123',
  },
})
assert.equal(sale.error, undefined)
assert.equal(sale.data['merchant-order-id'], 'bread-1')

const askFor = ids => client.POST('/api/v2/status/{endpointId}', { params, body: { login, ...ids } })
const orderid = String(sale.data['paynet-order-id'])
for (const ids of [{ client_orderid: 'bread-1', orderid }, { client_orderid: 'bread-1' }, { orderid }]) {
  const { data } = await askFor(ids)
  assert.deepEqual([data.status, data.amount, data['paynet-order-id']], ['approved', '12.50', orderid])
}
const { response, error } = await askFor({ client_orderid: 'bread-2' })
assert.deepEqual([response.status, error.type], [400, 'validation-error'])

// The gateway's own books: one order, of this amount.
const orders = gateway.orders.list()
assert.deepEqual(
  orders.map(each => [each.clientOrderId, each.stages.map(({ stage, amount }) => `${stage} ${amount}`)]),
  [['bread-1', ['sale 12.50']]],
)
await gateway.close()
