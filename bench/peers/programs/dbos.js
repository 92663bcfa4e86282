/**
 * The sale as workflows of DBOS Transact, whose steps open the form, ask status and mark the merchant's row.
 *
 * `shape` says how the callback comes in. `start`: it starts a second workflow, named after the order so that a repeated callback starts no
 * other. `recv`: it is sent to the one workflow of the sale, which waits for it. The first takes fewer statements.
 *
 * The row is written by a step: marking it twice changes nothing, so a transaction of a data source, which costs more, is not needed.
 * Workflows start where they are called, without a queue, and share one pool with the merchant's rows, as its documents advise. What made it
 * faster besides: a pool whose statements are prepared, plain JSON, and no ear for queues and notifications that nobody uses.
 */
import { parse } from 'node:querystring'
import { DBOS } from '@dbos-inc/dbos-sdk'
import { Pool } from 'undici'
import { PreparedClient } from '../prepared-client.js'
import { callbackIn, headers, pathOf, saleForm, saysPaid, statusForm } from '../sale.js'
import { insertOrder, markPaid, shopPool } from '../shop-table.js'
import { statements } from '../statements.js'

/** Everything here is plain JSON, so nothing else has to be looked for. */
const serializer = {
  name: () => 'plain-json',
  stringify: value => JSON.stringify(value ?? null),
  parse: text => JSON.parse(text ?? 'null'),
}

export async function open({ gateway, address, answer, pays, url, shape }) {
  const pool = await shopPool(url, { Client: PreparedClient })
  const connections = new Pool(gateway)
  const forms = new Map()
  const told = new Map()

  async function ask(operation, form) {
    const { statusCode, body } = await connections.request({
      method: 'POST',
      path: pathOf(operation),
      headers,
      body: form,
    })
    const reply = JSON.parse(await body.text())
    if (statusCode !== 200) throw new Error(`${operation} was answered with ${statusCode}.`)
    return reply
  }

  const openForm = reference =>
    DBOS.runStep(
      async () => {
        const { 'paynet-order-id': orderId, 'redirect-url': form } = await ask(
          'sale-form',
          saleForm(reference, address),
        )
        return { orderId, form }
      },
      { name: 'saleForm' },
    )

  async function finish(callback) {
    const amount = await DBOS.runStep(
      async () => {
        const reply = await ask('status', statusForm(callback.reference, callback.orderId))
        if (!saysPaid(reply, callback)) throw new Error(`Order ${callback.orderId} was not paid.`)
        return reply.amount
      },
      { name: 'status' },
    )
    const { reference } = callback
    await DBOS.runStep(
      () => pool.query({ name: 'paid', text: markPaid, values: [reference, amount] }).then(() => null),
      {
        name: 'row',
      },
    )
    told.get(reference)()
    told.delete(reference)
  }

  const shapes = {
    start() {
      const sale = DBOS.registerWorkflow(openForm, { name: 'sale' })
      const paid = DBOS.registerWorkflow(finish, { name: 'paid' })
      return {
        begin: async reference => (await DBOS.startWorkflow(sale, { workflowID: reference })(reference)).getResult(),
        take: async callback => {
          const handle = await DBOS.startWorkflow(paid, { workflowID: `paid-${callback.orderId}` })(callback)
          await handle.getResult()
        },
      }
    },
    recv() {
      const sale = DBOS.registerWorkflow(
        async reference => {
          forms.get(reference)(await openForm(reference))
          forms.delete(reference)
          await finish(await DBOS.recv('callback', 3_600))
        },
        { name: 'sale' },
      )
      return {
        // The form is handed over in this process: `setEvent`, which others could read, costs more.
        begin: async reference => {
          const form = new Promise(resolve => forms.set(reference, resolve))
          await DBOS.startWorkflow(sale, { workflowID: reference })(reference)
          return form
        },
        take: callback => DBOS.send(callback.reference, callback, 'callback', callback.orderId),
      }
    },
  }
  const { begin, take } = shapes[shape]()
  DBOS.setConfig({
    name: 'shop',
    systemDatabaseUrl: url,
    systemDatabasePool: pool,
    logLevel: 'error',
    serializer,
    useListenNotify: shape === 'recv',
    listenQueues: [],
  })
  await DBOS.launch()

  answer((request, response) => {
    const callback = callbackIn(parse(request.url.slice(request.url.indexOf('?') + 1)))
    if (callback === undefined) return response.writeHead(403).end()
    take(callback).then(
      () => response.writeHead(200, { 'content-type': 'text/plain', 'content-length': 2 }).end('OK'),
      () => response.writeHead(503).end(),
    )
  })

  return {
    statements,
    async sell(reference) {
      const isTold = new Promise(resolve => told.set(reference, resolve))
      await insertOrder(pool, reference)
      const { orderId } = await begin(reference)
      pays(orderId)
      await isTold
    },
  }
}
