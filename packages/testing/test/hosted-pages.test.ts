import { createHash } from 'node:crypto'
import { encodeForm } from '@tillkit/signing'
import { request } from 'undici'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFakeGateway, type FakeGateway } from '../src/index.js'
import { call, customer, type Name } from './signed-request.js'

const redirectUrl = 'http://127.0.0.1:9/return/state-token?kept=1'

const typedCard = {
  credit_card_number: '4444 4444 4444 4448',
  card_printed_name: 'JOAN <BAKER>',
  expire_month: '12',
  expire_year: '2099',
  cvv2: '123',
}

let gateway: FakeGateway
beforeEach(async () => {
  gateway = createFakeGateway({ controlKey: 'K' })
  await gateway.listen()
})
afterEach(() => gateway.close())

async function open(url: string, form?: Record<string, string>) {
  const answer = await request(url, {
    ...(form === undefined
      ? { method: 'GET' as const }
      : {
          method: 'POST' as const,
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: encodeForm(Object.entries(form)),
        }),
  })
  return { status: answer.statusCode, headers: answer.headers, html: await answer.body.text() }
}

async function newForm(name: Name = 'saleForm', fields: Record<string, string> = {}) {
  const money = name === 'accountVerificationForm' ? {} : { amount: '18.00', currency: 'EUR' }
  const { reply } = await call(gateway, name, { clientOrderId: 'o-1', ...money, ...customer, redirectUrl, ...fields })
  const status = async () => (await call(gateway, 'status', { clientOrderId: 'o-1' })).reply
  return { url: reply['redirect-url'] ?? '', orderId: reply['paynet-order-id'] ?? '', status }
}

/** The fields that the customer's browser posts back to the shop. */
function returned(html: string): Record<string, string> {
  const inputs = html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)
  return Object.fromEntries([...inputs].map(([, name, value]) => [name, value]))
}

