/** Everything that a merchant mounts, wherever and after whatever it is mounted. */
import { createHash } from 'node:crypto'
import type { StatusResponse } from '@tillkit/protocol'
import type { RequestHandler } from 'express'
import helmet from 'helmet'
import { describe, expect, it, vi } from 'vitest'
import type { OrderStatus, Rejection } from '../src/core.js'
import { customerReturn, receiveCallbacks, redirectToHostedForm } from '../src/index.js'
import { callbackQuery, controlKey, price } from './callback-desk.js'
import { type ExpressModule, serve, versions } from './serve.js'

const stateSecrets = [{ id: 'one', secret: 'the first secret, 32 bytes long.' }]
const formUrl = 'https://gate.example/form/1'

/** What comes before the merchant's routes. */
const parsers: readonly (readonly [string, (express: ExpressModule) => readonly RequestHandler[]])[] = [
  ['nothing', () => []],
  ['express.urlencoded, extended', express => [express.urlencoded({ extended: true })]],
  ['express.urlencoded, not extended', express => [express.urlencoded({ extended: false })]],
  ['express.json', express => [express.json()]],
  ['express.json and express.urlencoded', express => [express.json(), express.urlencoded({ extended: true })]],
  ['express.text', express => [express.text({ type: '*/*' })]],
  ['express.raw', express => [express.raw({ type: '*/*' })]],
  ['helmet', () => [helmet()]],
  ['helmet and express.urlencoded', express => [helmet(), express.urlencoded({ extended: true })]],
]

/** A merchant with every handler, behind a prefix that its proxy does not take away. */
async function merchant(express: ExpressModule, before: readonly RequestHandler[], prefix: string) {
  const client = {
    status: async (): Promise<StatusResponse> => {
      const ids = { clientOrderId: 'o-1', orderId: '77' }
      return { ...ids, status: 'approved', transactionType: 'sale', ...price, raw: {} }
    },
    saleForm: vi.fn(async (_request: { readonly redirectUrl?: string }) => ({ redirectUrl: formUrl, raw: {} })),
    baseUrl: 'https://gate.example/paynet',
  }
  const rejections: Rejection[] = []
  const told: OrderStatus['kind'][] = []
  const onRejected = (rejection: Rejection) => void rejections.push(rejection)
  const site = express()
  for (const each of before) site.use(each)
  site.all(
    '/callback',
    receiveCallbacks({
      merchant: { controlKeys: controlKey, client },
      onStatus: ({ kind }) => void told.push(kind),
      onRejected,
      interval: 0,
    }),
  )
  site.post(
    '/pay',
    redirectToHostedForm({
      client,
      stateSecrets,
      order: () => ({ clientOrderId: 'o-1', ...price, email: 'joan@customer.example' }),
      returnUrl: () => `${served.origin}${prefix}/return`,
    }),
  )
  site.all(
    '/return/:state',
    customerReturn({
      client,
      stateSecrets,
      controlKeys: controlKey,
      redirectTo: ({ view }) => `${prefix}/orders?view=${view}`,
      wait: async () => undefined,
      onRejected,
    }),
  )
  const app = express()
  app.use(prefix === '' ? '/' : prefix, site)
  const served = await serve(app)
  const go = async (address: string, fields?: string | Readonly<Record<string, string>>) => {
    const init = fields === undefined ? {} : { method: 'POST', body: new URLSearchParams(fields) }
    const response = await fetch(new URL(address, `${served.origin}${prefix}/`), { redirect: 'manual', ...init })
    return { status: response.status, location: response.headers.get('location'), text: await response.text() }
  }
  return {
    client,
    rejections,
    told,
    go,
    /** Where the customer comes back to. */
    returnUrl: async () => {
      await go('pay', { ticket: '1' })
      return client.saleForm.mock.calls.at(-1)?.[0].redirectUrl ?? ''
    },
    [Symbol.asyncDispose]: () => served[Symbol.asyncDispose](),
  }
}

/** What the gateway's page lets a browser post. */
function browserReturn(key = controlKey) {
  const said = { status: 'approved', orderid: '77', client_orderid: 'o-1', merchant_order: 'o-1' }
  return { ...said, control: createHash('sha1').update(`approved77o-1${key}`).digest('hex') }
}

const mounts = versions.flatMap(([version, express]) =>
  parsers.flatMap(([parser, make]) =>
    ['', '/shop/de'].map(prefix => ({ version, parser, prefix, express, before: make(express) })),
  ),
)

describe.each(mounts)('under $version after $parser, at "$prefix"', ({ express, before, prefix }) => {
  it('receiveCallbacks takes a query and a form, and refuses a forgery of either', async () => {
    await using till = await merchant(express, before, prefix)
    expect((await till.go('callback', callbackQuery())).status).toBe(200)
    expect((await till.go(`callback?${callbackQuery()}`)).status).toBe(200)
    expect(till.told).toEqual(['paid', 'paid'])
    expect((await till.go('callback', callbackQuery({}, 'another key'))).status).toBe(403)
    expect((await till.go(`callback?${callbackQuery({}, 'another key')}`)).status).toBe(403)
    expect((await till.go('callback', `${callbackQuery()}&status=approved`)).status).toBe(403)
    expect(till.rejections.map(({ reason }) => reason)).toEqual([
      'control-mismatch',
      'control-mismatch',
      'repeated-parameter',
    ])
  })

  it('redirectToHostedForm and customerReturn take a customer there and back', async () => {
    await using till = await merchant(express, before, prefix)
    expect(await till.go('pay', { ticket: '1' })).toMatchObject({ status: 303, location: formUrl })
    const returnUrl = await till.returnUrl()
    expect(new URL(returnUrl).pathname.startsWith(`${prefix}/return/`)).toBe(true)
    const location = `${prefix}/orders?view=paid`
    expect(await till.go(returnUrl, browserReturn())).toMatchObject({ status: 303, location })
    expect(till.rejections).toEqual([])
    expect(await till.go(returnUrl, browserReturn('another key'))).toMatchObject({ status: 303, location })
    expect(till.rejections.map(({ reason }) => reason)).toEqual(['control-mismatch'])
    expect((await till.go(`${returnUrl.slice(0, -8)}AAAAAAAA`, browserReturn())).status).toBe(403)
  })
})
