/** Everything that a merchant mounts, wherever and after whatever it is mounted. */
import { createHash } from 'node:crypto'
import { memoryStore, type ReceivedOutcome, type StatusResponse } from '@tillkit/protocol'
import type { RequestHandler } from 'express'
import helmet from 'helmet'
import { describe, expect, it, vi } from 'vitest'
import type { Rejection } from '../src/core.js'
import { customerReturn, receiveCallbacks, redirectToHostedForm, threeDSecure } from '../src/index.js'
import { callbackQuery, controlKey, price } from './callback-desk.js'
import { keepPayment, paymentsIn } from './kept-payments.js'
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
  const says: Partial<StatusResponse> = {}
  const store = memoryStore()
  const payments = paymentsIn(store)
  await keepPayment(payments)
  const upload = vi.fn(async (_request: object): Promise<unknown> => undefined)
  const client = {
    payments,
    status: async (): Promise<StatusResponse> => {
      const ids = { clientOrderId: 'o-1', orderId: '77' }
      return { ...ids, status: 'approved', transactionType: 'sale', ...price, ...says, raw: {} }
    },
    saleForm: vi.fn(async (_request: { readonly redirectUrl?: string }) => ({ redirectUrl: formUrl, raw: {} })),
    uploadMethodUrlResult: upload,
    uploadCresResult: upload,
    uploadParesResult: upload,
    baseUrl: 'https://gate.example/paynet',
  }
  const rejections: Rejection[] = []
  const told: ReceivedOutcome['kind'][] = []
  const onRejected = (rejection: Rejection) => void rejections.push(rejection)
  const onOutcome = ({ kind }: ReceivedOutcome) => void told.push(kind)
  const visit = {
    client,
    stateSecrets,
    controlKeys: controlKey,
    store,
    onOutcome,
    redirectTo: ({ view }: { readonly view: string }) => `${prefix}/orders?view=${view}`,
    polling: { attempts: 1, interval: 0 },
    onRejected,
  }
  const secure = threeDSecure({ ...visit, address: () => `${served.origin}${prefix}/3ds` })
  const site = express()
  for (const each of before) site.use(each)
  site.all(
    '/callback',
    receiveCallbacks({
      merchant: { controlKeys: controlKey, client },
      store,
      onOutcome,
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
  site.all('/return/:state', customerReturn(visit))
  site.use('/3ds', secure)
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
    upload,
    rejections,
    told,
    secure,
    go,
    statusSays: (own: Partial<StatusResponse>) => void Object.assign(says, own),
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
  it('receiveCallbacks takes a query and a form, tells once, and refuses a forgery of either', async () => {
    await using till = await merchant(express, before, prefix)
    expect((await till.go('callback', callbackQuery())).status).toBe(200)
    expect((await till.go(`callback?${callbackQuery()}`)).status).toBe(200)
    expect(till.told).toEqual(['paid'])
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
    expect([till.told, till.rejections]).toEqual([['paid'], []])
    expect(await till.go(returnUrl, browserReturn('another key'))).toMatchObject({ status: 303, location })
    expect(till.rejections.map(({ reason }) => reason)).toEqual(['control-mismatch'])
    expect((await till.go(`${returnUrl.slice(0, -8)}AAAAAAAA`, browserReturn())).status).toBe(403)
  })

  it('threeDSecure leads through the method and the challenge', async () => {
    await using till = await merchant(express, before, prefix)
    const address = await till.secure.addressOf('o-1')
    const tds = { status: 'processing', tdsServerTransId: 'trans-1' }
    till.statusSays({ ...tds, tdsStatus: 'MethodUrlFrame', tdsMethodUrl: 'https://acs.example/method' })
    expect((await till.go(address)).text).toContain('action="https://acs.example/method"')
    const data = Buffer.from('{"threeDSServerTransID":"trans-1"}').toString('base64url')
    await till.go(`${address}/notify`, { threeDSMethodData: data })
    const browser = { customer_browser_javascript_enabled: 'true', customer_browser_screen_width: '1280' }
    expect((await till.go(`${address}/method`, browser)).location).toBe(address)
    till.statusSays({
      ...tds,
      tdsStatus: 'CReqForm',
      tdsChallengeUrl: 'https://acs.example/challenge',
      tdsCreq: 'eyJhIjoxfQ',
    })
    expect((await till.go(address)).text).toContain('action="https://acs.example/challenge"')
    expect((await till.go(address, { cres: 'e30' })).location).toBe(address)
    expect(till.upload.mock.calls.map(([request]) => request)).toMatchObject([
      { threeDSCompInd: 'Y', browserJavascriptEnabled: true, browserScreenWidth: '1280' },
      { cres: 'e30', orderId: '77' },
    ])
    till.statusSays({ status: 'approved' })
    expect((await till.go(address)).location).toBe(`${prefix}/orders?view=paid`)
    expect(till.told).toEqual(['paid'])
  })
})
