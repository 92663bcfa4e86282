/**
 * The limit: the least that a hosted sale takes on a store. Bare undici, bare `node:http`, SHA-1, and four writes: the sale is begun, the
 * form is open, status was seen, the handler's row is there. It would lose what it does not look after: answers that never come, other
 * processes, a second press of the button, another word later.
 */
import { parse } from 'node:querystring'
import { Pool } from 'undici'
import { callbackIn, customer, headers, pathOf, saleForm, saysPaid, statusForm } from '../sale.js'
import { openStore } from '../stores/stores.js'

/** `engine` and `isBatched` name the store. */
export async function open({ gateway, address, answer, pays, engine, isBatched, url }) {
  const store = await openStore(engine, { isBatched, url })
  const pool = new Pool(gateway)
  const sales = new Map()

  async function ask(operation, form) {
    const { statusCode, body } = await pool.request({ method: 'POST', path: pathOf(operation), headers, body: form })
    const reply = JSON.parse(await body.text())
    if (statusCode !== 200) throw new Error(`${operation} was answered with ${statusCode}.`)
    return reply
  }

  async function finish(callback) {
    const { facts, isTold } = sales.get(callback.reference)
    const reply = await ask('status', statusForm(callback.reference, callback.orderId))
    if (!saysPaid(reply, callback)) throw new Error(`Order ${callback.orderId} was not paid.`)
    const { status, amount, currency, 'approval-code': approvalCode, 'processor-rrn': rrn } = reply
    facts.push({ kind: 'status', at: Date.now(), status, amount, currency, approvalCode, rrn })
    await store.write(callback.reference, JSON.stringify(facts))
    facts.push({ kind: 'delivered', at: Date.now(), outcome: 'paid' })
    await store.writeWithOrder(callback.reference, JSON.stringify(facts), amount)
    sales.delete(callback.reference)
    isTold()
  }

  answer((request, response) => {
    const callback = callbackIn(parse(request.url.slice(request.url.indexOf('?') + 1)))
    if (callback === undefined) return response.writeHead(403).end()
    finish(callback).then(
      () => response.writeHead(200, { 'content-type': 'text/plain', 'content-length': 2 }).end('OK'),
      () => response.writeHead(503).end(),
    )
  })

  return {
    statements: store.statements,
    async sell(reference) {
      const { amount, currency } = customer
      const facts = [{ kind: 'requested', at: Date.now(), operation: 'sale-form', reference, amount, currency }]
      const told = new Promise(resolve => sales.set(reference, { facts, isTold: resolve }))
      await store.insertOrder(reference)
      await store.write(reference, JSON.stringify(facts))
      const reply = await ask('sale-form', saleForm(reference, address))
      const orderId = reply['paynet-order-id']
      facts.push({
        kind: 'answered',
        at: Date.now(),
        orderId,
        serialNumber: reply['serial-number'],
        address: reply['redirect-url'],
      })
      await store.write(reference, JSON.stringify(facts))
      pays(orderId)
      await told
    },
  }
}
