/** The pages of 3DS over plain HTTP, where status says whatever the test wants. */
import { createHash } from 'node:crypto'
import { memoryStore, type StatusResponse } from '@tillkit/protocol'
import { describe, expect, it, vi } from 'vitest'
import type { Rejection } from '../src/config/errors.js'
import { type ThreeDSecureOptions, type ThreeDSecureProblem, threeDSecure } from '../src/index.js'
import { keepPayment, paymentOf, paymentsIn } from './kept-payments.js'
import { type ExpressModule, oldest, serve, versions } from './serve.js'
import { until } from './serve-desk.js'

const stateSecrets = [{ id: 'one', secret: 'the first secret, 32 bytes long.' }]
const controlKeys = 'test-merchant-control'
const start = 1_800_000_000_000
const method = { tdsStatus: 'MethodUrlFrame', tdsMethodUrl: 'https://acs.example/method', tdsServerTransId: 'trans-1' }
const challenge = {
  tdsStatus: 'CReqForm',
  tdsChallengeUrl: 'https://acs.example/challenge?a=1&b="2"',
  tdsCreq: 'eyJhIjoxfQ',
  tdsServerTransId: 'trans-1',
}
const pares = { tdsStatus: 'PaReqForm', tdsParesUrl: 'https://acs.example/pareq', tdsPareq: 'eJw+Pa=', tdsMd: 'md-1' }

/** An error of the client, as far as the router looks at it. */
const failure = (code: string) => Object.assign(new Error(code), { code })

interface ShopOptions extends Partial<ThreeDSecureOptions> {
  readonly prefix?: string
  /** How far the clock of this process is before that of the store, in milliseconds. */
  readonly ahead?: number
}

