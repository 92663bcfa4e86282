/** The steps of 3DS that are no challenge: the method, the gateway’s own page, and how the pages speak. */
import { createHash } from 'node:crypto'
import { hangUp } from '@tillkit/testing'
import { describe, expect, it } from 'vitest'
import { challenge, leadsTo, method, noticeOf, openSecureShop, progressIn, title } from './secure-shop.js'
import { watchWarnings } from './watch-warnings.js'

const stuck = 'WARN_3D_SECURE_STUCK'

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
