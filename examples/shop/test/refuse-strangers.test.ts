import { createHash } from 'node:crypto'
import { request } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Running, start } from '../src/start.js'

/** Behind a proxy: customers reach the shop at an address that nothing in its process listens at. */
const publicAddress = new URL('https://shop.example/')
let running: Running
let errors: unknown[] = []
beforeAll(async () => {
  running = await start({ processingTime: 0, publicAddress, onError: error => errors.push(error) })
})
beforeEach(() => {
  errors = []
})
afterAll(() => running.close())

interface Sent {
  readonly path?: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly fields?: Readonly<Record<string, string>>
}

/** One request as a browser or a program writes it: `fetch` would write `Host` by itself. */
function ask({ path = '/orders', method = 'POST', headers = {}, fields = basket }: Sent) {
  const type = method === 'POST' ? { 'content-type': 'application/x-www-form-urlencoded' } : {}
  return new Promise<{ status: number | undefined; location: string | undefined; text: string }>((resolve, reject) => {
    const sending = request(new URL(path, running.shop), {
      method,
      headers: { host: 'shop.example', ...type, ...headers },
    })
    sending.on('error', reject).on('response', answer => {
      let text = ''
      answer.setEncoding('utf8').on('data', chunk => {
        text += chunk
      })
      answer.on('end', () => resolve({ status: answer.statusCode, location: answer.headers.location, text }))
    })
    sending.end(method === 'POST' ? new URLSearchParams(fields).toString() : undefined)
  })
}

const basket = { product: 'morning-cup', kind: 'sale' }
const card = { number: '4444444444444448', name: 'ADA', month: '12', year: '2099', cvv2: '111', ticket: 't-1' }
const own = 'https://shop.example'

/** An order that is paid, at the gateway's page. */
async function paidOrder() {
  const { location = '' } = await ask({})
  const clientOrderId = (await running.orders.latest(1))[0]?.id ?? ''
  const payment = { credit_card_number: '4444444444444448', card_printed_name: 'ADA', cvv2: '123' }
  const body = new URLSearchParams({ ...payment, expire_month: '12', expire_year: '2099' })
  const back = await (await fetch(location, { method: 'POST', body })).text()
  return { clientOrderId, back: new URL(/action="([^"]+)"/.exec(back)?.[1] ?? '') }
}

/** How many requests about money the gateway has had. */
const moved = () =>
  (['sale', 'saleForm', 'capture', 'return', 'void'] as const).flatMap(name => running.gateway.calls(name)).length

const orderIds = async () => (await running.orders.latest(1_000)).map(({ id }) => id)

describe('a form of another site', () => {
  const sender = { origin: 'https://evil.example' }

  it.each([
    ['buys nothing', '/orders', basket],
    ['pays nothing on the card form', '/pay-here/morning-cup', card],
  ])('%s', async (_what, path, fields) => {
    const before = { orders: await orderIds(), moved: moved() }
    const { status, text } = await ask({ path, fields, headers: sender })
    expect(status).toBe(403)
    expect(text).toContain('Sent from another site')
    expect(text).toContain('We did not take it.')
    expect(text).toContain('href="https://shop.example/"')
    expect(text).not.toContain('evil.example')
    expect({ orders: await orderIds(), moved: moved() }).toEqual(before)
    expect(errors).toHaveLength(1)
    expect(String(errors[0])).toContain('Origin "https://evil.example"')
  })

  let paying: ReturnType<typeof paidOrder> | undefined
  it.each([
    '/merchant/orders/ID/return',
    '/merchant/orders/ID/capture',
    '/merchant/orders/ID/void',
    '/merchant/orders/ID/ask',
    '/orders/ID/pay',
  ])('presses no button: %s', async button => {
    paying ??= paidOrder()
    const { clientOrderId } = await paying
    const before = moved()
    const { status } = await ask({
      path: button.replace('ID', clientOrderId),
      fields: { click: 'k-1' },
      headers: sender,
    })
    expect(status).toBe(403)
    expect(moved()).toBe(before)
  })
})

