/** A shop that signs one thing wrong, and what the page of its request says. Values are made by OpenSSL. */
import { createHash, createHmac } from 'node:crypto'
import { encodeForm, type Parameter } from '@tillkit/signing'
import { type FakeGateway, testCard } from '@tillkit/testing'
import { request } from 'undici'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { prepare, send } from '../../testing/test/signed-request.js'
import { createGateway } from '../src/index.js'

const controlKey = 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20'
let gateway: FakeGateway
let origin: string
beforeEach(() => {
  gateway = createGateway({ controlKey })
  origin = gateway.clientOptions.baseUrl.origin
})
afterEach(() => gateway.close())

/** OpenSSL's, by Node.js. */
const sha1 = (text: string): string => createHash('sha1').update(text).digest('hex')
const hmac = (text: string): string => createHmac('sha1', `${controlKey}&`).update(text).digest('base64')

const form = {
  client_orderid: 'order-7',
  order_desc: 'Bread',
  amount: '10.42',
  currency: 'EUR',
  email: 'ada@shop.test',
  credit_card_number: testCard,
  card_printed_name: 'ADA LOVELACE',
  expire_month: '12',
  expire_year: '2099',
  cvv2: '123',
}

async function sendSale(control: string, more: Record<string, string> = {}): Promise<string> {
  const body = encodeForm(Object.entries({ ...form, ...more, control }))
  const headers = { accept: 'application/vnd.pay+json', 'content-type': 'application/x-www-form-urlencoded' }
  const answer = await request(`${origin}/paynet/api/v2/sale/39`, {
    dispatcher: gateway.dispatcher,
    method: 'POST',
    headers,
    body,
  })
  expect([400, 401]).toContain(answer.statusCode)
  return pageOfCall()
}

async function pageOfCall(): Promise<string> {
  const { number } = gateway.calls().at(-1) ?? { number: 0 }
  const answer = await request(`${origin}/__gateway/calls/${number}`, { dispatcher: gateway.dispatcher })
  expect(answer.statusCode).toBe(200)
  return answer.body.text()
}

async function sendPayout(
  alter: (headers: Record<string, string>, baseString: string) => Record<string, string>,
  more: Record<string, string> = {},
) {
  const fields = {
    clientOrderId: 'p-1',
    amount: '10.42',
    currency: 'EUR',
    accountNumber: '12345678',
    orderDesc: 'Bread & tea',
    ...more,
  }
  const { url, headers, parameters } = await prepare(gateway, 'payout', fields)
  const protocol = [...(headers.authorization ?? '').matchAll(/(oauth_\w+)="([^"]*)"/g)]
    .map(([, name = '', value = '']): Parameter => [name, decodeURIComponent(value)])
    .filter(([name]) => name !== 'oauth_signature')
  const covered = [...parameters, ...protocol].map(pair => pair.map(encodeURIComponent).join('=')).sort()
  const baseString = ['POST', url.href, covered.join('&')].map(encodeURIComponent).join('&')
  const answer = await send(gateway, { url, headers: alter(headers, baseString), parameters, evidence: [] })
  return { answer, baseString }
}

const signedOver = (headers: Record<string, string>, baseString: string) => ({
  ...headers,
  authorization: (headers.authorization ?? '').replace(
    /oauth_signature="[^"]*"/,
    `oauth_signature="${encodeURIComponent(hmac(baseString))}"`,
  ),
})

/** The cells of a line: what was signed, and what is expected. */
const line = (page: string, name: string): string[] => {
  const [, row = ''] = new RegExp(`<code>${name}</code></th>(.*)</tr>`).exec(page) ?? []
  return [...row.matchAll(/<td[^>]*>(.*?)<\/td>/g)].map(([, cell = '']) => cell)
}

