/** The example of docs/3d-secure.md, run with a gateway in a box in place of the one it names. */
import type { Client } from '@tillkit/client'
import { createFakeGateway, payAsCustomer, testCard } from '@tillkit/testing'
import type { Express } from 'express'
import { afterEach, expect, it, vi } from 'vitest'
import { runExample } from './run-example.js'
import { serve, versions } from './serve.js'

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

it('docs/3d-secure.md shows a shop that leads a customer through 3DS, and is told once', async () => {
  const log = vi.spyOn(console, 'log').mockReturnValue()
  const problems = vi.spyOn(console, 'error').mockReturnValue()
  const gateway = createFakeGateway({ endpointId: 39, login: 'merchant', processingTime: 0 })
  const { baseUrl } = await gateway.listen()
  vi.stubEnv('TILLKIT_CONTROL_KEY', gateway.clientOptions.controlKey)
  vi.stubEnv('STATE_SECRET', 'a secret of the tests, 32 bytes long')
  const [, express] = versions[2]
  const outer = express()
  await using served = await serve(outer)
  const { app, client } = await runExample<{ readonly app: Express; readonly client: Client }>({
    page: 'docs/3d-secure.md',
    exports: ['app', 'client'],
    replace: { 'https://gate.example/paynet': baseUrl.href, 'https://shop.example': served.origin },
  })
  outer.use(app)
  outer.get('/orders/:id', (request, response) => void response.send(String(request.query.view)))
  try {
    const card = { number: testCard, name: 'JOAN BAKER', month: '12', year: '2099', cvv2: '321' }
    const sent = await fetch(`${served.origin}/orders/order-1/pay`, {
      method: 'POST',
      body: new URLSearchParams(card),
      redirect: 'manual',
    })
    const page = await payAsCustomer(sent, { gateway })
    expect(page.url.href).toBe(`${served.origin}/orders/order-1?view=paid`)
    expect([log.mock.calls, problems.mock.calls]).toEqual([[['ship it, once:', 'order-1']], []])
    expect(gateway.calls('uploadCresResult')).toHaveLength(1)
    expect(await (await fetch(`${served.origin}/customer-browser.js`)).text()).toContain('data-customer-browser')
  } finally {
    await client.close()
    await gateway.close()
  }
})
