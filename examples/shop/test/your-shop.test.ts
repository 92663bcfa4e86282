import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { payAsCustomer, useFakeGateway } from '@tillkit/testing'
import { gatewayMatchers } from '@tillkit/testing/vitest'
import { createTill, memoryStore, type TillAccount } from '@tillkit/till'
import express from 'express'
import { afterAll, afterEach, expect, it, onTestFinished } from 'vitest'

expect.extend(gatewayMatchers)
const gateway = useFakeGateway({ afterEach, afterAll })

/** Your shop, on the account and the store that it is given. */
async function openShop(account: TillAccount) {
  const app = express()
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const told: string[] = []
  const till = createTill({
    account,
    store: memoryStore(), // for a test; it forgets when the process ends
    address: `${origin}/payments`,
    returnTo: ({ reference }) => `/orders/${reference}`,
    onOutcome: ({ kind, payment }) => void told.push(`${payment.reference} ${kind}`),
  })
  const home = { address1: 'Hauptstr. 1', city: 'Berlin', zipCode: '10115', country: 'DE' }
  const customer = { email: 'joan@customer.example', phone: '+493012345678', ipAddress: '203.0.113.7', ...home }
  app.use('/payments', till.express())
  app.post('/orders/:id/pay', async ({ params }, response) => {
    const jug = { reference: params.id, amount: '10.00', currency: 'EUR', orderDesc: 'A jug' }
    response.redirect(303, (await till.pay({ ...jug, ...customer })).address)
  })
  app.get('/orders/:id', async ({ params }, response) => response.send((await till.payment(params.id)).state))
  await till.start()
  onTestFinished(async () => {
    server.close()
    await till.close()
  })
  const pressPay = (id: string) => fetch(`${origin}/orders/${id}/pay`, { method: 'POST', redirect: 'manual' })
  return { told, pressPay }
}

it('is told of a payment once, though its callback is lost and the customer presses twice', async () => {
  const shop = await openShop(gateway.clientOptions)
  gateway.faults.arm({ fault: 'callback-never' })
  const page = await payAsCustomer(await shop.pressPay('o-1'), { gateway })
  expect([page.url.pathname, page.html]).toEqual(['/orders/o-1', 'paid'])
  await payAsCustomer(await shop.pressPay('o-1'), { gateway })
  expect(shop.told).toEqual(['o-1 paid'])
  expect(gateway).toHaveMovedMoney([{ clientOrderId: 'o-1', money: 'captured', amount: '10.00', currency: 'EUR' }])
})

it('can be paid with another card after a decline', async () => {
  const shop = await openShop(gateway.clientOptions)
  await payAsCustomer(await shop.pressPay('o-2'), { gateway, cvv2: '101' }) // this security code is declined
  await payAsCustomer(await shop.pressPay('o-2'), { gateway })
  expect(shop.told).toEqual(['o-2 declined', 'o-2 paid'])
})