describe('the page of a request whose control value covers one thing else', () => {
  it('puts both sides beside each other, and lights the first character that differs', async () => {
    const page = await sendSale(sha1(`39order-710.42ada@shop.test${controlKey}`))
    expect(line(page, 'amount')).toEqual(['<code>10<mark>.</mark>42</code>', '<code>10<mark>4</mark>2</code>'])
    expect(page).toContain('amount, character 3: “.” was signed, “4” is expected.')
    expect(line(page, 'clientOrderId')).toEqual(['<code>order-7</code>', '<code>order-7</code>'])
    expect(page.match(/<span class="said">differs<\/span>/g)).toHaveLength(1)
    expect(page).toMatch(/The likely mistake:<\/strong> amount: [^<]*10\.42/)
    expect(page).toMatch(/What to do:<\/strong> [^<]*minor units/)
    expect(page).toContain('39order-71042ada@shop.test&lt;control key&gt;')
  })

  it.each([
    ['order-7 ', 'order-7<mark>⟨space⟩</mark>', 'order-7<mark>⟨end⟩</mark>'],
    ['ORDER-7', '<mark>O</mark>RDER-7', '<mark>o</mark>rder-7'],
  ])('shows what has no shape: %j', async (signed, theirs, ours) => {
    const page = await sendSale(sha1(`39${signed}1042ada@shop.test${controlKey}`))
    expect(line(page, 'clientOrderId')).toEqual([`<code>${theirs}</code>`, `<code>${ours}</code>`])
  })

  it('says that the key is another one where it may be, and marks no item then', async () => {
    const page = await sendSale(sha1('39order-71042ada@shop.testANOTHER-KEY'))
    expect(page).toContain('No single common mistake makes this signature')
    expect(page).not.toContain('class="said"')
    expect(line(page, 'amount')).toEqual(['<code>1042</code>'])
  })

  it('has no secret in it', async () => {
    const page = await sendSale(sha1(`39order-710.42ada@shop.test${controlKey}`))
    for (const secret of [controlKey, testCard, sha1(`39order-71042ada@shop.test${controlKey}`)]) {
      expect(page).not.toContain(secret)
    }
  })

  it.each(Object.keys(form))('writes markup in %s as text', async name => {
    const markup = `<img src=x onerror=alert(1)>"'&`
    const page = await sendSale(sha1('nothing'), { [name]: markup })
    expect(page).not.toContain('<img')
  })

  it('writes markup in names and in the path as text', async () => {
    const markup = '<img src=x onerror=alert(1)>'
    expect(await sendSale(sha1('nothing'), { [markup]: 'x' })).not.toContain('<img')
    await request(`${origin}/paynet/api/v2/sale/${encodeURIComponent(markup)}`, {
      dispatcher: gateway.dispatcher,
      method: 'POST',
      body: 'a=b',
    })
    expect(await pageOfCall()).not.toContain('<img')
  })
})

describe('the page of a request whose OAuth signature is wrong', () => {
  it('names values that were encoded twice before they were joined', async () => {
    const { answer } = await sendPayout((headers, baseString) =>
      signedOver(headers, baseString.replace('Bread%2520%2526%2520tea', 'Bread%252520%252526%252520tea')),
    )
    expect(answer.status).toBe(401)
    const page = await pageOfCall()
    expect(page).toMatch(/The likely mistake:<\/strong> [^<]*encodes names and values twice/)
    expect(page).toMatch(/What to do:<\/strong> [^<]*once/)
    expect(line(page, 'method')).toEqual(['<code>POST</code>', '<code>POST</code>'])
    expect(line(page, 'order_desc')).toEqual([
      '<code>order_desc%3DBread%252<mark>5</mark>20%252526%252520tea</code>',
      '<code>order_desc%3DBread%252<mark>0</mark>%2526%2520tea</code>',
    ])
  })

  it('names parameters that were encoded once more after they were joined', async () => {
    await sendPayout((headers, baseString) => {
      const [method, address, parameters = ''] = baseString.split('&')
      return signedOver(headers, [method, address, encodeURIComponent(parameters)].join('&'))
    })
    const page = await pageOfCall()
    expect(page).toMatch(/The likely mistake:<\/strong> [^<]*or the joined text twice/)
    expect(page).toMatch(/What to do:<\/strong> [^<]*once/)
  })

  it('marks one parameter that was left out, and no other', async () => {
    await sendPayout((headers, baseString) => signedOver(headers, baseString.replace('currency%3DEUR%26', '')))
    const page = await pageOfCall()
    expect(line(page, 'currency')).toEqual([
      '<span class="soft">not covered</span>',
      '<code><mark>c</mark>urrency%3DEUR</code>',
    ])
    expect(page.match(/<span class="said">differs<\/span>/g)).toHaveLength(1)
  })

  it('lays out line by line what it covers where nothing explains the signature, such as another nonce', async () => {
    const { answer, baseString } = await sendPayout((headers, baseString) =>
      signedOver(headers, baseString.replace(/oauth_nonce%3D[^%]*/, 'oauth_nonce%3Danother')),
    )
    expect(answer.status).toBe(401)
    const page = await pageOfCall()
    expect(page).toContain('No single common mistake makes this signature')
    const [, nonce = '?'] = /oauth_nonce%3D([^%]*)/.exec(baseString) ?? []
    expect(line(page, 'oauth_nonce')).toEqual([`<code>oauth_nonce%3D${nonce}</code>`])
    expect(line(page, 'address')).toEqual([`<code>${baseString.split('&')[1]}</code>`])
  })
})
