/**
 * Express and `pg` by hand, as shops begin: it marks its row once status says "approved". A lost answer of the gateway, and a crash at the
 * wrong moment, it forgets.
 */
import express from 'express'
import { Pool } from 'undici'
import { callbackIn, headers, pathOf, saleForm, saysPaid, statusForm } from '../sale.js'
import { insertOrder, markPaid, shopPool } from '../shop-table.js'
import { statements } from '../statements.js'

const setOrderId = 'update orders set order_id = $2 where id = $1'

export async function open({ gateway, address, answer, pays, url }) {
  const pool = await shopPool(url)
  await pool.query('alter table orders add column order_id text')
  const connections = new Pool(gateway)
  const told = new Map()

  async function ask(operation, form) {
    const { statusCode, body } = await connections.request({
      method: 'POST',
      path: pathOf(operation),
      headers,
      body: form,
    })
    if (statusCode !== 200) throw new Error(`${operation} was answered with ${statusCode}.`)
    return body.json()
  }

  const app = express()
  app.get('/callback', async (request, response) => {
    const callback = callbackIn(request.query)
    if (callback === undefined) return response.sendStatus(403)
    const { reference, orderId } = callback
    const reply = await ask('status', statusForm(reference, orderId))
    if (saysPaid(reply, callback)) {
      await pool.query({ name: 'paid', text: markPaid, values: [reference, reply.amount] })
      told.get(reference)()
      told.delete(reference)
    }
    response.send('OK')
  })
  answer(app)

  return {
    statements,
    async sell(reference) {
      const isTold = new Promise(resolve => told.set(reference, resolve))
      await insertOrder(pool, reference)
      const { 'paynet-order-id': orderId } = await ask('sale-form', saleForm(reference, address))
      await pool.query({ name: 'order id', text: setOrderId, values: [reference, orderId] })
      pays(orderId)
      await isTold
    },
  }
}
