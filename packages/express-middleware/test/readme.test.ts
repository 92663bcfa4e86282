/** The example of the README, run: what a newcomer copies has to work. */
import { readFileSync } from 'node:fs'
import type { Server } from 'node:net'
import type { Client } from '@tillkit/client'
import type { FakeGateway } from '@tillkit/testing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { payOnHostedPage } from './hosted-page.js'
import { freePort } from './listening.js'
import { runExample } from './run-example.js'

const page = 'packages/express-middleware/README.md'

interface Example {
  readonly client: Client
  readonly gateway: FakeGateway
  readonly server: Server
  readonly shop: string
}

describe('the example of the README', () => {
  let example: Example
  const log = vi.spyOn(console, 'log')

  beforeAll(async () => {
    const replace = { '4000': String(await freePort()), 'app.listen(': 'const server = app.listen(' }
    example = await runExample<Example>({ page, replace, exports: ['client', 'gateway', 'server', 'shop'] })
  })

  afterAll(async () => {
    example.server.close()
    await example.client.close()
    await example.gateway.close()
    log.mockRestore()
  })

  /** Presses the button of the first page. @returns Where it leads, again each time. */
  async function press(): Promise<() => Promise<string>> {
    const [, action = ''] = /action="([^"]+)"/.exec(await (await fetch(example.shop)).text()) ?? []
    return async () => {
      const { headers } = await fetch(`${example.shop}${action}`, { method: 'POST', redirect: 'manual' })
      return headers.get('location') ?? ''
    }
  }

  it('takes a customer to the hosted form and back, and ships once though it is called back twice', async () => {
    log.mockClear().mockReturnValue()
    const pay = await press()
    const form = await pay()
    expect(await pay()).toBe(form)
    const { action, fields } = await payOnHostedPage(form, '123')
    const back = await fetch(action, { method: 'POST', body: fields })
    expect(new URL(back.url).search).toBe('?view=paid')
    await example.gateway.callbacks.idle()
    expect(await (await fetch(back.url)).json()).toEqual(['paid', 'paid'])
    await example.gateway.callbacks.resend(example.gateway.orders.list()[0]?.orderId ?? '')
    await example.gateway.callbacks.idle()
    expect(example.gateway.callbacks.list().map(({ httpStatus }) => httpStatus)).toEqual([200, 200])
    expect(log.mock.calls).toEqual([['ship it:', 'order-1']])
    expect(example.gateway.calls('saleForm')).toHaveLength(1)
    expect(example.gateway.calls('saleForm').flatMap(({ warnings = [] }) => warnings)).toEqual([])
  })

  it('ships by the callback where the customer closes the window, and ships nothing that was declined', async () => {
    log.mockClear().mockReturnValue()
    for (const cvv2 of ['123', '116']) await payOnHostedPage(await (await press())(), cvv2)
    await example.gateway.callbacks.idle()
    expect(log.mock.calls.map(([, clientOrderId]) => clientOrderId)).toEqual(['order-2'])
    const shown = await (await fetch(`${example.shop}/orders/order-3`)).json()
    expect(shown).toEqual(['declined', null])
  })

  it('opens no form for an order that is paid', async () => {
    log.mockClear().mockReturnValue()
    const pay = await press()
    await payOnHostedPage(await pay(), '123')
    await example.gateway.callbacks.idle()
    const opened = example.gateway.calls('saleForm').length
    expect(await pay()).toMatch(/^\/orders\/order-\d+$/)
    expect(example.gateway.calls('saleForm')).toHaveLength(opened)
  })

  it('opens no form for an order that is not known', async () => {
    expect((await fetch(`${example.shop}/orders/order-99/pay`, { method: 'POST' })).status).toBe(404)
  })
})

it('the README stays a page that is read at a sitting', () => {
  expect(readFileSync(new URL('../README.md', import.meta.url), 'utf8').split('\n').length).toBeLessThan(130)
})
