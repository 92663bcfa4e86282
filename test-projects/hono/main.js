import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { serve } from '@hono/node-server'
import { createFakeGateway, payAsCustomer } from '@tillkit/testing'
import { createTill, memoryStore } from '@tillkit/till'
import { shopOf } from './shop.js'

const gateway = createFakeGateway()
await gateway.listen()

// The port is known once the server listens.
let app
const server = await new Promise(resolve => {
  const listening = serve({ fetch: (...call) => app.fetch(...call), hostname: '127.0.0.1', port: 0 }, () =>
    resolve(listening),
  )
})
const shop = `http://127.0.0.1:${server.address().port}`
const told = []
const till = createTill({
  account: gateway.clientOptions,
  store: memoryStore(),
  address: `${shop}/payments`,
  returnTo: ({ reference }) => `/orders/${reference}`,
  onOutcome: ({ kind, payment }) => void told.push(`${payment.reference} ${kind}`),
})
app = shopOf(till)

const post = (path, fields = {}, headers = {}) =>
  fetch(`${shop}${path}`, { method: 'POST', body: new URLSearchParams(fields), headers, redirect: 'manual' })

// A card on the shop's own page, and 3DS after it. The customer says to come from elsewhere; the bank hears where the connection comes from.
const card = { number: '4444444444444448', name: 'JOAN BAKER', month: '12', year: '2099', cvv2: '321' }
const sent = await post('/orders/tickets-7/card', card, { 'x-forwarded-for': '198.51.100.66' })
const page = await payAsCustomer(sent, { gateway, cvv2: '321' })
assert.equal(page.html, 'paid')
const [sale] = gateway.calls('sale')
assert.equal(Object.fromEntries(sale.fields).ipaddress, '127.0.0.1')
assert.ok(
  gateway.calls().some(({ operation }) => /^upload/.test(operation ?? '')),
  'the till brought no result of 3DS',
)

// The gateway's form, which leads the customer back with a slash at the end of the address.
const form = await post('/orders/tickets-8/pay')
assert.equal((await payAsCustomer(form, { gateway, cvv2: '321' })).html, 'paid')
const { redirect_url: returnUrl } = Object.fromEntries(gateway.calls('saleForm')[0].fields)
const back = await fetch(`${returnUrl}/`, { redirect: 'manual' })
assert.equal(back.status, 303)

assert.deepEqual(told, ['tickets-7 paid', 'tickets-8 paid'])
assert.equal(gateway.orders.list().length, 2)
assert.equal((await fetch(`${shop}/payments/nothing-here`)).status, 404)

server.close()
await till.close()
await gateway.close()

// The program of the page, which has no types and so is JavaScript as well, on a port that is free now.
const [, program] = /^## Hono\n[\s\S]*?^```ts\n([\s\S]*?)^```/m.exec(readFileSync('without-express.md', 'utf8'))
writeFileSync('page.js', program.replaceAll('4280', new URL(shop).port))
const printed = []
const { log } = console
console.log = (...line) => printed.push(line.join(' '))
await import('./page.js').finally(() => (console.log = log))
assert.deepEqual(printed, ['order-9 paid', 'paid'])