/** A shop whose status shows one step until it is told otherwise. A store that is handed over has the order already. */
async function shop(express: ExpressModule, options: ShopOptions = {}) {
  const { prefix = '', ahead = 0, ...own } = options
  let now = start
  const store = own.store ?? memoryStore({ clock: () => now })
  const payments = paymentsIn(store)
  if (own.store === undefined) await keepPayment(payments, [{ clientOrderId: 'order-1' }])
  let says: Partial<StatusResponse> = {}
  const upload = vi.fn(
    async (_request: object, _options: { readonly attemptId: string }): Promise<unknown> => undefined,
  )
  const client = {
    payments,
    status: vi.fn(async (): Promise<StatusResponse> => {
      const common = { status: 'processing', clientOrderId: 'order-1', orderId: '77', transactionType: 'sale' }
      return { ...common, amount: '10.00', currency: 'EUR', ...says, raw: {} }
    }),
    uploadMethodUrlResult: upload,
    uploadCresResult: upload,
    uploadParesResult: upload,
  }
  const problems: ThreeDSecureProblem[] = []
  const rejections: Rejection[] = []
  const onOutcome = vi.fn()
  const app = express()
  // The proxy in front of the shop takes its prefix away.
  const secure = threeDSecure({
    client,
    address: () => `${served.origin}${prefix}/3ds`,
    stateSecrets,
    controlKeys,
    store,
    onOutcome,
    redirectTo: ({ clientOrderId, view }) => `${prefix}/orders/${clientOrderId}?view=${view}`,
    polling: { attempts: 2, wait: async () => undefined },
    clock: () => now + ahead,
    onProblem: problem => void problems.push(problem),
    onRejected: rejection => void rejections.push(rejection),
    ...own,
  })
  app.use('/3ds', secure)
  const served = await serve(app)
  const address = await secure.addressOf('order-1')
  const go = async (page: string, init: RequestInit = {}) => {
    const url = `${address.replace(prefix === '' ? '\0' : prefix, '')}${page}`
    const response = await fetch(url, { redirect: 'manual', ...init })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  return {
    address,
    client,
    upload,
    problems,
    rejections,
    store,
    payments,
    onOutcome,
    statusSays: (reply: Partial<StatusResponse>) => {
      says = reply
    },
    later: (milliseconds: number) => {
      now += milliseconds
    },
    get: (page = '') => go(page),
    post: (page: string, fields: Record<string, string> = {}) =>
      go(page, { method: 'POST', body: new URLSearchParams(fields) }),
    [Symbol.asyncDispose]: () => served[Symbol.asyncDispose](),
  }
}

const location = ({ headers }: { readonly headers: Headers }) => headers.get('location')
const title = ({ text }: { readonly text: string }) => /<title>([^<]*)</.exec(text)?.[1]
const notification = (id: string) => ({
  threeDSMethodData: Buffer.from(JSON.stringify({ threeDSServerTransID: id })).toString('base64url'),
})

describe.each(oldest)('threeDSecure under %s', (_version, express) => {
  it('sends the customer to the order’s page as soon as status settles it', async () => {
    await using till = await shop(express)
    till.statusSays({ status: 'approved' })
    const answer = await till.get()
    expect([answer.status, location(answer)]).toEqual([303, '/orders/order-1?view=paid'])
    expect(till.onOutcome).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ kind: 'paid', reference: 'order-1' }),
      expect.anything(),
    )
  })

  it('posts the CReq to the bank from a page that may do nothing else', async () => {
    await using till = await shop(express)
    till.statusSays(challenge)
    const { status, headers, text } = await till.get()
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
    expect((await till.get()).headers.get('content-security-policy')).not.toBe(policy)
  })

  it('posts PaReq, MD and its own address to the bank', async () => {
    await using till = await shop(express)
    till.statusSays(pares)
    const { text } = await till.get()
    for (const [name, value] of [
      ['PaReq', 'eJw+Pa='],
      ['MD', 'md-1'],
      ['TermUrl', till.address],
    ]) {
      expect(text).toContain(`<input type="hidden" name="${name}" value="${value}">`)
    }
  })

  it.each([
    ['a CRes', challenge, { cres: 'e30' }, { cres: 'e30' }],
    ['a CRes in other letters', challenge, { cRes: 'e30' }, { cres: 'e30' }],
    ['a PaRes', pares, { PaRes: 'eJx+', MD: 'md-1' }, { paRes: 'eJx+', md: 'md-1' }],
    ['a PaRes without MD', pares, { PaRes: 'eJx+' }, { paRes: 'eJx+' }],
  ])('uploads %s once, however often the browser brings it', async (_what, step, fields, expected) => {
    await using till = await shop(express)
    till.statusSays(step)
    await till.get()
    const back = await till.post('', fields)
    expect([back.status, location(back)]).toEqual([303, till.address])
    expect(till.upload).toHaveBeenCalledExactlyOnceWith(
      { clientOrderId: 'order-1', orderId: '77', ...expected },
      { attemptId: expect.stringMatching(/^order-1 upload\w+Result [\w-]{22}$/) },
    )
    // Status lags behind: the bank's page is not shown again.
    expect(title(await till.get())).toBe('Checking your payment')
    till.statusSays({ status: 'approved' })
    await till.post('', fields)
    expect(till.upload).toHaveBeenCalledTimes(1)
    expect(location(await till.get())).toBe('/orders/order-1?view=paid')
  })

  it('uploads nothing that status does not wait for', async () => {
    await using till = await shop(express)
    for (const step of [{}, method, pares]) {
      till.statusSays(step)
      expect((await till.post('', { cres: 'e30' })).status).toBe(303)
    }
    expect(till.upload).not.toHaveBeenCalled()
  })

  it('says Y when the bank notifies in time, with the browser that the page saw', async () => {
    await using till = await shop(express)
    till.statusSays(method)
    const page = await till.get()
    expect(page.text).toContain('<form id="start" method="post" action="https://acs.example/method" target="method"')
    const [, data = ''] = /name="threeDSMethodData" value="([^"]+)"/.exec(page.text) ?? []
    expect(JSON.parse(Buffer.from(data, 'base64url').toString())).toEqual({
      threeDSServerTransID: 'trans-1',
      threeDSMethodNotificationURL: `${till.address}/notify`,
    })
    till.later(9_999)
    const notified = await till.post('/notify', notification('trans-1'))
    expect(notified.headers.get('content-security-policy')).toContain("frame-ancestors 'self'")
    till.later(60_000)
    await till.post('/notify', notification('trans-1'))
    const done = await till.post('/method', { customer_browser_screen_width: '1280' })
    expect(location(done)).toBe(till.address)
    expect(till.upload).toHaveBeenCalledTimes(1)
    expect(till.upload.mock.calls[0]?.[0]).toMatchObject({
      threeDSCompInd: 'Y',
      threeDSServerTransId: 'trans-1',
      browserScreenWidth: '1280',
      browserIp: '127.0.0.1',
    })
  })

  it.each([
    ['never', undefined],
    ['of another transaction', notification('trans-2')],
    ['in no form that can be read', { threeDSMethodData: 'bm90IGpzb24' }],
  ])('says N after ten seconds when the bank notifies %s', async (_when, fields) => {
    await using till = await shop(express)
    till.statusSays(method)
    await till.get()
    if (fields !== undefined) await till.post('/notify', fields)
    till.later(9_999)
    expect(title(await till.post('/method'))).toBe('Preparing your payment')
    expect(till.upload).not.toHaveBeenCalled()
    till.later(1)
    await till.get()
    expect(till.upload.mock.calls.map(([request]) => request)).toMatchObject([{ threeDSCompInd: 'N' }])
  })

  it('says N when the bank notifies too late', async () => {
    await using till = await shop(express)
    till.statusSays(method)
    await till.get()
    till.later(10_000)
    await till.post('/notify', notification('trans-1'))
    await till.post('/method')
    expect(till.upload.mock.calls.map(([request]) => request)).toMatchObject([{ threeDSCompInd: 'N' }])
  })

  it('says U at once where there is no method', async () => {
    await using till = await shop(express)
    till.statusSays({ tdsStatus: 'MethodUrlFrame' })
    const answer = await till.get()
    expect([answer.status, location(answer)]).toEqual([303, till.address])
    expect(till.upload.mock.calls[0]?.[0]).toMatchObject({ threeDSCompInd: 'U', orderId: '77' })
    expect(title(await till.get())).toBe('Checking your payment')
    expect(till.upload).toHaveBeenCalledTimes(1)
  })

  it('says N where the gateway refuses a Y that came late by its own clock', async () => {
    await using till = await shop(express)
    till.statusSays(method)
    await till.get()
    await till.post('/notify', notification('trans-1'))
    till.upload.mockRejectedValueOnce(failure('ERR_REQUEST_REFUSED'))
    expect(location(await till.post('/method'))).toBe(till.address)
    expect(till.upload.mock.calls.map(([request]) => request)).toMatchObject([
      { threeDSCompInd: 'Y' },
      { threeDSCompInd: 'N' },
    ])
    const ids = till.upload.mock.calls.map(([, { attemptId }]) => attemptId)
    expect(new Set(ids).size).toBe(2)
    expect(till.problems).toMatchObject([{ clientOrderId: 'order-1', cause: { code: 'ERR_REQUEST_REFUSED' } }])
  })

  it.each(['ERR_REQUEST_REFUSED', 'ERR_OUTCOME_UNKNOWN', 'ERR_ALREADY_SENT'])(
    'sends no result again after %s, and sends nobody back to the bank',
    async code => {
      await using till = await shop(express)
      till.statusSays(challenge)
      till.upload.mockRejectedValue(failure(code))
      await till.post('', { cres: 'e30' })
      expect(title(await till.get())).toBe('Checking your payment')
      expect(till.upload).toHaveBeenCalledTimes(1)
      expect(till.problems).toHaveLength(code === 'ERR_ALREADY_SENT' ? 0 : 1)
    },
  )

  it.each([
    ['the same', 'e30'],
    ['another one', 'W10'],
  ])('uploads one CRes of a challenge, however often a browser brings %s', async (_which, second) => {
    await using till = await shop(express)
    till.statusSays(challenge)
    let take = (): void => undefined
    till.upload.mockImplementationOnce(
      () =>
        new Promise(resolve => {
          take = () => resolve(undefined)
        }),
    )
    const atOnce = ['e30', second].map(cres => till.post('', { cres }))
    await until(() => till.client.status.mock.calls.length > 1)
    take()
    await Promise.all(atOnce)
    // Status lags behind, and the customer goes back and comes again.
    await till.post('', { cres: second })
    expect(till.upload).toHaveBeenCalledTimes(1)
    till.statusSays({ ...challenge, tdsServerTransId: 'trans-2' })
    await till.post('', { cres: 'e30' })
    expect(till.upload).toHaveBeenCalledTimes(2)
  })

  it('does not say N where nobody knows whether the Y arrived', async () => {
    await using till = await shop(express)
    till.statusSays(method)
    await till.get()
    await till.post('/notify', notification('trans-1'))
    till.upload.mockRejectedValue(failure('ERR_OUTCOME_UNKNOWN'))
    expect(title(await till.post('/method'))).toBe('Checking your payment')
    expect(title(await till.get())).toBe('Checking your payment')
    expect(till.upload).toHaveBeenCalledTimes(1)
  })

  it('sends a result again that never left', async () => {
    await using till = await shop(express)
    till.statusSays(challenge)
    till.upload.mockRejectedValueOnce(failure('ERR_NOT_SENT'))
    await till.post('', { cres: 'e30' })
    const ids = till.upload.mock.calls.map(([, { attemptId }]) => attemptId)
    expect(ids).toEqual([ids[0], ids[0]])
    expect(till.problems).toEqual([])
  })

  it('follows the gateway’s redirect once, and offers it afterwards', async () => {
    await using till = await shop(express)
    till.statusSays({ redirectTo: 'https://gate.example/3ds?a=1&b=2' })
    const first = await till.get()
    expect(first.text).toContain('<meta http-equiv="refresh" content="0;url=https://gate.example/3ds?a=1&#38;b=2">')
    const control = createHash('sha1').update(`processing77order-1${controlKeys}`).digest('hex')
    const fields = { status: 'processing', orderid: '77', client_orderid: 'order-1', control }
    expect(location(await till.post('', fields))).toBe(till.address)
    const second = await till.get()
    expect(second.text).not.toContain('content="0;')
    expect(second.text).toContain('<a class="button" href="https://gate.example/3ds?a=1&#38;b=2">')
    expect([till.upload.mock.calls, till.rejections]).toEqual([[], []])
  })

  it.each([
    ['<b>Bank</b>', '<!doctype html>\n<meta charset="utf-8">\n<b>Bank</b>'],
    ['<!DOCTYPE html><b>Bank</b>', '<!DOCTYPE html><b>Bank</b>'],
  ])('serves %s of the gateway in a sandbox of its own, once by itself', async (html, expected) => {
    await using till = await shop(express)
    till.statusSays({ html })
    const { text, headers } = await till.get()
    expect(text).toBe(expected)
    expect(headers.get('content-security-policy')?.split('; ')).toEqual([
      'sandbox allow-forms allow-scripts allow-popups allow-top-navigation',
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ])
    expect(headers.get('cache-control')).toBe('no-store')
    expect((await till.get()).text).toContain(`<a class="button" href="${till.address}/again">`)
    expect((await till.get('/again')).text).toBe(expected)
    till.statusSays({ status: 'approved' })
    expect(location(await till.get('/again'))).toBe(till.address)
  })

  it.each([
    ['http to a host', { redirectTo: 'http://gate.example/3ds' }],
    ['a script', { redirectTo: 'javascript:alert(1)' }],
    ['a word of 3DS that nobody knows', { tdsStatus: 'Riddle' }],
    ['a bank without https', { ...challenge, tdsChallengeUrl: 'http://acs.example/' }],
  ])('sends nobody anywhere for %s, and says so', async (_what, step) => {
    await using till = await shop(express)
    till.statusSays(step)
    expect(location(await till.get())).toBe('/orders/order-1?view=checking')
    expect(till.problems).toHaveLength(1)
  })

  it('reports what a browser brings that does not verify, and asks status all the same', async () => {
    await using till = await shop(express)
    till.statusSays({ status: 'declined' })
    const fields = { status: 'approved', orderid: '77', client_orderid: 'order-1', control: '0'.repeat(40) }
    expect(location(await till.post('', fields))).toBe(till.address)
    expect(location(await till.get())).toBe('/orders/order-1?view=declined')
    expect(till.rejections.map(({ reason }) => reason)).toEqual(['control-mismatch'])
  })

  it('still uploads and settles with an expired state, and shows no page of 3DS for it', async () => {
    await using till = await shop(express)
    till.statusSays(challenge)
    till.later(86_400_000)
    await till.post('', { cres: 'e30' })
    expect(till.upload).toHaveBeenCalledTimes(1)
    till.statusSays({ status: 'approved' })
    expect(location(await till.get())).toBe('/orders/order-1?view=checking')
    expect(till.onOutcome).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ kind: 'paid' }), expect.anything())
  })

  it('looks again by itself, twenty times, and leaves then', async () => {
    await using till = await shop(express)
    expect((await till.get('?look=19')).text).toContain(`data-url="${till.address}?look=20" data-seconds="2"`)
    expect(location(await till.get('?look=20'))).toBe('/orders/order-1?view=checking')
    expect((await till.get('?look=-1')).text).toContain('?look=1"')
  })

  it('refuses a state that is forged or for something else, and passes on what is not its own', async () => {
    await using till = await shop(express)
    const [header, , signature] = till.address.split('/').at(-1)?.split('.') ?? []
    const forged = till.address.replace(/[^/]+$/, `${header}.e30.${signature}`)
    const answer = await fetch(forged)
    expect([answer.status, await answer.text()]).toEqual([403, 'ERR_STATE_REJECTED'])
    expect((await till.get('/other')).status).toBe(404)
    expect((await till.get('/notify')).status).toBe(404)
    expect((await till.get('/method/deeper')).status).toBe(404)
  })

  it('works below a prefix that a proxy takes away', async () => {
    await using till = await shop(express, { prefix: '/shop' })
    expect(till.address).toContain('/shop/3ds/')
    till.statusSays(challenge)
    expect(location(await till.post('', { cres: 'e30' }))).toBe(till.address)
    till.statusSays({ status: 'approved' })
    expect(location(await till.get())).toBe('/shop/orders/order-1?view=paid')
  })

  it('keeps short addresses for gateways that take short addresses only', async () => {
    await using till = await shop(express, { shortAddresses: true })
    expect(till.address).toMatch(/\/3ds\/[\w-]{22}$/)
    till.statusSays({ status: 'approved' })
    expect(location(await till.get())).toBe('/orders/order-1?view=paid')
  })

  it('speaks another language where it is told to, and escapes it', async () => {
    const pages = { shopName: 'Töpfe & Co', language: 'de', texts: { bankTitle: 'Weiter <zur> Bank' } }
    await using till = await shop(express, { pages })
    till.statusSays(challenge)
    const { text } = await till.get()
    expect(text).toContain('<html lang="de" dir="ltr">')
    expect(text).toContain('<p class="shop">Töpfe &#38; Co</p>')
    expect(text).toContain('<h1>Weiter &#60;zur&#62; Bank</h1>')
  })
})

