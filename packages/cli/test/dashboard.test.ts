import { createHash } from 'node:crypto'
import { encodeForm } from '@tillkit/signing'
import {
  type ClientOptions,
  type FakeGateway,
  type FaultName,
  faultTable,
  payAsCustomer,
  testCard,
} from '@tillkit/testing'
import { request } from 'undici'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { call, customer, pay } from '../../testing/test/signed-request.js'
import { createGateway } from '../src/index.js'
import { until } from './until.js'

let gateway: FakeGateway
let origin: string
let controlOrigin: string | undefined
beforeEach(async () => {
  gateway = createGateway({ controlKey: 'K-secret' })
  ;({ origin, controlOrigin } = await gateway.listen())
})
afterEach(() => gateway.close())

async function open(path: string, headers: Record<string, string> = {}) {
  const answer = await request(`${origin}/__gateway/${path}`, { headers })
  return { status: answer.statusCode, headers: answer.headers, html: await answer.body.text() }
}

async function press(button: string, form: Record<string, string>, headers: Record<string, string> = {}) {
  const answer = await request(`${origin}/__gateway/do/${button}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: encodeForm(Object.entries(form)),
  })
  return { status: answer.statusCode, location: answer.headers.location, html: await answer.body.text() }
}

describe('the dashboard', () => {
  it('runs and loads nothing but the style sheet and the script it carries', async () => {
    const { headers, html } = await open('')
    const hash = (tag: string) => {
      const text = new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(html)?.[1] ?? ''
      return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
    }
    expect(String(headers['content-security-policy']).split('; ')).toEqual([
      "default-src 'none'",
      `style-src ${hash('style')}`,
      `script-src ${hash('script')}`,
      'img-src data:',
      "connect-src 'self'",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ])
    expect(headers['cache-control']).toBe('no-store')
    expect(html).not.toMatch(/ (style|on\w+)="/)
  })

  it('is where the address of the gateway leads, on the port that no fault closes', async () => {
    const answer = await request(origin, { headers: { accept: 'text/html,*/*;q=0.8' } })
    expect([answer.statusCode, answer.headers.location]).toEqual([303, `${controlOrigin}/__gateway/`])
  })

  it("leads by the shop's id of an order to its page, as the control API finds it", async () => {
    const { reply } = await pay(gateway, 'sale', { clientOrderId: 'order 3/a' })
    const answer = await request(`${controlOrigin}/__gateway/orders/order%203%2Fa`)
    expect([answer.statusCode, answer.headers.location]).toEqual([
      303,
      `/__gateway/orders/${reply['paynet-order-id'] ?? ''}`,
    ])
    for (const [id, status] of Object.entries({ 'order-4': 404, '%zz': 400 })) {
      expect((await request(`${controlOrigin}/__gateway/orders/${id}`)).statusCode).toBe(status)
    }
  })

  it('is named in JSON to a program that asks at the address of the gateway', async () => {
    const answer = await request(origin)
    expect([answer.statusCode, answer.headers.vary]).toEqual([200, 'accept'])
    const { baseUrl, dashboard, control } = (await answer.body.json()) as Record<string, string>
    expect(baseUrl).toBe(gateway.clientOptions.baseUrl.href)
    expect((await request(dashboard ?? '')).statusCode).toBe(200)
    expect((await request(control ?? '')).statusCode).toBe(200)
  })

  it('answers under every fault, and says of each what it does before it is armed', async () => {
    const before = (await open('')).html.replaceAll('&#39;', "'")
    await gateway.close()
    for (const [fault, { does }] of Object.entries(faultTable)) {
      expect(before).toContain(does)
      gateway = createGateway()
      const { controlOrigin = '', origin: gatewayOrigin } = await gateway.listen()
      origin = gatewayOrigin
      const { status, location } = await press('armFault', { fault, page: '' })
      expect([fault, status]).toEqual([fault, 303])
      const after = await request(new URL(String(location), gatewayOrigin))
      expect([fault, after.statusCode]).toEqual([fault, 200])
      expect((await request(`${controlOrigin}/__gateway/api/faults`)).statusCode).toBe(200)
      await gateway.close()
    }
  })

  it('has a fault chosen that closes nothing and moves no money, and opens a port that another one closed', async () => {
    const [, chosen = ''] = /value="([^"]+)"[^>]* checked>/.exec((await open('')).html) ?? []
    expect(faultTable[chosen as FaultName]).toMatchObject({ at: 'callback', effect: 'other' })
    const { location } = await press('armFault', { fault: 'refuse-connection', page: '' })
    await expect(request(origin)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    const page = await (await request(String(location))).body.text()
    expect(page).toContain('Disarm all and open the port')
    const clear = new URL('do/clearFaults', String(location))
    expect((await request(clear, { method: 'POST' })).statusCode).toBe(303)
    const answered = async () => (await request(origin).catch(() => undefined))?.statusCode
    await until(async () => (await answered()) === 200)
  })

  it('disarms one fault and leaves the others', async () => {
    gateway.faults.arm('drop')
    gateway.faults.arm('callback-never')
    const [first] = gateway.faults.armed()
    expect((await open('')).html).toContain(`value="${first?.number}" aria-label="Disarm drop`)
    expect((await press('disarmFault', { number: String(first?.number), page: '' })).status).toBe(303)
    expect(gateway.faults.armed()).toMatchObject([{ fault: 'callback-never' }])
    expect((await press('disarmFault', { number: String(first?.number), page: '' })).status).toBe(404)
  })

  it.each([
    ['The answer is lost after the money moved', ['commit-then-drop']],
    ['Callback twice', ['callback-twice']],
    ['Callback before the answer', ['callback-before-answer']],
    ['Ten seconds late', ['slow-body']],
  ])('arms what the sentence "%s" says', async (preset, faults) => {
    expect((await press('armPreset', { preset })).status).toBe(303)
    expect(gateway.faults.armed().map(({ fault }) => fault)).toEqual(faults)
  })

  it('has a bank say no, then yes', async () => {
    await press('armPreset', { preset: 'Bank says no, then yes' })
    await pay(gateway, 'sale', { clientOrderId: 'o-1' })
    expect(gateway.orders.list()[0]?.stages).toMatchObject([{ status: 'declined' }])
    await gateway.clock.advance(10_000)
    expect(gateway.orders.list()[0]?.stages).toMatchObject([{ status: 'approved' }])
  })

  it('ends a form, whose page takes no card then', async () => {
    await gateway.close()
    gateway = createGateway({ formLifetime: 3_600_000 })
    origin = (await gateway.listen()).origin
    const form = { amount: '10.00', currency: 'EUR', ...customer, redirectUrl: 'http://127.0.0.1:9/back' }
    const { reply } = await call(gateway, 'saleForm', { clientOrderId: 'o-1', ...form })
    const id = reply['paynet-order-id'] ?? ''
    expect((await open(`orders/${id}`)).html).toContain('The form for the customer ends in <time')
    expect((await press('actOnOrder', { id, action: 'end-form', page: `orders/${id}` })).status).toBe(303)
    const { html } = await open(`orders/${id}`)
    expect(html).toContain('Its form ended')
    expect(html).toContain('The form was ended by hand')
    expect(html).not.toContain('Open the page that waits for the customer')
    await payAsCustomer(reply['redirect-url'] ?? '', { gateway })
    expect(gateway.orders.find(id)?.stages).toMatchObject([{ status: 'processing' }])
  })

  it('arms a fault with its number of questions', async () => {
    await press('armFault', { fault: 'callback-before-status', questions: '2', page: '' })
    expect(gateway.faults.armed()).toMatchObject([{ fault: 'callback-before-status', questions: 2 }])
    expect((await press('armFault', { fault: 'drop', questions: '2', page: '' })).status).toBe(400)
  })

  it('leads from what is not possible back to the page of the button', async () => {
    const { reply } = await pay(gateway, 'sale', { clientOrderId: 'o-1' })
    const id = String(reply['paynet-order-id'])
    const { status, html } = await press('actOnOrder', { id, action: 'approve', page: `orders/${id}` })
    expect(status).toBe(409)
    expect(html).toContain(`<a href="/__gateway/orders/${id}">Back</a>`)
  })

  it('has landmarks, one first heading, and no heading level left out', async () => {
    const { reply } = await pay(gateway, 'sale', { clientOrderId: 'o-1' })
    for (const path of ['', `orders/${reply['paynet-order-id']}`, 'calls/1']) {
      const { html } = await open(path)
      expect(html).toMatch(/<html lang="en">[\s\S]*<header>[\s\S]*<main id="content">/)
      const levels = [...html.matchAll(/<h([1-6])/g)].map(([, level]) => Number(level))
      expect(levels.filter(level => level === 1)).toEqual([1])
      expect(levels.every((level, index) => level - (levels[index - 1] ?? 0) <= 1)).toBe(true)
    }
  })

  it('goes back to the page whose button was pressed, and nowhere else', async () => {
    const { reply } = await pay(gateway, 'sale', { clientOrderId: 'o-1' })
    const id = reply['paynet-order-id'] ?? ''
    const acted = await press('actOnOrder', { id, action: 'charge-back', page: `orders/${id}` })
    expect([acted.status, acted.location]).toEqual([303, `/__gateway/orders/${id}?done=actOnOrder`])
    for (const page of ['https://attacker.example/', '//attacker.example', '../../', 'orders/1?x=y']) {
      expect((await press('clearFaults', { page })).location).toBe('/__gateway/?done=clearFaults')
    }
  })

  it("plays the gateway's own people: equal movements that nothing tells apart, and a correction of any of them", async () => {
    gateway.faults.arm({ fault: 'amount-later', delay: 60_000 })
    const { reply } = await pay(gateway, 'sale', { clientOrderId: 'o-1' })
    const id = reply['paynet-order-id'] ?? ''
    expect((await open(`orders/${id}`)).html).toContain('Status shows the amount of the sale')
    for (const toldApartBy of ['nothing', 'nothing', 'codes']) {
      await press('actOnOrder', { id, action: 'reverse', amount: '2.00', toldApartBy })
    }
    await press('actOnOrder', { id, action: 'correct', status: 'declined', stage: '2' })
    const { html } = await open(`orders/${id}`)
    expect(html.split('Nothing tells it apart from an equal one.')).toHaveLength(3)
    expect(html.split('its RRN and its approval code tell it apart.')).toHaveLength(2)
    expect(html).toContain('Corrected by hand: the reversal was approved.')
    const stages = gateway.orders.find(id)?.stages.map(({ stage, amount, status }) => `${stage} ${amount} ${status}`)
    expect(stages).toEqual([
      'sale 10.00 approved',
      'reversal 2.00 declined',
      'reversal 2.00 approved',
      'reversal 2.00 approved',
    ])
  })

  it('says what was done, and repeats nothing that the address says', async () => {
    expect((await open('?done=armFault')).html).toContain('<p class="notice" role="status">The fault is armed.</p>')
    for (const done of ['listOrders', 'toString', '<b>']) {
      expect((await open(`?done=${encodeURIComponent(done)}`)).html).not.toContain('class="notice"')
    }
  })

  it('leads from the address above the requests to the list of them', async () => {
    const { status, headers } = await open('calls')
    expect([status, headers.location]).toEqual([303, '/__gateway/requests'])
  })

  it('groups the digits of its counts, and says where the log dropped requests', async () => {
    await gateway.close()
    gateway = createGateway({ maxCalls: 1_001 })
    origin = (await gateway.listen()).origin
    // Without sockets, which take most of the time.
    const { dispatcher } = gateway
    const ask = () =>
      request(`${gateway.clientOptions.baseUrl}x`, { method: 'POST', dispatcher }).then(({ body }) => body.dump())
    await Promise.all(Array.from({ length: 1_000 }, ask))
    const before = (await open('')).html
    expect(before).toContain('1,000 requests, ')
    expect(before).not.toContain('The log keeps')
    for (let sent = 0; sent < 2; sent += 1) await ask()
    const after = (await open('')).html
    expect(after).toContain('1,001 requests, ')
    expect(after).toContain('The log keeps the latest 1,001 requests.')
  })

  it.each([
    ['orders/1', 404],
    ['orders/x', 404],
    ['calls/1', 404],
    ['calls/01', 404],
    ['nothing', 404],
    ['do/reset', 404],
  ])('has no page at %s', async (path, status) => {
    const page = await open(path)
    expect(page.status).toBe(status)
    expect(page.html).toContain('Nothing is at this address')
  })

  it('lists on the page of an order its own requests, and links each request to its order', async () => {
    const [first, second] = [
      await pay(gateway, 'sale', { clientOrderId: 'o-1' }),
      await pay(gateway, 'sale', { clientOrderId: 'o-2' }),
    ]
    const [one = '', two = ''] = [first, second].map(({ reply }) => reply['paynet-order-id'])
    await call(gateway, 'capture', { clientOrderId: 'o-2', orderId: two })
    const page = await open(`orders/${two}`)
    const calls = [...page.html.matchAll(/href="\/__gateway\/calls\/(\d+)"/g)].map(([, number]) => number)
    expect(calls).toEqual(['2', '3'])
    expect((await open('calls/1')).html).toContain(`href="/__gateway/orders/${one}">o-1</a>`)
    expect((await open('calls/3')).html).toContain(`href="/__gateway/orders/${two}">o-2</a>`)
  })

  it('keeps the orders and requests of several merchants apart', async () => {
    await gateway.close()
    const merchants = [
      { login: 'north', controlKey: 'N-secret', endpoints: [39] },
      { login: 'south', controlKey: 'S-secret', endpoints: [40], groups: [7] },
    ]
    gateway = createGateway({ merchants })
    origin = (await gateway.listen()).origin
    await pay(gateway, 'sale', { clientOrderId: 'same' })
    const clientOptions = gateway.clientOptionsFor({ login: 'south' }) as ClientOptions
    await pay({ ...gateway, clientOptions }, 'sale', { clientOrderId: 'same' })
    const [first, second] = gateway.orders.list()
    const callsOn = async (id = '') => (await open(`orders/${id}`)).html.match(/(?<=__gateway\/calls\/)\d+/g)
    expect([await callsOn(first?.orderId), await callsOn(second?.orderId)]).toEqual([['1'], ['2']])
    const { html } = await open('calls/2')
    expect(html).toContain('login <code>south</code>, endpoint <code>40</code>, group <code>7</code>')
    expect(html).toContain('>40same1000ada@shop.test&lt;control key&gt;</pre>')
    expect(html).not.toContain('S-secret')
  })

  it('leads to the bank where the gateway runs 3DS, and not where the shop must post to it', async () => {
    for (const threeDSecure of ['merchant', 'gateway'] as const) {
      await gateway.close()
      gateway = createGateway({ threeDSecure })
      origin = (await gateway.listen()).origin
      await pay(gateway, 'sale', { clientOrderId: 'o-1', cvv2: '321', redirectUrl: 'http://127.0.0.1:9/' })
      const { reply } = await call(gateway, 'status', { clientOrderId: 'o-1' })
      const { html } = await open(`orders/${reply['paynet-order-id']}`)
      const link = /<a href="([^"]*)">Open the page/.exec(html)?.[1]
      expect([threeDSecure, link]).toEqual([threeDSecure, reply['redirect-to']])
    }
  })

  it('has the buttons it shows and no others', async () => {
    for (const button of ['readGateway', 'listCalls', 'toString', '__proto__']) {
      expect((await press(button, {})).status).toBe(404)
    }
    expect((await press('armFault', { fault: 'fire' })).status).toBe(400)
    const { statusCode } = await request(`${origin}/__gateway/`, { method: 'DELETE' })
    expect(statusCode).toBe(405)
  })

  it('is shown to nobody under another name, and obeys no page of another site', async () => {
    const rebound = await open('', { host: 'attacker.example' })
    expect(rebound.status).toBe(403)
    gateway.faults.arm('drop')
    for (const headers of [{ origin: 'https://attacker.example' }, { 'sec-fetch-site': 'cross-site' }]) {
      expect((await press('clearFaults', {}, headers)).status).toBe(403)
    }
    expect(gateway.faults.armed()).toHaveLength(1)
    const reads = { 'sec-fetch-site': 'cross-site' }
    expect((await open('orders', { ...reads, 'sec-fetch-mode': 'no-cors' })).status).toBe(403)
    expect((await open('orders', { ...reads, 'sec-fetch-mode': 'navigate' })).status).toBe(200)
    const own = { origin, 'sec-fetch-site': 'same-origin' }
    expect((await press('clearFaults', {}, own)).status).toBe(303)
  })

  it('shows no card number, security code, expiry, key or control value', async () => {
    const { reply } = await pay(gateway, 'sale', {
      clientOrderId: 'o-1',
      orderDesc: `Card ${testCard} with K-secret`,
      merchantData: `K-secret ${testCard}`,
      notifyUrl: `http://127.0.0.1:9/${testCard}`,
      redirectUrl: `http://127.0.0.1:9/?${testCard}`,
    })
    await gateway.callbacks.idle()
    const pages = await Promise.all(['', `orders/${reply['paynet-order-id']}`, 'calls/1'].map(path => open(path)))
    const shown = pages.map(({ html }) => html).join()
    for (const secret of [testCard, 'K-secret', '>123<', '>2099<']) {
      // The codes of the sandbox are on the first page, each in a list.
      expect(shown.replaceAll(/<dt><code>\d+<\/code><\/dt>/g, '')).not.toContain(secret)
    }
    expect(shown).not.toMatch(/[0-9a-f]{40}/)
    expect(shown).toContain('444444******4448')
  })

  it('can be switched off', async () => {
    await gateway.close()
    gateway = createGateway({ dashboard: false })
    origin = (await gateway.listen()).origin
    const page = await open('')
    expect(page.status).toBe(404)
    expect(page.headers['content-type']).toBe('application/vnd.pay+json')
  })
})
