/** docs/troubleshooting.md quotes what is really said: each symptom is brought about here, and each quotation is looked for in it. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { type ClientOptions, createClient } from '@tillkit/client'
import { createFakeGateway, testCard } from '@tillkit/testing'
import { createTill, memoryStore } from '@tillkit/till'
import express from 'express'
import { expect, it } from 'vitest'

const page = readFileSync(new URL('../../../docs/troubleshooting.md', import.meta.url), 'utf8')
const quoted = [...page.matchAll(/^```text\n([\s\S]*?)^```/gm)].map(([, text = '']) => text.trim())

const sale = {
  clientOrderId: 'o-1',
  amount: '10.00',
  currency: 'EUR',
  email: 'joan@customer.example',
  creditCardNumber: testCard,
  cardPrintedName: 'JOAN BAKER',
  expireMonth: '12',
  expireYear: '2031',
  cvv2: '123',
}

it('docs/troubleshooting.md quotes what the packages really say', async () => {
  const said: string[] = []
  const hear = (warning: Error) => said.push(warning.message)
  process.on('warning', hear)
  const messageOf = async (work: () => unknown) => {
    try {
      await work()
    } catch (error) {
      said.push(error instanceof Error ? error.message : String(error))
    }
  }
  const gateway = createFakeGateway()
  const { baseUrl } = await gateway.listen()
  const send = (options: Partial<ClientOptions>) =>
    messageOf(() => createClient({ ...gateway.clientOptions, ...options }).sale(sale))
  await send({ controlKey: 'another key' })
  await send({ baseUrl: new URL(baseUrl).origin })
  await send({ baseUrl: 'http://gateway:4010/paynet' })
  gateway.faults.arm({ fault: 'maintenance-page', operation: 'sale' })
  await send({})

  let handlerFails = true
  const app = express()
  const server = app.listen(0)
  await once(server, 'listening')
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/payments`
  const shop = (at: string) =>
    createTill({
      account: gateway.clientOptions,
      store: memoryStore(),
      address: at,
      returnTo: () => '/',
      onOutcome: () => {
        if (handlerFails) throw new Error('no database')
      },
    })
  await messageOf(() => shop('http://shop.example/payments'))
  const till = shop(address)
  app.use('/payments', till.express())
  app.use((_error: unknown, _request: express.Request, response: express.Response, _next: express.NextFunction) => {
    response.status(503).end()
  })
  try {
    const forged = new URLSearchParams({
      status: 'approved',
      orderid: '1',
      merchant_order: 'x',
      control: 'a'.repeat(40),
    })
    await fetch(`${address}/callback?${forged}`)
    await fetch(`${address}/return/nonsense`)
    const other = createClient(gateway.clientOptions)
    await other.sale({ ...sale, clientOrderId: 'elsewhere', serverCallbackUrl: `${address}/callback` })
    const { clientOrderId: reference, ...rest } = sale
    await till.pay({ reference, ...rest })
    await gateway.callbacks.idle()
    handlerFails = false
    await messageOf(() => till.capture(reference))
    gateway.faults.arm({ fault: 'commit-then-drop', operation: 'return' })
    await till.return(reference, { amount: '1.00', key: 'one' })
    await messageOf(() => till.return(reference, { amount: '2.00', key: 'two' }))
    await expect.poll(() => quoted.filter(text => !said.join('\n').includes(text)), { timeout: 600_000 }).toEqual([])
    expect(quoted.length).toBeGreaterThan(8)
  } finally {
    process.off('warning', hear)
    await till.close()
    server.close()
    await gateway.close()
  }
})
