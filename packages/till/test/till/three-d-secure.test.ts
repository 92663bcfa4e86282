/** The pages of 3DS, where status says whatever a test wants: what a customer sees, and what the gateway is sent. */
import { hangUp } from '@tillkit/testing'
import { describe, expect, it } from 'vitest'
import { challenge, leadsTo, method, openSecureShop, pares, title } from './secure-shop.js'
import { until } from './until.js'
import { watchWarnings } from './watch-warnings.js'

const toPage = '303 the page of the payment'
const stuck = 'WARN_3D_SECURE_STUCK'

describe('a customer of 3DS', () => {
  it('is sent to the page of the payment as soon as status settles it', async () => {
    const shop = await openSecureShop()
    shop.statusSays({ status: 'approved' })
    expect(leadsTo(await shop.get())).toBe(toPage)
    expect(shop.told).toEqual(['basket-7 paid 10.00'])
  })

  it('is taken to the bank by a page that posts the CReq and may do nothing else', async () => {
    const shop = await openSecureShop()
    shop.statusSays(challenge)
    const { status, headers, text } = await shop.get()
    expect(status).toBe(200)
    // Escaped as HTML wants it in an attribute.
    expect(text).toContain('action="https://acs.example/challenge?a=1&#38;b=&#34;2&#34;"')
    expect(text).toContain('<input type="hidden" name="creq" value="eyJhIjoxfQ">')
    const policy = headers.get('content-security-policy') ?? ''
    const [, nonce] = /script-src 'nonce-([\w-]{22})'/.exec(policy) ?? []
    expect(text).toContain(`<script nonce="${nonce}">`)
    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      `style-src 'nonce-${nonce}'`,
      `script-src 'nonce-${nonce}'`,
      'img-src data:',
      'form-action https:',
      "frame-src 'none'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ])
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('referrer-policy')).toBe('same-origin')
    expect((await shop.get()).headers.get('content-security-policy')).not.toBe(policy)
  })

  it('is taken to the bank of 3DS 1.0.2 with PaReq, MD and the till’s own address', async () => {
    const shop = await openSecureShop()
    shop.statusSays(pares)
    const { text } = await shop.get()
    for (const [name, value] of [
      ['PaReq', 'eJw+Pa='],
      ['MD', 'md-1'],
      ['TermUrl', shop.address],
    ])
      expect(text).toContain(`<input type="hidden" name="${name}" value="${value}">`)
  })

  it.each([
    ['http to a host', { redirectTo: 'http://gate.example/3ds' }],
    ['a script', { redirectTo: 'javascript:alert(1)' }],
    ['a word of 3DS that nobody knows', { tdsStatus: 'Riddle' }],
    ['a bank without https', { ...challenge, tdsChallengeUrl: 'http://acs.example/' }],
  ])('is sent nowhere for %s, and the merchant is warned', async (_what, step) => {
    const warned = watchWarnings()
    const shop = await openSecureShop()
    shop.statusSays(step)
    expect(leadsTo(await shop.get())).toBe(toPage)
    expect(warned(stuck)).toEqual([expect.stringContaining('basket-7')])
  })

  it('looks again twenty times on the page that waits, and leaves then', async () => {
    const shop = await openSecureShop()
    expect((await shop.get('?look=19')).text).toContain(`data-url="${shop.address}?look=20" data-seconds="2"`)
    expect(leadsTo(await shop.get('?look=20'))).toBe(toPage)
    expect((await shop.get('?look=-1')).text).toContain('?look=1"')
  })

  it('whose address has expired still brings a result and an outcome, and sees nothing of the payment', async () => {
    const shop = await openSecureShop()
    shop.statusSays(challenge)
    await shop.later(2 * 86_400_000 + 1_000)
    const looked = await shop.get()
    expect(leadsTo(looked)).toBe(toPage)
    const page = await fetch(new URL(looked.headers.get('location') ?? '', shop.origin), { redirect: 'manual' })
    expect([page.status, page.headers.get('location')]).toEqual([303, '/orders/basket-7'])
    expect(leadsTo(await shop.post('', { cres: 'e30' }))).toBe(`303 ${shop.address}`)
    expect(shop.uploads()).toHaveLength(1)
    shop.statusSays({ status: 'approved' })
    expect(leadsTo(await shop.get())).toBe(toPage)
    expect(shop.told).toEqual(['basket-7 paid 10.00'])
  })

  it('meets no page that is not there', async () => {
    const shop = await openSecureShop()
    for (const page of ['/other', '/notify', '/method/deeper']) expect((await shop.get(page)).status).toBe(404)
  })
})

