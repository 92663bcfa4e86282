import { inflateSync } from 'node:zlib'
import { defineProfile, readReply, type StatusResponse, threeDSecureStep, threeDSMethodData } from '@tillkit/protocol'
import { encodeForm } from '@tillkit/signing'
import { request } from 'undici'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  createFakeGateway,
  type FakeGateway,
  type FakeGatewayOptions,
  silentMethodCard,
  threeDSecure1Card,
} from '../src/index.js'
import { call, type Name, pay } from './signed-request.js'

const term = 'http://shop.test/3ds/term?order=o-1'
const back = 'http://shop.test/return'

let gateway: FakeGateway
beforeEach(() => {
  gateway = createFakeGateway({ controlKey: 'K' })
})
afterEach(() => gateway.close())

async function post(url: string, form?: Record<string, string>) {
  const answer = await request(url, {
    dispatcher: gateway.dispatcher,
    ...(form === undefined ? { method: 'GET' } : { method: 'POST', body: encodeForm(Object.entries(form)) }),
  })
  const html = await answer.body.text()
  const fields = [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)]
  return {
    status: answer.statusCode,
    policy: String(answer.headers['content-security-policy']),
    html,
    to: /<form method="post" action="([^"]*)">/.exec(html)?.[1],
    fields: Object.fromEntries(fields.map(([, name = '', value = '']) => [name, value])),
  }
}

const status = async () => (await call(gateway, 'status', { clientOrderId: 'o-1' })).reply

/** Uploads the result of a step, for one order or another. */
async function upload(name: Name, fields: Record<string, string>, clientOrderId = 'o-1') {
  const { reply } = await call(gateway, 'status', { clientOrderId })
  return call(gateway, name, { clientOrderId, orderId: reply['paynet-order-id'] ?? '', ...fields })
}

/** The step as a client reads it. */
async function step() {
  const { profile } = gateway.clientOptions
  const reply = readReply(await status(), { record: 'StatusResponse', profile })
  return threeDSecureStep(reply as StatusResponse, profile)
}

async function start(fields: Record<string, string>) {
  await pay(gateway, 'sale', { clientOrderId: 'o-1', cvv2: '321', ...fields })
  return step()
}

async function atMethod() {
  const shown = await start({})
  if (shown?.kind !== 'method' || shown.methodUrl === undefined || shown.threeDSServerTransId === undefined) {
    return expect.fail(JSON.stringify(shown))
  }
  return { url: shown.methodUrl, id: shown.threeDSServerTransId }
}

async function atChallenge(fields: Record<string, string> = {}) {
  await start(fields)
  await upload('uploadMethodUrlResult', { threeDSCompInd: 'N' })
  const shown = await step()
  return shown?.kind === 'challenge' ? { url: shown.acsUrl, creq: shown.creq } : expect.fail(JSON.stringify(shown))
}

async function atPareq() {
  const shown = await start({ creditCardNumber: threeDSecure1Card })
  return shown?.kind === 'pares'
    ? { url: shown.acsUrl, form: { PaReq: shown.paReq, MD: shown.md ?? '', TermUrl: term } }
    : expect.fail(JSON.stringify(shown))
}

describe('the 3DS method', () => {
  it('posts the transaction id back to the notification address, and may be framed', async () => {
    const { url, id } = await atMethod()
    const notificationUrl = 'http://shop.test/3ds/method'
    const page = await post(url, {
      threeDSMethodData: threeDSMethodData({ threeDSServerTransId: id, notificationUrl }),
    })
    expect(page.status).toBe(200)
    expect(page.to).toBe(notificationUrl)
    const data = Buffer.from(page.fields.threeDSMethodData ?? '', 'base64url').toString()
    expect(JSON.parse(data)).toEqual({ threeDSServerTransID: id })
    expect(page.policy).toContain("form-action 'self' http://shop.test;")
    expect(page.policy).not.toContain('frame-ancestors')
  })

  it.each([
    ['nothing', undefined, 'Post "threeDSMethodData" here'],
    ['no JSON', 'bm90IGpzb24', 'is not the Base64url of a JSON object'],
    ['another id', Buffer.from('{"threeDSServerTransID":"x"}').toString('base64url'), 'the id that status showed'],
  ])('says what is wrong with %s', async (_, threeDSMethodData, text) => {
    const { url } = await atMethod()
    const page = await post(url, threeDSMethodData === undefined ? undefined : { threeDSMethodData })
    expect(page.status).toBe(400)
    expect(page.html.replaceAll('&quot;', '"')).toContain(text)
  })

  it.each(['javascript:alert(1)', '/3ds/method', ''])('does not post to %j', async notificationUrl => {
    const { url, id } = await atMethod()
    const data = threeDSMethodData({ threeDSServerTransId: id, notificationUrl })
    const page = await post(url, { threeDSMethodData: data })
    expect(page.status).toBe(400)
    expect(page.html).toContain('must be an http or https address')
  })
})

