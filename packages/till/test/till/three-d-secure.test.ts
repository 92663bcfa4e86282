/** The pages of 3DS, where status says whatever a test wants: what a customer sees, and what the gateway is sent. */
import { createHash } from 'node:crypto'
import { type HandlerReply, hangUp } from '@tillkit/testing'
import { describe, expect, it } from 'vitest'
import { challenge, leadsTo, method, noticeOf, openSecureShop, pares, progressIn, title } from './secure-shop.js'
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

  it.each<readonly [string, () => HandlerReply<never> | ReturnType<typeof hangUp>, number]>([
    [
      'was refused',
      () => ({ httpStatus: 400, type: 'validation-error', errorMessage: 'no', errorCode: '1' }) as never,
      1,
    ],
    ['has no answer', hangUp, 1],
  ])(
    'is not uploaded again where it %s, and the customer is not sent back to the bank',
    async (_how, answer, times) => {
      const warned = watchWarnings()
      const shop = await openSecureShop()
      shop.statusSays(challenge)
      shop.gateway.handle({ uploadCresResult: answer })
      expect(leadsTo(await shop.post('', { cres: 'e30' }))).toBe(`303 ${shop.address}`)
      expect(title(await shop.get())).toBe('Checking your payment')
      await shop.post('', { cres: 'W10' })
      expect([shop.uploads().length, warned(stuck).length]).toEqual([times, 1])
    },
  )

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

describe('a 3DS method', () => {
  it('ends with Y when the bank notifies in time, with the browser that the page saw', async () => {
    const shop = await openSecureShop()
    shop.statusSays(method)
    const page = await shop.get()
    expect(page.text).toContain('<form id="start" method="post" action="https://acs.example/method" target="method"')
    const [, data = ''] = /name="threeDSMethodData" value="([^"]+)"/.exec(page.text) ?? []
    expect(JSON.parse(Buffer.from(data, 'base64url').toString())).toEqual({
      threeDSServerTransID: 'trans-1',
      threeDSMethodNotificationURL: `${shop.address}/notify`,
    })
    await shop.later(9_999)
    const notified = await shop.post('/notify', noticeOf('trans-1'))
    expect(notified.headers.get('content-security-policy')).toContain("frame-ancestors 'self'")
    await shop.later(60_000)
    await shop.post('/notify', noticeOf('trans-1'))
    const done = await shop.post('/method', { customer_browser_screen_width: '1280' })
    expect(leadsTo(done)).toBe(`303 ${shop.address}`)
    expect(shop.uploads()).toMatchObject([
      {
        operation: 'uploadMethodUrlResult',
        threeDSCompInd: 'Y',
        threeDSServerTransID: 'trans-1',
        browserScreenWidth: '1280',
        browserIP: '203.0.113.7',
      },
    ])
  })

  it.each([
    ['never', undefined],
    ['of another transaction', noticeOf('trans-2')],
    ['in no form that can be read', { threeDSMethodData: 'bm90IGpzb24' }],
  ])('ends with N after ten seconds when the bank notifies %s', async (_when, fields) => {
    const shop = await openSecureShop()
    shop.statusSays(method)
    await shop.get()
    if (fields !== undefined) await shop.post('/notify', fields)
    await shop.later(9_999)
    expect(title(await shop.post('/method'))).toBe('Preparing your payment')
    expect(shop.uploads()).toEqual([])
    await shop.later(1)
    await shop.get()
    expect(shop.uploads()).toMatchObject([{ threeDSCompInd: 'N' }])
  })

  it('ends with N when the bank notifies too late', async () => {
    const shop = await openSecureShop()
    shop.statusSays(method)
    await shop.get()
    await shop.later(10_000)
    await shop.post('/notify', noticeOf('trans-1'))
    await shop.post('/method')
    expect(shop.uploads()).toMatchObject([{ threeDSCompInd: 'N' }])
  })

  it('ends with U at once where there is none', async () => {
    const shop = await openSecureShop()
    shop.statusSays({ tdsStatus: 'MethodUrlFrame' })
    expect(leadsTo(await shop.get())).toBe(`303 ${shop.address}`)
    expect(shop.uploads()).toMatchObject([{ threeDSCompInd: 'U', orderid: shop.orderId }])
    expect(title(await shop.get())).toBe('Checking your payment')
    expect(shop.uploads()).toHaveLength(1)
  })

  it('ends with N where the gateway refuses a Y that came late by its own clock', async () => {
    const warned = watchWarnings()
    const shop = await openSecureShop()
    shop.statusSays(method)
    await shop.get()
    await shop.post('/notify', noticeOf('trans-1'))
    shop.gateway.handle({
      uploadMethodUrlResult: ({ threeDSCompInd }) =>
        threeDSCompInd === 'Y'
          ? ({ httpStatus: 400, type: 'validation-error', errorMessage: 'late', errorCode: '1' } as never)
          : shop.taken(),
    })
    expect(leadsTo(await shop.post('/method'))).toBe(`303 ${shop.address}`)
    expect(shop.uploads()).toMatchObject([{ threeDSCompInd: 'Y' }, { threeDSCompInd: 'N' }])
    expect(warned(stuck)).toHaveLength(1)
  })

  it('is not said to have failed where it is not known whether the Y arrived', async () => {
    const shop = await openSecureShop()
    shop.statusSays(method)
    await shop.get()
    await shop.post('/notify', noticeOf('trans-1'))
    shop.gateway.handle({ uploadMethodUrlResult: hangUp })
    expect(title(await shop.post('/method'))).toBe('Checking your payment')
    expect(title(await shop.get())).toBe('Checking your payment')
    expect(shop.uploads()).toMatchObject([{ threeDSCompInd: 'Y' }])
  })

  it('begins anew for another transaction', async () => {
    const shop = await openSecureShop()
    shop.statusSays(method)
    await shop.get()
    await shop.later(20_000)
    shop.statusSays({ ...method, tdsServerTransId: 'trans-2' })
    expect(title(await shop.get())).toBe('Preparing your payment')
    expect(shop.uploads()).toEqual([])
    expect(await progressIn(shop)).toMatchObject([{ method: { id: 'trans-2' } }])
    await shop.later(10_000)
    await shop.get()
    expect(shop.uploads()).toMatchObject([{ threeDSCompInd: 'N', threeDSServerTransID: 'trans-2' }])
  })
})