describe('3DS that goes on in another process on the same store', () => {
  const [, express] = versions[2]

  it.each([
    ['of equal clocks', 0],
    ['an hour ahead', 3_600_000],
    ['an hour behind', -3_600_000],
  ])('counts the ten seconds of a 3DS method by the clock of the store: %s', async (_case, ahead) => {
    await using one = await shop(express)
    await using other = await shop(express, { store: one.store, ahead })
    for (const each of [one, other]) each.statusSays(method)
    await one.get()
    one.later(9_999)
    expect(title(await other.post('/method'))).toBe('Preparing your payment')
    expect(other.upload).not.toHaveBeenCalled()
    one.later(1)
    await other.get()
    expect(other.upload.mock.calls.map(([request]) => request)).toMatchObject([{ threeDSCompInd: 'N' }])
    await one.get()
    expect(one.upload).not.toHaveBeenCalled()
  })

  it.each([
    ['ahead', 3_600_000],
    ['behind', -3_600_000],
  ])('says Y where the bank notified a process whose clock is an hour %s', async (_case, ahead) => {
    await using one = await shop(express)
    await using other = await shop(express, { store: one.store, ahead })
    for (const each of [one, other]) each.statusSays(method)
    await one.get()
    one.later(5_000)
    await other.post('/notify', notification('trans-1'))
    one.later(60_000)
    await one.post('/method')
    expect(one.upload.mock.calls.map(([request]) => request)).toMatchObject([{ threeDSCompInd: 'Y' }])
  })

  it('uploads a result once, and sends nobody to the bank again', async () => {
    await using one = await shop(express)
    await using other = await shop(express, { store: one.store })
    for (const each of [one, other]) each.statusSays(challenge)
    await one.get()
    await other.post('', { cres: 'e30' })
    await one.post('', { cres: 'e30' })
    expect(title(await one.get())).toBe('Checking your payment')
    expect([one.upload.mock.calls.length, other.upload.mock.calls.length]).toEqual([0, 1])
  })

  it('keeps what both have learned at the same time', async () => {
    await using one = await shop(express)
    await using other = await shop(express, { store: one.store })
    for (const each of [one, other]) each.statusSays(method)
    await one.get()
    other.statusSays(challenge)
    await Promise.all([one.post('/notify', notification('trans-1')), other.post('', { cres: 'e30' })])
    const [order] = (await paymentOf(one.payments, 'order-1'))?.orders ?? []
    expect(order?.threeDSecure).toEqual({
      done: ['challenge trans-1'],
      method: { id: 'trans-1', startedAt: start, notifiedAt: start },
    })
  })

  it('tells the outcome once', async () => {
    await using one = await shop(express)
    await using other = await shop(express, { store: one.store })
    for (const each of [one, other]) each.statusSays({ status: 'approved' })
    const answers = await Promise.all([one.get(), other.get(), one.get(), other.get()])
    expect(answers.map(location)).toEqual(Array(4).fill('/orders/order-1?view=paid'))
    expect([...one.onOutcome.mock.calls, ...other.onOutcome.mock.calls]).toHaveLength(1)
  })
})