describe('the ten seconds of the 3DS method', () => {
  const load = ({ url, id }: { readonly url: string; readonly id: string }) => {
    const data = threeDSMethodData({ threeDSServerTransId: id, notificationUrl: 'http://shop.test/3ds/method' })
    return post(url, { threeDSMethodData: data })
  }

  it('begin when the page is loaded, however late after the first status reply', async () => {
    const shown = await atMethod()
    await gateway.clock.advance(60_000)
    expect((await load(shown)).status).toBe(200)
    await gateway.clock.advance(5_000)
    expect((await upload('uploadMethodUrlResult', { threeDSCompInd: 'Y' })).status).toBe(200)
    expect((await step())?.kind).toBe('challenge')
  })

  it('are over ten seconds later, and do not begin anew', async () => {
    const shown = await atMethod()
    await load(shown)
    await gateway.clock.advance(6_000)
    await load(shown)
    await gateway.clock.advance(4_000)
    const late = await upload('uploadMethodUrlResult', { threeDSCompInd: 'Y' })
    expect(late.reply['error-message']).toContain('ms after the method page was loaded; after 10000 ms it is "N"')
    expect((await upload('uploadMethodUrlResult', { threeDSCompInd: 'N' })).status).toBe(200)
  })
})

// Section 2: `Y` says that the 3DS method completed. Section 8: `N` that it did not, within ten seconds.
describe('a 3DS method that did not complete', () => {
  const books = () => gateway.orders.list().map(({ stages }) => [stages[0]?.status, stages[0]?.threeDSecure])

  it.each([
    ['whose page nobody loaded', undefined],
    ['whose page does not notify the shop', silentMethodCard],
  ])('is not taken for completed: one %s', async (_, creditCardNumber) => {
    const shown = await start(creditCardNumber === undefined ? {} : { creditCardNumber })
    if (shown?.kind !== 'method') return expect.fail(JSON.stringify(shown))
    if (creditCardNumber !== undefined) {
      const data = { threeDSServerTransId: shown.threeDSServerTransId ?? '', notificationUrl: 'http://shop.test/3ds' }
      await post(shown.methodUrl ?? '', { threeDSMethodData: threeDSMethodData(data) })
    }
    const early = await upload('uploadMethodUrlResult', { threeDSCompInd: 'Y' })
    expect(early.status).toBe(400)
    expect(early.reply['error-message']).toContain('the 3DS method did not complete')
    expect(books()).toEqual([['processing', 'method']])
    expect((await upload('uploadMethodUrlResult', { threeDSCompInd: 'N' })).status).toBe(200)
    expect(books()).toEqual([['processing', 'challenge']])
  })
})

describe('the order-stage during 3DS', () => {
  it('is what was observed, until 3DS is done', async () => {
    await atChallenge()
    expect((await status())['order-stage']).toBe('sale_3d_validating')
    const cres = Buffer.from('{"messageType":"CRes","transStatus":"Y"}').toString('base64url')
    await upload('uploadCresResult', { cres })
    expect((await status())['order-stage']).toBe('sale_approved')
  })

  it('is the profile’s', async () => {
    const profile = defineProfile({ threeDSecureStage: 'verificating' })
    gateway = createFakeGateway({ controlKey: 'K', profile })
    await atMethod()
    expect((await status())['order-stage']).toBe('sale_verificating')
  })
})

