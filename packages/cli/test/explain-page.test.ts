/** The page that explains what is pasted into it. Values are published ones, or made by OpenSSL. */
import { createHash, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { defineProfile, operations } from '@tillkit/protocol'
import { encodeForm } from '@tillkit/signing'
import { type FakeGateway, testCard } from '@tillkit/testing'
import { request } from 'undici'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createGateway } from '../src/index.js'

const controlKey = 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20'
let gateway: FakeGateway
let origin: string
beforeEach(() => {
  gateway = createGateway({ controlKey })
  origin = gateway.clientOptions.baseUrl.origin
})
afterEach(() => gateway.close())

async function paste(text: string, more: Record<string, string> = {}, headers: Record<string, string> = {}) {
  const answer = await request(`${origin}/__gateway/explain`, {
    dispatcher: gateway.dispatcher,
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: encodeForm(Object.entries({ text, ...more })),
  })
  return { status: answer.statusCode, headers: answer.headers, html: await answer.body.text() }
}

/** OpenSSL's, by Node.js. */
const sha1 = (text: string): string => createHash('sha1').update(text).digest('hex')

const sale = (control: string, email = 'ada@shop.test'): string =>
  `curl -d client_orderid=order-7 -d amount=10.42 -d currency=EUR --data-urlencode 'email=${email}' ` +
  `-d credit_card_number=${testCard} -d cvv2=987 -d control=${control} ${origin}/paynet/api/v2/sale/39`

// Published: the worked example of the gateway's documentation.
interface Vector {
  readonly group: string
  readonly name: string
  readonly expected: string
}
const vectors: readonly Vector[] = JSON.parse(
  readFileSync(new URL('../../signing/test/vectors/published.json', import.meta.url), 'utf8'),
)
const published = vectors.find(({ expected }) => expected === 'c6bdd88a78834ef4b863b088827a459f039e8257')
const items = {
  operation: 'sale',
  'item-endpointId': '1111',
  'item-clientOrderId': '902B4FF5',
  'item-email': 'john.smith@gmail.com',
  controlKey,
}