describe('who sent a form', () => {
  it.each([
    ['a page of the shop', { origin: own, 'sec-fetch-site': 'same-origin' }, 303],
    ['a page of the shop, in a browser without Sec-Fetch-Site', { origin: own }, 303],
    ['the shop over http', { origin: 'http://shop.example' }, 403],
    ['another port', { origin: 'https://shop.example:8443' }, 403],
    ['a name that begins like ours', { origin: 'https://shop.example.evil.example' }, 403],
    ['a neighbour below one domain', { origin: 'https://blog.shop.example', 'sec-fetch-site': 'same-site' }, 403],
    ['a browser that keeps the origin of our page to itself', { origin: 'null', 'sec-fetch-site': 'same-origin' }, 303],
    ['a sandboxed frame', { origin: 'null', 'sec-fetch-site': 'cross-site' }, 403],
    ['an unknown page, with an origin of null', { origin: 'null' }, 403],
    ['another site, the origin taken away', { 'sec-fetch-site': 'cross-site' }, 403],
    ['our page, the origin taken away', { 'sec-fetch-site': 'same-origin' }, 303],
    ['the person themselves', { 'sec-fetch-site': 'none' }, 303],
    ['a program that is no browser', {}, 303],
  ])('%s', async (_who, headers, status) => {
    expect((await ask({ headers })).status).toBe(status)
  })
})

describe('another name for the shop (DNS rebinding)', () => {
  const rebound = { host: 'evil.example', 'sec-fetch-site': 'same-origin' }

  it.each(['/', '/orders/T1', '/orders/T1/version', '/merchant/orders/T1', '/pay-here/morning-cup'])(
    'reads nothing at %s',
    async path => {
      const { status, text } = await ask({ path, method: 'GET', headers: rebound })
      expect(status).toBe(403)
      expect(text).toContain('The shop is at https://shop.example/')
    },
  )

  it('sends no form, whatever it says of the name in other headers', async () => {
    const more = { origin: own, 'x-forwarded-host': 'shop.example', forwarded: 'host=shop.example' }
    const before = moved()
    expect((await ask({ headers: { ...rebound, ...more } })).status).toBe(403)
    expect(moved()).toBe(before)
  })

  it('is told by the public address, not by where the shop listens', async () => {
    expect((await ask({ path: '/', method: 'GET', headers: { host: running.shop.host } })).status).toBe(403)
    expect((await ask({ path: '/', method: 'GET', headers: { host: 'SHOP.example' } })).status).toBe(200)
  })
})

describe('what the gateway and banks post', () => {
  const crossSite = { origin: 'https://gate.example', 'sec-fetch-site': 'cross-site' }

  it('comes back from the hosted page', async () => {
    const { back, clientOrderId } = await paidOrder()
    expect(back.origin).toBe(own)
    const { status, location = '' } = await ask({ path: back.pathname, headers: crossSite, fields: {} })
    expect([status, location.split('/', 3)]).toEqual([303, ['', 'payments', 'payment']])
    const onward = await ask({ path: location, method: 'GET', headers: crossSite })
    expect([onward.status, onward.location]).toEqual([303, `/orders/${clientOrderId}`])
  })

  it('comes back from the bank to 3DS', async () => {
    const { location = '' } = await ask({
      path: '/pay-here/morning-cup',
      fields: { ...card, ticket: 't-bank' },
      headers: { origin: own },
    })
    const { pathname, href } = new URL(location)
    const answer = await ask({ path: pathname, headers: { ...crossSite, origin: 'null' }, fields: { cres: 'e30' } })
    expect([answer.status, answer.location]).toEqual([303, href])
  })

  it('reaches the callback, which is judged by its control value', async () => {
    const { clientOrderId } = await paidOrder()
    const { orderId = '' } = (await running.till.payment(clientOrderId)).orders[0] ?? {}
    const { controlKey } = running.gateway.clientOptions
    const control = createHash('sha1').update(`approved${orderId}${clientOrderId}${controlKey}`).digest('hex')
    const fields = { status: 'approved', orderid: orderId, merchant_order: clientOrderId, control }
    const headers = { ...crossSite, host: '10.0.0.7' }
    expect((await ask({ path: '/payments/callback', headers, fields })).status).toBe(200)
    const forged = { ...fields, control: 'f'.repeat(40) }
    expect((await ask({ path: '/payments/callback', headers, fields: forged })).status).toBe(403)
  })
})
