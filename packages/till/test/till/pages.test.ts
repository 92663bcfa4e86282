import { createFakeGateway } from '@tillkit/testing'
import { describe, expect, it } from 'vitest'
import { createTill, type TillPages } from '../../src/index.js'
import { shownAmount } from '../../src/pages/pages.js'
import { memoryStore } from '../../src/store/memory-store.js'
import type { Store } from '../../src/store/store.js'
import { render, type Sample, samples } from './page-samples.js'
import { basket, openShop } from './shop.js'

const hostile = `</title><script>alert(1)</script>" onclick='x'&`
const escaped = '&#60;/title&#62;&#60;script&#62;alert(1)&#60;/script&#62;&#34; onclick=&#39;x&#39;&#38;'
const names = Object.keys(samples) as Sample[]

describe('the pages of a till', () => {
  it.each(names)('%s escapes what it shows', sample => {
    const { payment } = samples[sample][1]
    const texts = {
      back: hostile,
      waiting: hostile,
      open: hostile,
      declined: hostile,
      later: hostile,
      again: hostile,
      problem: hostile,
    }
    const { body } = render(
      sample,
      { shopName: hostile, contact: hostile, texts },
      { payment: { ...payment, reference: hostile, currency: hostile }, back: `/${hostile}` },
    )
    expect(body.replaceAll(/<style.*?<\/style>/gs, '')).not.toMatch(/<script>|onclick='/)
    expect(body).toContain(`- ${escaped}</title>`)
    expect(body).toContain(`<p role="status">${escaped}</p>`)
    expect(body).toContain(`href="/${escaped}"`)
  })

  it.each(names)('%s is kept by no cache, shown in no frame, and loads nothing', sample => {
    const { headers } = render(sample)
    expect(headers).toMatchObject({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'same-origin' })
    expect(headers['Content-Security-Policy']).toMatch(/^default-src 'none'; .*frame-ancestors 'none'$/)
  })

  it('lets a page of the merchant lead its buttons to the gateway, and keeps it out of frames', () => {
    const own = { declined: ({ again }: { readonly again: string | undefined }) => `<title>Own</title>${again}` }
    const { headers, body } = render('declined', { own })
    expect(body).toBe('<title>Own</title>/orders/basket-7/pay')
    expect(headers['Content-Security-Policy']).toBe(
      "form-action 'self' https://gateway.example; base-uri 'none'; frame-ancestors 'none'",
    )
    // One page at a time: the others are the till's.
    expect(render('waiting', { own }).body).toContain('Checking your payment')
  })

  it('links a contact that is an e-mail address, and no other', () => {
    expect(render('problem', { contact: 'help@shop.example' }).body).toContain('href="mailto:help@shop.example"')
    const others = ['+44 7700 900123', 'javascript:alert(1)', 'a@b.example?body=x', 'Ann <a@b.example>']
    for (const contact of others) expect(render('problem', { contact }).body).not.toContain('mailto:')
  })

  it('names no amount where there is none, as for a card that is verified', () => {
    const { payment } = samples.declined[1]
    const page = { payment: { ...payment, amount: undefined, currency: undefined } }
    expect(render('declined', {}, page).body).not.toContain('Amount')
  })

  it('speaks in the till’s words on the pages of 3DS as well', async () => {
    const gateway = createFakeGateway()
    const pages = { language: 'de', accent: { light: '#8a0038', dark: '#ffd0e0' }, texts: { preparingTitle: 'Moment' } }
    const shop = await openShop({ gateway, pages })
    const card = { creditCardNumber: '4444444444444448', cardPrintedName: 'J', expireMonth: '12', expireYear: '2031' }
    const { address } = await shop.till.pay({ ...basket, ...card, cvv2: '321' })
    const page = await (await fetch(new URL(address, shop.origin))).text()
    expect(page).toContain('<html lang="de" dir="ltr">')
    expect(page).toContain('<h1>Moment</h1>')
    expect(page).toContain('--accent: #8a0038; --on-accent: #ffffff;')
  })
})

describe('shownAmount', () => {
  it.each([
    ['10.00', 'EUR', 'en', '€10.00'],
    ['1249.50', 'EUR', 'de', '1.249,50\u00a0€'],
    ['10.00', 'USD', 'en-GB', 'US$10.00'],
    // No digit is added or taken away, whatever the currency usually has.
    ['10.00', 'JPY', 'en', '¥10.00'],
    ['10', 'EUR', 'en', '€10'],
    ['1.234', 'EUR', 'en', '€1.234'],
    ['999999999999.99', 'EUR', 'en', '€999,999,999,999.99'],
    ['99999999999999.99', 'EUR', 'en', '99999999999999.99 EUR'],
    ['10.00', '<b>', 'en', '10.00 <b>'],
    ['ten', 'EUR', 'en', 'ten EUR'],
    ['10.00', undefined, 'en', '10.00'],
  ])('shows %s %s in %s as %s', (amount, currency, language, shown) => {
    expect(shownAmount({ amount, currency }, language)).toBe(shown)
  })
})

describe('createTill', () => {
  it.each([
    [{ colour: '#123456' }, '"pages" has no option "colour". It has: shopName, language, texts, contact, accent, own.'],
    [{ shopName: '' }, '"pages.shopName" is ""; it must be one line of text, at most 200 characters.'],
    [{ shopName: 'Jug\nBowl' }, '"pages.shopName" is "Jug\\nBowl"; it must be one line of text'],
    [{ contact: 7 }, '"pages.contact" is 7; it must be one line of text'],
    [{ language: 'english please' }, '"pages.language" is "english please"; it must be a BCP 47 tag, such as en'],
    [{ texts: { declinedTile: 'No' } }, '"pages.texts" has no option "declinedTile". Did you mean "declinedTitle"?'],
    [{ texts: { back: ' ' } }, '"pages.texts.back" is " "; it must be a text that is not empty.'],
    [{ accent: '#123456' }, '"pages.accent" needs an object with options. It has: light, dark.'],
    [{ accent: { light: '#123456' } }, '"pages.accent.dark" is missing.'],
    [
      { accent: { light: '#123456', dark: 'gold' } },
      '"pages.accent.dark" is "gold"; it must be a colour with six digits, such as #23527c.',
    ],
    [{ own: { paid: () => '' } }, '"pages.own" has no option "paid". It has: waiting, declined, problem.'],
    [{ own: { waiting: '<p>' } }, '"pages.own.waiting" is "<p>"; it must be a function.'],
  ])('refuses pages with %j in a sentence', (pages, message) => {
    const options = { account: createFakeGateway().clientOptions, store: memoryStore() as Store<never> }
    const merchant = { address: 'https://shop.example/payments', returnTo: () => '/', onOutcome: () => {} }
    expect(() => createTill({ ...options, ...merchant, pages: pages as TillPages })).toThrow(message)
  })
})