describe('the card whose method never notifies', () => {
  it('shows a page that posts nothing, and goes on to the challenge with N after ten seconds', async () => {
    const shown = await start({ creditCardNumber: silentMethodCard, cvv2: '123' })
    if (shown?.kind !== 'method' || shown.threeDSServerTransId === undefined) expect.fail(JSON.stringify(shown))
    const { methodUrl = '', threeDSServerTransId } = shown
    const notificationUrl = 'http://shop.test/3ds/method'
    const data = threeDSMethodData({ threeDSServerTransId, notificationUrl })
    const page = await post(methodUrl, { threeDSMethodData: data })
    expect([page.status, page.to, page.fields]).toEqual([200, undefined, {}])
    expect(page.html).not.toContain('<script')
    await gateway.clock.advance(10_000)
    expect((await upload('uploadMethodUrlResult', { threeDSCompInd: 'Y' })).status).toBe(400)
    expect((await upload('uploadMethodUrlResult', { threeDSCompInd: 'N' })).status).toBe(200)
    expect((await step())?.kind).toBe('challenge')
  })

  it('asks for nothing with CVV2 111', async () => {
    expect(await start({ creditCardNumber: silentMethodCard, cvv2: '111' })).toBeUndefined()
    expect((await status()).status).toBe('approved')
  })
})

describe('the challenge', () => {
  it('asks for the code and posts a CRes to TermUrl, with the session data', async () => {
    const { url, creq } = await atChallenge({ redirectUrl: back })
    const asked = await post(url, { creq, threeDSSessionData: 'c2Vzc2lvbg', TermUrl: term })
    expect(asked.html).toContain('<label for="password">Code from your bank</label>')
    expect(asked.html).toContain('VISA card ending in 4448')
    const page = await post(url, { ...asked.fields, password: 'hint' })
    expect(page.to).toBe(term)
    expect(page.fields.threeDSSessionData).toBe('c2Vzc2lvbg')
    const { cres = '' } = page.fields
    expect(JSON.parse(Buffer.from(cres, 'base64url').toString())).toMatchObject({
      messageType: 'CRes',
      transStatus: 'Y',
    })
    expect((await status()).status).toBe('processing')
    const uploaded = await upload('uploadCresResult', { cres })
    expect(uploaded.status).toBe(200)
    const byRequestSn = uploaded.reply['serial-number'] ?? ''
    const bySerialNumber = await call(gateway, 'status', { clientOrderId: 'o-1', byRequestSn })
    expect(bySerialNumber.reply).toMatchObject({ status: 'approved', 'transaction-type': 'sale' })
    expect(await status()).toMatchObject({ status: 'approved', 'verified-3d-status': 'AUTHENTICATED' })
  })

  it.each([{ password: 'guess' }, { cancel: '1' }])('ends in a CRes that declines after %j', async typed => {
    const { url, creq } = await atChallenge({ redirectUrl: back })
    const page = await post(url, { creq, ...typed })
    expect(page.to).toBe(back)
    await upload('uploadCresResult', { cres: page.fields.cres ?? '' })
    expect((await status()).status).toBe('declined')
  })

  it('asks again for a code that is empty', async () => {
    const { url, creq } = await atChallenge({ redirectUrl: back })
    const page = await post(url, { creq, password: ' ' })
    expect(page.status).toBe(422)
    expect(page.html).toContain('Enter the code.')
    expect(page.fields.creq).toBe(creq)
  })

  it('says what is missing: the CReq, the right one, an address to come back to', async () => {
    const { url, creq } = await atChallenge()
    expect((await post(url)).html).toContain('must post &quot;creq&quot;')
    expect((await post(url, { creq: 'e30' })).html).toContain('is not the one that status showed')
    expect((await post(url, { creq })).html).toContain('There is no http or https address to post the CRes to')
  })
})

