/**
 * What a browser sends for the page of another site, and what it sends for a page of the gateway's own.
 *
 * The headers are those that Fetch Metadata Request Headers (section 2.3), RFC 6454 (section 7.3) and RFC 9110 (section 7.2) prescribe;
 * pages.browser.soak.test.ts sees Chromium send them.
 *
 * @module
 */
import { encodeForm } from '@tillkit/signing'
import { request } from 'undici'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFakeGateway, type FakeGateway, type ListenOptions } from '../src/index.js'
import { call, card, customer, prepare, send } from './signed-request.js'

let gateway: FakeGateway
/** Scheme, host and port that it listens on. */
let here: string
beforeEach(() => open())
afterEach(() => gateway.close())

async function open(options: ListenOptions = {}) {
  await gateway?.close()
  gateway = createFakeGateway()
  here = `http://127.0.0.1:${(await gateway.listen(options)).port}`
}

const money = { clientOrderId: 'o-1', amount: '18.00', currency: 'EUR', ...customer }
const books = () => gateway.orders.list().map(({ clientOrderId, stages }) => [clientOrderId, stages[0]?.status])
const rebound = 'attacker.example:4010'

/** Of a page that is not the gateway's. */
const strangers: [string, Record<string, string>][] = [
  ['another site', { origin: 'https://attacker.example', 'sec-fetch-site': 'cross-site' }],
  ['another site, in a browser without Sec-Fetch-Site', { origin: 'https://attacker.example' }],
  ['another port of this machine', { origin: 'http://127.0.0.1:3000', 'sec-fetch-site': 'same-site' }],
  ['a sandboxed frame, which has no origin', { origin: 'null' }],
  ['a name that was given the address of this machine', { origin: `http://${rebound}`, host: rebound }],
  ['such a name that the browser trusts', { host: rebound, 'sec-fetch-site': 'same-origin' }],
]

describe('an operation that a browser sends', () => {
  it.each(strangers)('makes no order for a page of %s', async (_, headers) => {
    const prepared = await prepare(gateway, 'sale', { ...money, ...card })
    const { status, reply } = await send(gateway, { ...prepared, headers: { ...prepared.headers, ...headers } })
    expect(status).toBe(403)
    expect(reply['error-message']).toContain('Operations are for servers')
    expect(books()).toEqual([])
    expect(gateway.calls()).toMatchObject([{ verdict: 'refused', operation: 'sale' }])
  })

  it.each([
    ['no header of a browser', {}],
    ['another name for this machine', { host: 'gateway.internal:4010' }],
    ['the mode that fetch of Node.js writes', { 'sec-fetch-mode': 'cors' }],
  ])('is carried out for a server that sends %s', async (_, headers) => {
    const prepared = await prepare(gateway, 'sale', { ...money, ...card })
    await send(gateway, { ...prepared, headers: { ...prepared.headers, ...headers } })
    expect(books()).toEqual([['o-1', 'approved']])
  })
})

const typedCard = {
  credit_card_number: '4444444444444448',
  card_printed_name: 'ADA LOVELACE',
  expire_month: '12',
  expire_year: '2099',
  cvv2: '123',
}

async function post(url: string, form: Record<string, string>, headers: Record<string, string>) {
  const { statusCode, body } = await request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: encodeForm(Object.entries(form)),
  })
  return { status: statusCode, html: await body.text() }
}

async function formOf() {
  const prepared = await prepare(gateway, 'saleForm', { ...money, redirectUrl: 'http://127.0.0.1:9/back' })
  const { pathname } = prepared.url
  const { reply } = await send(gateway, { ...prepared, url: new URL(`${here}${pathname}`) })
  return reply['redirect-url'] ?? ''
}

describe('a hosted form that a browser sends', () => {
  it.each(strangers)('is only shown where the page of %s sent it', async (_, headers) => {
    const url = await formOf()
    for (const typed of [typedCard, { cancel: '1' }]) {
      const page = await post(url, typed, headers)
      expect([page.status, page.html.includes('Pay 18.00 EUR')]).toEqual([200, true])
      expect(page.html).not.toContain('another look')
    }
    expect(books()).toEqual([['o-1', 'processing']])
  })

  it.each([
    ['its own origin', () => ({ origin: here, 'sec-fetch-site': 'same-origin' })],
    ['its own origin, in a browser without Sec-Fetch-Site', () => ({ origin: here })],
    ['its origin kept to itself', () => ({ origin: 'null', 'sec-fetch-site': 'same-origin' })],
    ['no header at all, like a program', () => ({})],
  ])('is paid from the page of the gateway with %s', async (_, headers) => {
    await post(await formOf(), typedCard, headers())
    expect(books()).toEqual([['o-1', 'approved']])
  })

  it.each([
    ['passes the name on', { host: 'gate.tests.example' }],
    ['writes the name of this machine', {}],
  ])('is paid under a public origin whose proxy %s', async (_, host) => {
    const publicOrigin = 'https://gate.tests.example'
    await open({ publicOrigin })
    const { href, origin: shown } = new URL(await formOf())
    expect(shown).toBe(publicOrigin)
    await post(href.replace(publicOrigin, here), typedCard, { ...host, origin: publicOrigin })
    expect(books()).toEqual([['o-1', 'approved']])
  })
})

describe('the page of the bank', () => {
  /** The order at its challenge: where the code is typed, and what a shop posts there. */
  async function challenge() {
    const { reply } = await call(gateway, 'sale', { ...money, ...card, cvv2: '321' })
    const ids = { clientOrderId: 'o-1', orderId: reply['paynet-order-id'] ?? '' }
    await call(gateway, 'uploadMethodUrlResult', { ...ids, threeDSCompInd: 'N' })
    const shown = (await call(gateway, 'status', ids)).reply
    const fields = { creq: shown['tds-creq-form-creq'] ?? '', TermUrl: 'http://127.0.0.1:9/term' }
    return { url: shown['tds-creq-form-acs-url'] ?? '', fields }
  }

  it.each(strangers)('takes the customer from, and no code from, a page of %s', async (_, headers) => {
    const { url, fields } = await challenge()
    expect((await post(url, fields, headers)).html).toContain('Code from your bank')
    for (const typed of [{ password: 'hint' }, { cancel: '1' }]) {
      const page = await post(url, { ...fields, ...typed }, headers)
      expect(page.status).toBe(400)
      expect(page.html).toContain('The page of another site sent this')
    }
  })

  it('takes the code from its own page', async () => {
    const { url, fields } = await challenge()
    const page = await post(url, { ...fields, password: 'hint' }, { origin: here, 'sec-fetch-site': 'same-origin' })
    expect(page.html).toContain('name="cres"')
  })
})