describe('a hosted page', () => {
  it('shows what is paid and asks for a card, every input with a label and a hint for the browser', async () => {
    const { url } = await newForm('saleForm', { orderDesc: 'Two <cups> & "saucers"' })
    expect(new URL(url).pathname).toMatch(/^\/paynet\/form\/[0-9a-f]{32}$/)
    const page = await open(url)
    expect(page.status).toBe(200)
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(page.html).toContain('<html lang="en">')
    expect(page.html).toContain('Two &lt;cups&gt; &amp; &quot;saucers&quot;')
    expect(page.html).toContain('18.00 EUR')
    for (const [name, hint] of [
      ['credit_card_number', 'cc-number'],
      ['card_printed_name', 'cc-name'],
      ['expire_month', 'cc-exp-month'],
      ['expire_year', 'cc-exp-year'],
      ['cvv2', 'cc-csc'],
    ]) {
      expect(page.html).toContain(`<label for="${name}">`)
      expect(page.html).toMatch(new RegExp(`id="${name}" name="${name}" value="" autocomplete="${hint}"`))
    }
    expect(page.html).toContain('no money moves')
    for (const code of ['123', '321', '116']) expect(page.html).toContain(`<code>${code}</code>`)
  })

  it('says whose page it is: the merchant by name, or by login', async () => {
    const named = async () => {
      const { html } = await open((await newForm()).url)
      return /<p class="merchant"[^>]*>(.*?)<\/p>/.exec(html)?.[1]
    }
    expect(await named()).toBe('merchant')
    await gateway.close()
    const merchants = [{ login: 'north', merchantName: 'Cups & <Sons>', endpoints: [1] }]
    gateway = createFakeGateway({ merchants })
    await gateway.listen()
    expect(await named()).toBe('Cups &amp; &lt;Sons&gt;')
  })

  it('loads nothing from anywhere and may not be framed', async () => {
    const { url } = await newForm()
    const { headers, html } = await open(url)
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/)
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(headers['cache-control']).toBe('no-store')
    expect(html).not.toMatch(/(src|href)="https?:/)
  })

  it('allows exactly the style sheet and the script it carries', async () => {
    const { url } = await newForm()
    const { headers, html } = await open(url, typedCard)
    const hash = (tag: string) => {
      const text = new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(html)?.[1] ?? ''
      return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
    }
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain(`style-src ${hash('style')};`)
    expect(policy).toContain(`script-src ${hash('script')};`)
    expect(policy).toContain("form-action 'self' http://127.0.0.1:9;")
  })

  it('takes the customer back with signed parameters once the card is approved', async () => {
    const { url, orderId, status } = await newForm()
    expect((await status()).status).toBe('processing')
    const page = await open(url, typedCard)
    expect(page.status).toBe(200)
    expect(page.html).toContain(`<form method="post" action="${redirectUrl}">`)
    expect(page.html).toContain('<button type="submit">Back to the shop</button>')
    expect(returned(page.html)).toMatchObject({
      status: 'approved',
      orderid: orderId,
      client_orderid: 'o-1',
      merchant_order: 'o-1',
      type: 'sale',
      'card-holder-name': 'JOAN &lt;BAKER&gt;',
      control: createHash('sha1').update(`approved${orderId}o-1K`).digest('hex'),
    })
    expect(await status()).toMatchObject({ status: 'approved', amount: '18.00', 'last-four-digits': '4448' })
  })

  it('takes the customer to the shop, not to a page of its own, where the address lacks its slashes', async () => {
    const { url } = await newForm('saleForm', { redirectUrl: 'http:127.0.0.1:9/return' })
    expect((await open(url, typedCard)).html).toContain('<form method="post" action="http://127.0.0.1:9/return">')
  })

  it.each([
    ['123', 'paid'],
    ['116', 'not-paid'],
  ])('takes the customer where the outcome of the CVV2 %s has an address of its own', async (cvv2, page) => {
    const { url } = await newForm('saleForm', {
      redirectSuccessUrl: 'http://127.0.0.1:9/paid',
      redirectFailUrl: 'http://127.0.0.1:9/not-paid',
    })
    expect((await open(url, { ...typedCard, cvv2 })).html).toContain(`action="http://127.0.0.1:9/${page}"`)
  })

  it('says processing on the way back while the processing time lasts', async () => {
    const slow = createFakeGateway({ processingTime: 60_000 })
    const { reply } = await call(slow, 'saleForm', {
      clientOrderId: 'o-1',
      amount: '18.00',
      currency: 'EUR',
      ...customer,
      redirectUrl,
    })
    const answer = await request(reply['redirect-url'] ?? '', {
      method: 'POST',
      body: encodeForm(Object.entries(typedCard)),
      dispatcher: slow.dispatcher,
    })
    expect(returned(await answer.body.text()).status).toBe('processing')
  })

  it.each([
    ['preauthForm', 'Reserve 18.00 EUR', 'preauth'],
    ['paymentForm', 'Pay 18.00 EUR', 'sale'],
    ['accountVerificationForm', 'Verify card', 'account-verification'],
  ] as const)('of %s has the button %s', async (name, button, type) => {
    const { url, status } = await newForm(name)
    expect((await open(url)).html).toContain(`<button type="submit">${button}</button>`)
    await open(url, typedCard)
    expect(await status()).toMatchObject({ status: 'approved', 'transaction-type': type })
  })

  it('sends the customer back with what the public page of browser returns lists, and nothing else', async () => {
    const { url, orderId } = await newForm('saleForm', { phone: '+3612345678', merchantData: 'kept' })
    const back = returned((await open(url, typedCard)).html)
    // P-FINAL of the public pages, in its own order; both names of the merchant's order id hold it.
    expect(Object.keys(back).sort()).toEqual(
      [
        ...['status', 'orderid', 'merchant_order', 'client_orderid', 'error_message', 'control', 'descriptor'],
        ...['processor-tx-id', 'amount', 'bin', 'type', 'card-type', 'phone', 'last-four-digits', 'card-holder-name'],
        ...['gate-partial-reversal', 'gate-partial-capture'],
      ].sort(),
    )
    expect(back).toMatchObject({ orderid: orderId, error_message: 'null', amount: '18.00', type: 'sale' })
  })

  it('says on the way back why a payment was declined', async () => {
    const { url } = await newForm()
    const back = returned((await open(url, { ...typedCard, cvv2: '116' })).html)
    expect(back.status).toBe('declined')
    expect(back.error_code).toMatch(/^\d+$/)
    expect(back.error_message).not.toBe('null')
  })

  it('shows mistakes at their fields, keeps what was typed and forgets the CVV', async () => {
    const { url, status } = await newForm()
    const typed = { ...typedCard, credit_card_number: '4444 4444 4444 4449', expire_month: '13', cvv2: '987' }
    const page = await open(url, typed)
    expect(page.status).toBe(422)
    expect(page.html).toContain('2 fields need another look.')
    expect(page.html).toContain('aria-describedby="credit_card_number-error"')
    expect(page.html).toContain('This card number has a typing mistake.')
    expect(page.html).toContain('Enter a month from 1 to 12.')
    expect(page.html).toContain('value="4444 4444 4444 4449"')
    expect(page.html).toContain('value="JOAN &lt;BAKER&gt;"')
    expect(page.html).not.toContain('987')
    expect((await status()).status).toBe('processing')
    expect((await open(url, { ...typedCard, expire_year: '2001' })).html).toContain('This card has expired.')
    expect((await open(url, {})).html).toContain('5 fields need another look.')
  })

  it('asks for the password of 3DS, and only hint approves', async () => {
    const good = await newForm()
    const page = await open(good.url, { ...typedCard, cvv2: '321' })
    expect(page.html).toContain('name="password"')
    expect((await good.status()).status).toBe('processing')
    expect((await open(good.url)).html).toContain('name="password"')
    await open(good.url, { password: 'hint' })
    expect((await good.status()).status).toBe('approved')
    gateway.reset()
    const bad = await newForm()
    await open(bad.url, { ...typedCard, cvv2: '321' })
    await open(bad.url, { password: 'guess' })
    expect(await bad.status()).toMatchObject({
      status: 'declined',
      'error-message': 'Decline, 3DS authentication failed',
    })
  })

  it('declines when the customer cancels, and takes them back', async () => {
    const { url, status } = await newForm()
    const page = await open(url, { cancel: '1' })
    expect(returned(page.html)).toMatchObject({ status: 'declined', error_message: 'The customer cancelled' })
    expect((await status()).status).toBe('declined')
  })

  it('is filled in once: a second time charges nothing', async () => {
    const { url, status } = await newForm()
    await open(url, { ...typedCard, cvv2: '116' })
    const again = await open(url, typedCard)
    expect(again.status).toBe(410)
    expect(again.html).toContain('This page was filled in before')
    expect(again.html).toContain(`<a href="${redirectUrl}">Back to the shop</a>`)
    expect((await open(url)).status).toBe(410)
    expect((await status()).status).toBe('declined')
  })

  it('that nobody asked for is a page saying so', async () => {
    const { url } = await newForm()
    const answer = await open(url.replace(/[0-9a-f]{32}$/, 'f'.repeat(32)))
    expect(answer.status).toBe(404)
    expect(answer.html).toContain('The address is wrong')
  })

  it('takes one destination of a payout', async () => {
    const { url, status } = await newForm('payoutForm')
    expect((await open(url)).html).toContain('Fill in one of the three.')
    expect((await open(url, {})).html).toContain('Enter an account, a card or a phone number.')
    const both = { account_number: '12345678', bank_name: '', credit_card_number: '', phone: '+447700900123' }
    expect((await open(url, both)).html).toContain('Enter only one of account, card and phone number.')
    expect((await open(url, { credit_card_number: '4444' })).html).toContain('This is no card number.')
    const page = await open(url, { ...both, phone: '' })
    expect(returned(page.html)).toMatchObject({ status: 'approved', type: 'payout' })
    expect(await status()).toMatchObject({ status: 'approved', 'transaction-type': 'payout' })
  })

  it('declines the account of zeros', async () => {
    const { url, status } = await newForm('payoutForm')
    await open(url, { account_number: '0000000000' })
    expect((await status()).status).toBe('declined')
  })

  it('refuses garbage and other methods without losing the order', async () => {
    const { url, status } = await newForm()
    const garbage = await request(url, { method: 'POST', body: 'cvv2=%zz' })
    expect(garbage.statusCode).toBe(400)
    const back = `<a href="${redirectUrl}">Back to the shop</a>`
    expect(await garbage.body.text()).toContain(back)
    const put = await request(url, { method: 'PUT', body: 'x' })
    expect(put.statusCode).toBe(405)
    expect(await put.body.text()).toContain(back)
    expect((await status()).status).toBe('processing')
  })

  it('needs an address to come back to', async () => {
    const answer = await call(gateway, 'saleForm', {
      clientOrderId: 'o-2',
      amount: '18.00',
      currency: 'EUR',
      ...customer,
      redirectUrl: 'javascript:alert(1)',
    })
    expect(answer.status).toBe(400)
    expect(answer.reply['error-message']).toContain('"redirect_url" must be an http or https address')
  })
})