describe('the page of 3DS 1.0.2', () => {
  it('posts a PaRes and the MD to TermUrl', async () => {
    const { url, form } = await atPareq()
    const asked = await post(url, form)
    const page = await post(url, { ...asked.fields, password: 'hint' })
    expect(page.to).toBe(term)
    expect(page.fields.MD).toBe(form.MD)
    const { PaRes: paRes = '' } = page.fields
    expect(inflateSync(Buffer.from(paRes, 'base64')).toString()).toContain('<status>Y</status>')
    expect((await upload('uploadParesResult', { paRes })).status).toBe(200)
    expect((await status()).status).toBe('approved')
  })

  it('ends in a PaRes that declines after a wrong code', async () => {
    const { url, form } = await atPareq()
    const page = await post(url, { ...form, password: 'guess' })
    await upload('uploadParesResult', { paRes: page.fields.PaRes ?? '' })
    expect((await status()).status).toBe('declined')
  })

  it('says what is wrong: no PaReq, another one, one whose + became spaces, no TermUrl', async () => {
    const { url, form } = await atPareq()
    expect((await post(url)).html).toContain('must post &quot;PaReq&quot;')
    expect((await post(url, { ...form, PaReq: 'eJw=' })).html).toContain('is not the one that status showed')
    // The PaReq of this seed has a "+" in it; without one this test would show nothing.
    expect(form.PaReq).toContain('+')
    const unencoded = form.PaReq.replaceAll('+', ' ')
    expect((await post(url, { ...form, PaReq: unencoded })).html).toContain('the form was not encoded')
    expect((await post(url, { ...form, TermUrl: 'javascript:alert(1)' })).html).toContain('must be the http or https')
  })

  it('gives a PaRes that no other order takes', async () => {
    const first = await atPareq()
    const page = await post(first.url, { ...first.form, password: 'hint' })
    const other = { clientOrderId: 'o-2', creditCardNumber: threeDSecure1Card }
    await pay(gateway, 'sale', other)
    const answer = await upload('uploadParesResult', { paRes: page.fields.PaRes ?? '' }, 'o-2')
    expect(answer.reply['error-message']).toContain('its "xid" differs')
  })
})

describe('3DS that the gateway runs', () => {
  const own = (options: FakeGatewayOptions = {}) => {
    gateway = createFakeGateway({ controlKey: 'K', threeDSecure: 'gateway', ...options })
  }

  it.each([{}, { creditCardNumber: threeDSecure1Card }])(
    'takes the customer to the bank and back with %j',
    async fields => {
      own()
      const shown = await start({ redirectUrl: back, ...fields })
      if (shown?.kind !== 'gateway-run') return expect.fail(JSON.stringify(shown))
      const url = shown.redirectTo ?? ''
      expect(shown.html).toContain(`<form method="post" action="${url}">`)
      expect((await post(url)).html).toContain('Code from your bank')
      expect((await post(url, {})).html).toContain('Code from your bank')
      const page = await post(url, { password: 'hint' })
      expect(page.to).toBe(back)
      expect(page.fields).toMatchObject({ status: 'approved', client_orderid: 'o-1' })
      expect(await status()).toMatchObject({ status: 'approved', 'verified-3d-status': 'AUTHENTICATED' })
      const again = await post(url, { cancel: '1' })
      expect(again.status).toBe(410)
      expect((await status()).status).toBe('approved')
    },
  )

  it('declines after a wrong code', async () => {
    own()
    const shown = await start({ redirectUrl: back })
    const url = shown?.kind === 'gateway-run' ? (shown.redirectTo ?? '') : ''
    expect((await post(url, { password: 'guess' })).fields.status).toBe('declined')
  })

  it('refuses a card that takes 3DS without an address to come back to', async () => {
    own()
    const answer = await pay(gateway, 'sale', { clientOrderId: 'o-1', cvv2: '321' })
    expect(answer.reply['error-message']).toContain('"redirect_url" must be an http or https address')
  })

  it('is an option that cannot be misspelt', () => {
    expect(() => own({ threeDSecure: 'bank' as 'gateway' })).toThrow('"threeDSecure" is "bank"')
  })
})

describe('a page of 3DS', () => {
  it('is for its own step and its own address', async () => {
    const { url } = await atMethod()
    const challenge = await post(url.replace('/method/', '/challenge/'), { creq: 'x' })
    expect(challenge.status).toBe(410)
    expect(challenge.html).toContain('the order is at &quot;method&quot;')
    expect((await post(url.replace('/method/', '/other/'))).status).toBe(404)
    expect((await post(url.replace('/method/', '/toString/'))).status).toBe(404)
    expect((await post(`${url}0`)).status).toBe(404)
  })

  it('refuses garbage and other methods', async () => {
    const { url } = await atMethod()
    const { dispatcher } = gateway
    expect((await request(url, { dispatcher, method: 'POST', body: 'creq=%zz' })).statusCode).toBe(400)
    expect((await request(url, { dispatcher, method: 'PUT', body: 'x' })).statusCode).toBe(405)
  })
})