describe('3DS that the gateway runs', () => {
  it('is followed by its address once, and offered afterwards', async () => {
    const warned = watchWarnings()
    const shop = await openSecureShop()
    shop.statusSays({ redirectTo: 'https://gate.example/3ds?a=1&b=2' })
    const first = await shop.get()
    expect(first.text).toContain('<meta http-equiv="refresh" content="0;url=https://gate.example/3ds?a=1&#38;b=2">')
    const { controlKey } = shop.gateway.clientOptions
    const control = createHash('sha1').update(`processing${shop.orderId}basket-7${controlKey}`).digest('hex')
    const fields = { status: 'processing', orderid: shop.orderId, client_orderid: 'basket-7', control }
    expect(leadsTo(await shop.post('', fields))).toBe(`303 ${shop.address}`)
    const second = await shop.get()
    expect(second.text).not.toContain('content="0;')
    expect(second.text).toContain('<a class="button" href="https://gate.example/3ds?a=1&#38;b=2">')
    expect([shop.uploads(), warned('WARN_CUSTOMER_REFUSED')]).toEqual([[], []])
  })

  it.each([
    ['<b>Bank</b>', '<!doctype html>\n<meta charset="utf-8">\n<b>Bank</b>'],
    ['<!DOCTYPE html><b>Bank</b>', '<!DOCTYPE html><b>Bank</b>'],
  ])('serves %s of the gateway in a sandbox of its own, once by itself', async (html, expected) => {
    const shop = await openSecureShop()
    shop.statusSays({ html })
    const { text, headers } = await shop.get()
    expect(text).toBe(expected)
    expect(headers.get('content-security-policy')?.split('; ')).toEqual([
      'sandbox allow-forms allow-scripts allow-popups allow-top-navigation',
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ])
    expect(headers.get('cache-control')).toBe('no-store')
    expect((await shop.get()).text).toContain(`<a class="button" href="${shop.address}/again">`)
    expect((await shop.get('/again')).text).toBe(expected)
    shop.statusSays({ status: 'approved' })
    expect(leadsTo(await shop.get('/again'))).toBe(`303 ${shop.address}`)
  })
})

describe('the pages of 3DS', () => {
  it('speak another language where they are told to, and escape it', async () => {
    const pages = { shopName: 'Töpfe & Co', language: 'de', texts: { bankTitle: 'Weiter <zur> Bank' } }
    const shop = await openSecureShop({ pages })
    shop.statusSays(challenge)
    const { text } = await shop.get()
    expect(text).toContain('<html lang="de" dir="ltr">')
    expect(text).toContain('<p class="shop">Töpfe &#38; Co</p>')
    expect(text).toContain('<h1>Weiter &#60;zur&#62; Bank</h1>')
  })

  it('are written from right to left where the language is', async () => {
    const shop = await openSecureShop({ pages: { language: 'ar' } })
    expect((await shop.get()).text).toContain('<html lang="ar" dir="rtl">')
  })
})