describe('the page that explains what is pasted', () => {
  it('is linked from the first page, and has a form', async () => {
    const first = await (await request(`${origin}/__gateway/`, { dispatcher: gateway.dispatcher })).body.text()
    expect(first).toContain('href="/__gateway/explain"')
    const answer = await request(`${origin}/__gateway/explain`, { dispatcher: gateway.dispatcher })
    expect(answer.statusCode).toBe(200)
    expect(await answer.body.text()).toContain('<form class="stack narrow" method="post" action="/__gateway/explain">')
  })

  it('finds the item at fault in a curl command, with the key of its endpoint', async () => {
    const { status, html } = await paste(sale(sha1(`39order-710.42ada@shop.test${controlKey}`)))
    expect(status).toBe(200)
    expect(html).toContain('✗ Wrong.')
    expect(html).toContain('<code>10<mark>.</mark>42</code>')
    expect(html).toContain('amount, character 3: “.” was signed, “4” is expected.')
    expect(html).toContain('39order-71042ada@shop.test&lt;control key&gt;')
  })

  it('says when a control value is right', async () => {
    const { html } = await paste(sale(sha1(`39order-71042ada@shop.test${controlKey}`)))
    expect(html).toContain('✓ Right.')
    expect(html).not.toContain('class="said"')
  })

  it('explains the published control value, alone', async () => {
    const control = published?.expected ?? ''
    expect((await paste(control, { ...items, 'item-amount': '1042' })).html).toContain('✓ Right.')
    const { html } = await paste(control, { ...items, 'item-amount': '1042', 'item-email': 'John.smith@gmail.com' })
    expect(html).toContain('<code><mark>j</mark>ohn.smith@gmail.com</code>')
    expect(html).toContain('<code><mark>J</mark>ohn.smith@gmail.com</code>')
    expect((await paste(control)).html).toContain('choose its operation')
  })

  it('finds what is encoded wrong in a base string', async () => {
    const address = 'POST&http%3A%2F%2Fgate.example%2Fpaynet%2Fapi%2Fv2%2Fpayout%2F39&'
    const oauth = 'oauth_consumer_key%3Dmerchant%26oauth_nonce%3Dn%26oauth_signature_method%3DHMAC-SHA1%26'
    const rest = 'oauth_timestamp%3D1669966913%26oauth_version%3D1.0%26order_desc%3D'
    const { html } = await paste(`${address}amount%3D10.00%26${oauth}${rest}Bread%2Bfor%2Btea`)
    expect(html).toContain('✗ Wrong.')
    expect(html).toMatch(/a space is %20, never/)
    expect(html).toContain('order_desc%3DBread%2<mark>B</mark>for')
    const right = await paste(`${address}amount%3D10.00%26${oauth}${rest}Bread%2520for%2520tea`)
    expect(right.html).toContain('? Not judged.')
  })

  it('judges RSA-SHA256 with a public key that is pasted, where it is not the one of the merchant', async () => {
    const vectors = new URL('../../signing/test/vectors/', import.meta.url)
    const privateKey = await readFile(new URL('rsa-test-key.pem', vectors))
    const publicKey = await readFile(new URL('rsa-test-public.pem', vectors), 'utf8')
    const address = 'POST&http%3A%2F%2Fgate.example%2Fpaynet%2Fapi%2Fv4%2Fpayout%2F39&'
    const base = `${address}amount%3D10.00%26oauth_consumer_key%3Dmerchant%26oauth_nonce%3Dn%26oauth_signature_method%3DRSA-SHA256%26oauth_timestamp%3D1669966913%26oauth_version%3D1.0`
    const theirs = sign('sha256', Buffer.from(base), privateKey).toString('base64')
    expect((await paste(base, { theirs, publicKey })).html).toContain('✓ Right.')
    expect((await paste(base, { theirs })).html).toContain('✗ Wrong.')
    expect((await paste(base, { theirs, publicKey: 'no key' })).html).toContain('Not explained')
  })

  it.each([
    ['curl $URL', 'A variable or a command of the shell'],
    ['hello', 'This is no curl command'],
    [' ', 'There is nothing to explain'],
    [`curl -d a=1 http://gate.example/elsewhere`, 'No known operation is at this address'],
    [`curl -d a=1 http://gate.example/paynet/api/v2/sale/4711`, 'The control key is missing'],
    ['x'.repeat(30_000), 'longer than 20000 characters'],
  ])('says what it cannot read: %j', async (text, says) => {
    const { status, html } = await paste(text)
    expect(status).toBe(200)
    expect(html).toContain(says)
  })

  it('writes a control value and what it covers into the form again, and nothing else', async () => {
    const control = '7e8e939c8ac1516ba5e1d142ef14147800dfec6f'
    const { html } = await paste(control, { operation: 'sale', 'item-email': 'ada@shop.test', controlKey: 'my-secret' })
    expect(html).toContain(`autocomplete="off">${control}</textarea>`)
    expect(html).toContain('<option selected>sale</option>')
    expect(html).toContain('name="item-email" value="ada@shop.test"')
    expect(html).not.toContain('my-secret')
    const other = await paste('curl -d credit_card_number=4444444444444448 $URL')
    expect(other.html).not.toContain('4444444444444448')
  })

  it('says what is wrong with an item, and repeats no card number', async () => {
    const control = '7e8e939c8ac1516ba5e1d142ef14147800dfec6f'
    for (const amount of ['10.42', '4444-4444-4444-4448']) {
      const { status, html } = await paste(control, { operation: 'sale', 'item-amount': amount })
      expect(status).toBe(200)
      expect(html).toContain('Not explained')
      expect(html).not.toContain('4444-4444-4444-4448')
    }
  })

  it('keeps nothing of what was typed, and shows no secret', async () => {
    const key = 'another-secret-key'
    const control = sha1(`39order-71042ada@shop.test${key}`)
    const { html, headers } = await paste(sale(control), { controlKey: key })
    expect(html).toContain('✓ Right.')
    const after = await (await request(`${origin}/__gateway/explain`, { dispatcher: gateway.dispatcher })).body.text()
    const shown = [html, JSON.stringify(headers), after, JSON.stringify(gateway.calls())].join()
    for (const secret of [key, control, testCard, '987']) expect(shown).not.toContain(secret)
    expect(headers['cache-control']).toBe('no-store')
    expect(headers.location).toBeUndefined()
    expect(gateway.calls()).toEqual([])
  })

  it('shows markup as text, whatever it is pasted in', async () => {
    const markup = '<img src=x onerror=alert(1)>'
    const encoded = encodeURIComponent(markup)
    const texts = [
      markup,
      sale(markup, markup),
      sale(sha1('nothing'), markup),
      `curl -d '${encoded}=${encoded}' ${origin}/paynet/api/v2/sale/39`,
      `curl -H 'Authorization: OAuth ${encoded}="${encoded}", oauth_consumer_key="${encoded}"' ${origin}/paynet/api/v2/payout/39`,
      `POST&http%3A%2F%2Fgate.example%2F${encoded}&${encodeURIComponent(`${encoded}=${encoded}`)}`,
      `${markup}&http%3A&${markup}`,
    ]
    const fields = { theirs: markup, controlKey: markup, operation: markup, 'item-amount': markup, [markup]: markup }
    for (const text of texts) {
      expect((await paste(text)).html).not.toContain('<img')
      expect((await paste(text, fields)).html).not.toContain('<img')
    }
    expect((await paste('a'.repeat(40), { ...fields, operation: 'sale' })).html).toContain('&lt;img')
  })

  it('follows the profile and the operations of its gateway', async () => {
    await gateway.close()
    const row = { ...operations.sale, name: 'SELL', path: '/api/v2/sell' } as const
    gateway = createGateway({ controlKey, profile: defineProfile({ controlField: 'sig' }), operations: { sell: row } })
    origin = gateway.clientOptions.baseUrl.origin
    const command = sale('unused').replace('/sale/', '/sell/')
    const right = sha1(`39order-71042ada@shop.test${controlKey}`)
    const { html } = await paste(command.replace('control=unused', `sig=${right}`))
    expect(html).toContain('✓ Right.')
    expect(html).not.toContain(right)
  })

  it('takes nothing from a page of another site', async () => {
    expect((await paste('x', {}, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  })
})
