/** The shop on PostgreSQL: orders and payments in one database, through a restart. */
import { createFakeGateway, payAsCustomer } from '@tillkit/testing'
import { expect, it, onTestFinished } from 'vitest'
import { ownServer } from '../../../packages/till/test/postgres-server.js'
import { start } from '../src/start.js'

it('sells, gives a part back once, and goes on after a restart', async () => {
  const server = await ownServer()
  onTestFinished(() => server.stop())
  const gateway = createFakeGateway({ processingTime: 0 })
  onTestFinished(() => gateway.close())
  const first = await start({ gateway, database: server.url })
  const post = (shop: URL, path: string, fields: Record<string, string>) =>
    fetch(new URL(path, shop), { method: 'POST', redirect: 'manual', body: new URLSearchParams(fields) })
  const basket = { product: 'rice-bowl', kind: 'sale', ticket: 't-1' }

  const page = await payAsCustomer(await post(first.shop, '/orders', basket), { gateway })
  await gateway.callbacks.idle()
  const [order] = await first.orders.latest(9)
  expect(page.html).toContain('role="status">Paid<')
  expect(order).toMatchObject({ kind: 'sale', told: 'paid', parcel: 'packed', notice: undefined })
  const id = order?.id ?? ''
  await first.close()

  // The gateway goes on where it listens.
  const { baseUrl } = gateway.clientOptions
  const address = { baseUrl, origin: baseUrl.origin, port: Number(baseUrl.port) }
  const second = await start({ gateway: { ...gateway, listen: async () => address }, database: server.url })
  onTestFinished(() => second.close())
  const again = await post(second.shop, '/orders', basket)
  expect(again.headers.get('location')).toBe(new URL(`/orders/${id}`, second.shop).href)
  const click = { amount: '4.50', click: 'k-1' }
  await Promise.all([1, 2, 3].map(() => post(second.shop, `/merchant/orders/${id}/return`, click)))
  expect(gateway.calls('return')).toHaveLength(1)
  expect(await second.orders.latest(9)).toHaveLength(1)
  expect(gateway.orders.list()).toHaveLength(1)
})