describe('threeDSecure', () => {
  const upload = async () => undefined
  const client = { status: async () => ({ status: '', raw: {} }), uploadMethodUrlResult: upload }
  const whole = { ...client, uploadCresResult: upload, uploadParesResult: upload }
  const store = memoryStore()
  const options: ThreeDSecureOptions = {
    client: { ...whole, payments: paymentsIn(store) },
    address: 'https://shop.example/3ds',
    stateSecrets,
    controlKeys,
    store,
    onOutcome: () => undefined,
    redirectTo: () => '/',
  }

  it.each([
    [{ address: 'http://shop.example/3ds' }, 'absolute https address'],
    [{ client }, '"client" has no method "uploadCresResult"'],
    [{ pages: { texts: { bankTitel: '' } } }, '"pages.texts" has no option "bankTitel"'],
    [{ client: whole }, '"client" keeps its payments in another store, or in none'],
    [{ store: memoryStore() }, '"client" keeps its payments in another store'],
    [{ store: undefined }, '"store"'],
    [{ onOutcome: undefined }, '"onOutcome"'],
    [{ shopName: 'x' }, 'has no option "shopName"'],
  ])('refuses %j when it is built', (wrong, message) => {
    expect(() => threeDSecure({ ...options, ...wrong } as ThreeDSecureOptions)).toThrow(message)
  })
})
