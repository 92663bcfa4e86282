/** The example of docs/hosted-forms.md, run with a gateway in a box in place of the one it names. */
import type { Client } from '@tillkit/client'
import { createFakeGateway } from '@tillkit/testing'
import type { Express } from 'express'
import { afterEach, expect, it, vi } from 'vitest'
import { payOnHostedPage } from './hosted-page.js'
import { runExample } from './run-example.js'
import { serve, versions } from './serve.js'

interface Example {
  readonly app: Express
  readonly client: Client
}

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

it('docs/hosted-forms.md shows a shop that takes a customer there and back, clicked twice or not', async () => {
  const log = vi.spyOn(console, 'log').mockReturnValue()
  const gateway = createFakeGateway({ endpointId: 39, login: 'merchant' })
  const { baseUrl } = await gateway.listen()
  vi.stubEnv('TILLKIT_CONTROL_KEY', gateway.clientOptions.controlKey)
  vi.stubEnv('STATE_SECRET', 'a secret of the tests, 32 bytes long')
  const [, express] = versions[2]
  const outer = express()
  await using served = await serve(outer)
  const { app, client } = await runExample<Example>({
    page: 'docs/hosted-forms.md',
    exports: ['app', 'client'],
    replace: { 'https://gate.example/paynet': baseUrl.href, 'https://shop.example': served.origin },
  })
  // In front of the error page that the server has already.
  outer.use(app)
  const press = async () => {
    const { headers } = await fetch(`${served.origin}/orders/order-1/pay`, { method: 'POST', redirect: 'manual' })
    return headers.get('location') ?? ''
  }
  try {
    const form = await press()
    expect(await press()).toBe(form)
    const { action, fields } = await payOnHostedPage(form, '123')
    const back = await fetch(action, { method: 'POST', body: fields, redirect: 'manual' })
    expect(back.headers.get('location')).toBe('/orders/order-1?view=paid')
    await gateway.callbacks.idle()
    expect(gateway.callbacks.list().map(({ httpStatus }) => httpStatus)).toEqual([200])
    await gateway.callbacks.resend(gateway.orders.list()[0]?.orderId ?? '')
    await gateway.callbacks.idle()
    expect(log.mock.calls).toEqual([['ship it:', 'order-1']])
    // Pressed once more afterwards, nothing that is known is lost.
    await press()
    expect((await fetch(action, { redirect: 'manual' })).headers.get('location')).toBe('/orders/order-1?view=paid')
    expect(log).toHaveBeenCalledOnce()
    expect(gateway.calls('saleForm')).toHaveLength(1)
  } finally {
    await client.close()
    await gateway.close()
  }
})