describe('a result that a browser brings', () => {
  it.each([
    ['a CRes', challenge, { cres: 'e30' }, 'uploadCresResult'],
    ['a CRes in other letters', challenge, { cRes: 'e30' }, 'uploadCresResult'],
    ['a PaRes', pares, { PaRes: 'eJx+', MD: 'md-1' }, 'uploadParesResult'],
    ['a PaRes without MD', pares, { PaRes: 'eJx+' }, 'uploadParesResult'],
  ] as const)('is uploaded once, however often it comes: %s', async (_what, step, fields, operation) => {
    const shop = await openSecureShop()
    shop.statusSays(step)
    await shop.get()
    expect(leadsTo(await shop.post('', fields))).toBe(`303 ${shop.address}`)
    expect(shop.uploads()).toMatchObject([{ operation, 'client-order-id': 'basket-7', orderid: shop.orderId }])
    // Status lags behind: the bank's page is not shown again.
    expect(title(await shop.get())).toBe('Checking your payment')
    shop.statusSays({ status: 'approved' })
    await shop.post('', fields)
    expect(shop.uploads()).toHaveLength(1)
    expect(leadsTo(await shop.get())).toBe(toPage)
    expect(shop.told).toEqual(['basket-7 paid 10.00'])
  })

  it('is left alone unless status waits for it', async () => {
    const shop = await openSecureShop()
    const ofOthers = [
      { ...challenge, transactionType: 'reversal' },
      { ...challenge, orderId: '78' },
    ]
    for (const step of [{}, method, pares, ...ofOthers]) {
      shop.statusSays(step)
      expect((await shop.post('', { cres: 'e30' })).status).toBe(303)
    }
    expect(shop.uploads()).toEqual([])
  })

  it.each([
    ['the same', 'e30'],
    ['another one', 'W10'],
  ])('is one for each challenge, though two windows bring %s at once', async (_which, second) => {
    const shop = await openSecureShop()
    shop.statusSays(challenge)
    let take = (): void => {}
    const isLet = new Promise<void>(resolve => {
      take = resolve
    })
    shop.gateway.handle({
      async uploadCresResult() {
        await isLet
        return shop.taken()
      },
    })
    const atOnce = ['e30', second].map(cres => shop.post('', { cres }))
    await until(() => shop.gateway.calls('status').length > 1)
    take()
    await Promise.all(atOnce)
    // Status lags behind, and the customer goes back and comes again.
    await shop.post('', { cres: second })
    expect(shop.uploads()).toHaveLength(1)
    shop.statusSays({ ...challenge, tdsServerTransId: 'trans-2' })
    await shop.post('', { cres: 'W11' })
    expect(shop.uploads()).toHaveLength(2)
  })

  it.each([
    ['was refused', () => ({ httpStatus: 400, type: 'validation-error', errorMessage: 'no', errorCode: '1' }) as never],
    ['has no answer', hangUp],
  ])('is not uploaded again where it %s, and the customer is not sent back to the bank', async (_how, answer) => {
    const warned = watchWarnings()
    const shop = await openSecureShop()
    shop.statusSays(challenge)
    shop.gateway.handle({ uploadCresResult: answer })
    expect(leadsTo(await shop.post('', { cres: 'e30' }))).toBe(`303 ${shop.address}`)
    expect(title(await shop.get())).toBe('Checking your payment')
    await shop.post('', { cres: 'W10' })
    expect([shop.uploads().length, warned(stuck).length]).toEqual([1, 1])
  })

  it('is sent again where it never left', async () => {
    const warned = watchWarnings()
    const shop = await openSecureShop()
    shop.statusSays(challenge)
    await shop.get()
    shop.gateway.faults.arm({ fault: 'refuse-connection', operation: 'uploadCresResult', times: 2 })
    await shop.post('', { cres: 'e30' })
    expect([shop.uploads().length, warned(stuck)]).toEqual([1, []])
    expect(title(await shop.get())).toBe('Checking your payment')
  })

  it('is believed in nothing: what does not verify is reported, and status is asked all the same', async () => {
    const warned = watchWarnings()
    const shop = await openSecureShop()
    shop.statusSays({ status: 'declined' })
    const fields = { status: 'approved', orderid: shop.orderId, client_orderid: 'basket-7', control: '0'.repeat(40) }
    expect(leadsTo(await shop.post('', fields))).toBe(`303 ${shop.address}`)
    expect(leadsTo(await shop.get())).toBe(toPage)
    expect(shop.told).toEqual(['basket-7 declined 10.00'])
    expect(warned('WARN_CUSTOMER_REFUSED')).toEqual([expect.stringContaining('control-mismatch')])
  })
})
