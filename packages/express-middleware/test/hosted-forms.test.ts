/** Hosted forms of every kind, asked for once, twice and in vain, with the real client and the fake gateway. */
import { createClient } from '@tillkit/client'
import { createFakeGateway, type FakeGateway } from '@tillkit/testing'
import express, { type Request, type Response } from 'express'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { CreatedForm, HostedFormOperation, OpenForm } from '../src/core.js'
import { type RedirectToHostedFormOptions, redirectToHostedForm } from '../src/index.js'
import { serve } from './serve.js'

const stateSecrets = [{ id: 'one', secret: 'the first secret, 32 bytes long.' }]
const order = { clientOrderId: 'order-1', amount: '10.00', currency: 'EUR', email: 'joan@customer.example' }

let gateway: FakeGateway
beforeEach(async () => {
  gateway = createFakeGateway()
  await gateway.listen()
})
afterEach(() => gateway.close())

type Options = Partial<RedirectToHostedFormOptions<HostedFormOperation>>

/** A shop with one button. Each press is a request of its own; the clock goes on by a second between them. */
async function shop(options: Options = {}) {
  const { baseUrl } = gateway.clientOptions
  const client = createClient(gateway.clientOptions)
  let now = 1_800_000_000_000
  const onCreated = vi.fn((_created: CreatedForm<HostedFormOperation>) => undefined)
  const app = express()
  app.post(
    '/pay',
    redirectToHostedForm<HostedFormOperation>({
      client,
      order: () => order,
      returnUrl: 'https://shop.example/return',
      stateSecrets,
      redirectHosts: [new URL(baseUrl).host],
      clock: () => {
        now += 1_000
        return now
      },
      onCreated,
      ...options,
    }),
  )
  const served = await serve(app)
  return {
    onCreated,
    async press() {
      const response = await fetch(`${served.origin}/pay`, { method: 'POST', redirect: 'manual' })
      return { status: response.status, location: response.headers.get('location'), text: await response.text() }
    },
    async [Symbol.asyncDispose]() {
      await served[Symbol.asyncDispose]()
      await client.close()
    },
  }
}

const redirectUrls = (operation: HostedFormOperation) =>
  gateway.calls(operation).map(({ fields }) => Object.fromEntries(fields).redirect_url ?? '')

describe('every hosted form', () => {
  it.each([
    ['saleForm', order],
    ['preauthForm', order],
    ['paymentForm', order],
    ['accountVerificationForm', { clientOrderId: 'order-1', email: 'joan@customer.example' }],
    ['payoutForm', { clientOrderId: 'order-1', amount: '10.00', currency: 'EUR' }],
  ] as const)('%s is created, and opens', async (operation, wanted) => {
    await using till = await shop({ operation, order: () => wanted })
    const { status, location } = await till.press()
    expect(status).toBe(303)
    expect((await fetch(location ?? '')).status).toBe(200)
    expect(redirectUrls(operation)).toEqual([expect.stringMatching(/^https:\/\/shop\.example\/return\/[^/]{100,}$/)])
  })
})

describe('a second press', () => {
  it('opens a second form where nobody has kept the first', async () => {
    await using till = await shop()
    const [first, second] = [await till.press(), await till.press()]
    expect([first.status, second.status]).toEqual([303, 303])
    expect(second.location).not.toBe(first.location)
    expect(gateway.calls('saleForm')).toHaveLength(2)
  })

  it('leads to the first form where the merchant hands it back, and creates none', async () => {
    const kept = new Map<string, OpenForm>()
    await using till = await shop({
      order: () => ({ ...order, form: kept.get('order-1') }),
      onCreated: ({ clientOrderId, form }) => void kept.set(clientOrderId, form),
    })
    const first = await till.press()
    expect(first.status).toBe(303)
    expect(await till.press()).toEqual(first)
    expect(gateway.calls('saleForm')).toHaveLength(1)
    expect(kept.get('order-1')).toEqual({ redirectUrl: first.location, orderId: gateway.orders.list()[0]?.orderId })
  })

  it('creates the form when the first one was refused', async () => {
    await using till = await shop()
    gateway.handle({ saleForm: () => ({ type: 'validation-error', errorCode: '1', errorMessage: 'not now' }) })
    expect((await till.press()).text).toBe('ERR_REQUEST_REFUSED')
    expect(till.onCreated).not.toHaveBeenCalled()
    gateway.handle({ saleForm: () => undefined })
    expect((await till.press()).status).toBe(303)
  })

  it('leads nowhere while the merchant cannot keep the form', async () => {
    await using till = await shop({ onCreated: () => Promise.reject(new Error('no database')) })
    expect(await till.press()).toMatchObject({ status: 500, location: null, text: 'Error: no database' })
  })
})

describe('a form that cannot be opened', () => {
  it('shows the merchant’s page, which is told why', async () => {
    const onFailed = vi.fn((_failure, _request, response) => response.send('<h1>Please try again</h1>'))
    await using till = await shop({ onFailed })
    gateway.handle({ saleForm: () => ({ hangUp: true }) })
    expect(await till.press()).toMatchObject({ status: 502, text: '<h1>Please try again</h1>' })
    expect(onFailed.mock.calls[0]?.[0]).toMatchObject({
      clientOrderId: 'order-1',
      error: { code: 'ERR_OUTCOME_UNKNOWN' },
    })
  })

  it('gives the error to Express where that page fails too', async () => {
    const onFailed = () => Promise.reject(new Error('no template'))
    await using till = await shop({ onFailed, order: () => Promise.reject(new Error('no database')) })
    expect(await till.press()).toMatchObject({ status: 500, text: 'Error: no template' })
  })
})

describe('an order that needs no form', () => {
  it('is answered by the merchant', async () => {
    await using till = await shop({
      order: (_request, response) => {
        response.redirect(303, '/orders/order-1')
        return undefined
      },
    })
    expect(await till.press()).toMatchObject({ status: 303, location: '/orders/order-1' })
    expect(gateway.calls('saleForm')).toEqual([])
  })

  it('is no error once it is answered', async () => {
    const client = { saleForm: () => Promise.reject(new Error('asked for a form')), baseUrl: 'https://gate.example' }
    const options = { client, order: () => undefined, returnUrl: 'https://shop.example/return', stateSecrets }
    const next = vi.fn()
    await redirectToHostedForm(options)({} as Request, { headersSent: true } as Response, next)
    expect(next).not.toHaveBeenCalled()
  })

  it('is a mistake where nobody answers', async () => {
    await using till = await shop({ order: () => undefined })
    expect((await till.press()).text).toContain('or answer the request itself')
  })
})
