import { createHash } from 'node:crypto'
import { connect } from 'node:net'
import { defineProfile } from '@tillkit/protocol'
import type { NextFunction, Request, Response } from 'express'
import { describe, expect, it } from 'vitest'
import { type ExpressModule, oldestAndNewest, serve, versions } from '../../test/serve.js'
import { rows } from '../../test/soak.js'
import type { Rejection } from '../config/errors.js'
import { type VerifyCallbackOptions, verifyCallback } from './callbacks.js'

/** Published vector `control-callback-hosted-fields`: payneteasy/hosted-fields-examples, src/callback.test.ts. */
const controlKey = 'test-merchant-control'
const published = {
  status: 'approved',
  orderid: '1234567',
  merchant_order: 'hf-abc',
  control: '652ace404c4dfe8bba069ecee594ec23a89340e1',
}
/** Published vector `control-callback-hosted-fields-empty`, same source. */
const controlOfNothing = '1a66987ac24e927ff2979f83a41cb818936a9e62'

const form = (fields: Readonly<Record<string, string>>) => new URLSearchParams(fields).toString()
const sha1 = (text: string) => createHash('sha1').update(text).digest('hex')

interface Sent {
  readonly query?: string
  readonly body?: string
  readonly type?: string
  readonly method?: string
}

/** Sends one request to a server that verifies callbacks. */
async function check(
  express: ExpressModule,
  { query = '', body, type = 'application/x-www-form-urlencoded', method }: Sent,
  setup: {
    readonly before?: (app: ReturnType<ExpressModule>) => void
    readonly options?: Partial<VerifyCallbackOptions>
  } = {},
) {
  const rejections: Rejection[] = []
  const app = express()
  setup.before?.(app)
  const onRejected = (rejection: Rejection) => void rejections.push(rejection)
  app.use(verifyCallback({ controlKeys: controlKey, onRejected, ...setup.options }))
  app.use(express.urlencoded({ extended: true }))
  app.use((_request, response) => {
    response.json(response.locals.callback)
  })
  await using served = await serve(app)
  const response = await fetch(`${served.origin}/callback${query && `?${query}`}`, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    ...(body === undefined ? {} : { body, headers: { 'content-type': type } }),
  })
  return { status: response.status, text: await response.text(), rejections }
}

const verified = {
  signed: { status: 'approved', orderId: '1234567', clientOrderId: 'hf-abc' },
  unsigned: { amount: '10.00', 'card-holder-name': 'Jöan B' },
  keyLabel: 'key 1',
}
const accepted = form({ ...published, ...verified.unsigned })

type App = ReturnType<ExpressModule>

const none = 'no body parser'

const parsersOf = (express: ExpressModule): readonly (readonly [string, (app: App) => unknown])[] => [
  [none, () => undefined],
  ['express.json', app => app.use(express.json())],
  ['express.urlencoded, extended', app => app.use(express.urlencoded({ extended: true }))],
  ['express.urlencoded, not extended', app => app.use(express.urlencoded({ extended: false }))],
  ['express.json and express.urlencoded', app => app.use(express.json(), express.urlencoded({ extended: true }))],
  ['express.text', app => app.use(express.text({ type: '*/*' }))],
  ['express.raw', app => app.use(express.raw({ type: '*/*' }))],
]

const { merchant_order, ...rest } = published
const notUtf8 = `${form(rest)}&merchant_order=${merchant_order}%E9`

const forgeries: readonly (readonly [name: string, sent: string, reason: string | RegExp])[] = [
  ['a signed parameter twice', `${form(published)}&status=approved`, 'repeated-parameter'],
  ['the control value twice', `${form(published)}&control=${published.control}`, 'repeated-parameter'],
  ['a list', form({ ...published, 'status[]': 'approved' }), /^(nested|repeated)-parameter$/],
  ['a signed parameter, nested', form({ ...published, 'orderid[a]': '1' }), /^(nested|repeated)-parameter$/],
  ['a signed parameter that is no UTF-8', notUtf8, /^(undecodable|control-mismatch)$/],
  ['an altered status', form({ ...published, status: 'declined' }), 'control-mismatch'],
  ['an altered order id', form({ ...published, orderid: '1234568' }), 'control-mismatch'],
  ['no control value', form({ ...published, control: '' }), 'missing-control'],
  ['a truncated control value', form({ ...published, control: published.control.slice(1) }), 'malformed-control'],
  [
    'a control value in capitals',
    form({ ...published, control: published.control.toUpperCase() }),
    'malformed-control',
  ],
  ['a lengthened control value', form({ ...published, control: `${published.control}0` }), 'malformed-control'],
  [
    'an empty callback with the control value of nothing',
    form({ status: '', orderid: '', merchant_order: '', control: controlOfNothing }),
    'missing-parameter',
  ],
  ['only the control value of nothing', form({ control: controlOfNothing }), 'missing-parameter'],
]

/** Those that a body parser may read in its own way. Daily, the other ones come where no parser is. */
const parsed = ['a signed parameter twice', 'a list', 'a signed parameter, nested', 'an altered status']

/**
 * Fields that anybody may add, and those of them that are handed on. The control value is the published one, so what it covers is as the gateway wrote it.
 */
const unsignedDoubts: readonly (readonly [name: string, sent: string, unsigned: Readonly<Record<string, string>>])[] = [
  ['a name in windows-1251', 'name=%C8%E2', {}],
  ['a per cent sign that is not escaped', 'descriptor=SALE-50%', { descriptor: 'SALE-50%' }],
  ['an unsigned parameter twice', 'amount=1&amount=2', {}],
  ['a nested parameter', 'a[b]=c', {}],
  ['a list of one', 'a[]=c', {}],
]

describe.each(oldestAndNewest)('verifyCallback under %s', (version, express) => {
  describe.each(parsersOf(express))('after %s', (parser, before) => {
    // A parser reads bodies: daily, queries come where no parser is.
    const places = rows({ daily: parser === none ? ['query', 'body'] : ['body'], soak: ['query', 'body'] })

    it.each(places)('verifies the published callback in the %s', async place => {
      const { status, text } = await check(express, { [place]: accepted }, { before })
      expect({ status, body: JSON.parse(text) }).toEqual({ status: 200, body: verified })
    })

    it('lets nothing that is not signed make a forgery of the published callback', async () => {
      for (const [name, sent, unsigned] of unsignedDoubts) {
        for (const place of places) {
          const { status, text } = await check(express, { [place]: `${form(published)}&${sent}` }, { before })
          const { name: _unreadable, ...handedOn } = JSON.parse(text).unsigned
          expect({ name, status, handedOn }).toEqual({ name, status: 200, handedOn: unsigned })
        }
      }
    })

    it.each(
      rows({
        daily: forgeries.filter(([name]) => parsed.includes(name) || (parser === none && version === 'Express 5')),
        soak: forgeries,
      }),
    )('refuses %s', async (_case, sent, reason) => {
      for (const place of places) {
        const { status, text, rejections } = await check(express, { [place]: sent }, { before })
        expect({ status, text, count: rejections.length }).toEqual({
          status: 403,
          text: 'ERR_CALLBACK_REJECTED',
          count: 1,
        })
        expect(rejections[0]?.reason).toMatch(reason)
      }
    })
  })
})

describe.each(oldestAndNewest)('verifyCallback, mounted under %s', (_version, express) => {
  it('refuses a signed parameter that came with two values, in the query and in the body', async () => {
    const { status, rejections } = await check(express, { query: 'status=declined', body: form(published) })
    expect([status, rejections[0]?.reason]).toEqual([403, 'repeated-parameter'])
  })

  it.each(parsersOf(express))(
    'verifies a callback that came in the query and in the body, after %s',
    async (_, before) => {
      const { text } = await check(express, { query: accepted, body: accepted }, { before })
      expect(JSON.parse(text)).toEqual(verified)
    },
  )

  it('keeps a parameter of the callback address apart from the signed ones', async () => {
    const { text } = await check(express, { query: 'shop=7', body: form(published) })
    expect(JSON.parse(text).unsigned).toEqual({ shop: '7' })
  })

  it('sees the whole query where it is mounted under a path', async () => {
    const app = express()
    app.use('/callback', verifyCallback({ controlKeys: controlKey }), (_request, response) => {
      response.send(response.locals.callback.keyLabel)
    })
    await using served = await serve(app)
    expect(await (await fetch(`${served.origin}/callback?${form(published)}`)).text()).toBe('key 1')
  })

  it('names the key that matched while one is being replaced', async () => {
    const controlKeys = ['another key', { label: 'since May', key: controlKey }]
    const { text } = await check(express, { query: form(published) }, { options: { controlKeys } })
    expect(JSON.parse(text).keyLabel).toBe('since May')
  })

  it.each([
    ['a body over the limit', { body: form({ ...published, comment: 'x'.repeat(2000) }) }, 'too-large'],
    ['a query over the limit', { query: form({ ...published, comment: 'x'.repeat(2000) }) }, 'too-large'],
    ['an order id that is too long', { query: form({ ...published, merchant_order: 'x'.repeat(200) }) }, 'too-long'],
    ['two hundred and one parameters', { query: 'a&'.repeat(201) }, 'too-large'],
    ['an escape that is no UTF-8', { query: notUtf8 }, 'undecodable'],
    ['JSON', { body: JSON.stringify(published), type: 'application/json' }, 'media-type'],
    ['another method', { query: form(published), method: 'PUT' }, 'method'],
    ['contradicting order ids', { query: form({ ...published, client_orderid: 'hf-xyz' }) }, 'contradicting-order-ids'],
    ['nothing', {}, 'missing-parameter'],
  ])('refuses %s', async (_case, sent: Sent, reason) => {
    const { status, text, rejections } = await check(express, sent, { options: { maxBodyBytes: 1000 } })
    expect({ status, text, reason: rejections[0]?.reason }).toEqual({
      status: 403,
      text: 'ERR_CALLBACK_REJECTED',
      reason,
    })
  })

  it('refuses a chunked body over the limit, which announces no length', async () => {
    const app = express()
    app.use(verifyCallback({ controlKeys: controlKey, maxBodyBytes: 1000 }))
    await using served = await serve(app)
    const body = new ReadableStream({
      start: controller => {
        controller.enqueue(new TextEncoder().encode(`a=${'x'.repeat(2000)}&`))
        controller.close()
      },
    })
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const init = { method: 'POST', body, headers, duplex: 'half' } as RequestInit
    await expect(fetch(served.origin, init).then(response => response.status)).resolves.toBe(403)
  })

  it.each([
    ['announces its length', 'Content-Length: 99999'],
    ['is chunked', 'Transfer-Encoding: chunked'],
  ])('ends the connection of a body over the limit that %s and never ends', async (_case, header) => {
    const app = express()
    app.use(verifyCallback({ controlKeys: controlKey, maxBodyBytes: 1000 }))
    await using served = await serve(app)
    const received = await new Promise<string>(resolve => {
      let text = ''
      const socket = connect(Number(new URL(served.origin).port), '127.0.0.1')
      socket.on('data', chunk => {
        text += chunk.toString()
      })
      socket.on('error', () => undefined)
      socket.on('close', () => resolve(text))
      const head = `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n${header}\r\n\r\n`
      socket.write(`${head}7d0\r\n${'a'.repeat(2000)}\r\n`)
    })
    expect(received).toMatch(/^HTTP\/1\.1 403 /)
    expect(received).toMatch(/^Connection: close\r$/m)
  })

  it('says so when something consumed the body and kept it', async () => {
    const consume = (app: ReturnType<ExpressModule>) =>
      app.use((request, _response, next) => {
        request.resume().on('end', next)
      })
    const { status, text } = await check(express, { body: form(published) }, { before: consume })
    expect([status, text]).toEqual([500, 'ERR_BODY_CONSUMED'])
  })

  it.each([
    [
      'read all of it',
      (app: ReturnType<ExpressModule>) => app.use((request, _response, next) => void request.resume().on('end', next)),
    ],
    [
      'read some of it and stopped',
      (app: ReturnType<ExpressModule>) =>
        app.use((request, _response, next) => {
          request.once('data', () => {
            request.pause()
            next()
          })
        }),
    ],
  ])('says so when something %s', async (_case, before) => {
    const { status, text } = await check(express, { body: form(published) }, { before })
    expect([status, text]).toEqual([500, 'ERR_BODY_CONSUMED'])
  })

  it('reads the query that came, whatever an earlier handler made of the address', async () => {
    const before = (app: ReturnType<ExpressModule>) =>
      app.use((request, _response, next) => {
        request.url = '/callback'
        next()
      })
    expect((await check(express, { query: form(published) }, { before })).status).toBe(200)
  })

  it.each([
    ['while it is read', (_request: Request, _response: Response, next: NextFunction) => next()],
    [
      'before anybody reads it',
      (request: Request, _response: Response, next: NextFunction) => void request.once('close', () => next()),
    ],
  ])('does not wait for a body that is cut off %s', async (_case, before) => {
    const app = express()
    app.use(before)
    const rejected = new Promise<Rejection>(resolve => {
      app.use(verifyCallback({ controlKeys: controlKey, onRejected: resolve }))
    })
    await using served = await serve(app)
    const socket = connect(Number(new URL(served.origin).port), '127.0.0.1')
    socket.on('error', () => undefined)
    socket.end(
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 99\r\n\r\nstatus=',
    )
    expect((await rejected).reason).toBe('cut-off')
  })

  it('refuses where onRejected throws', async () => {
    const onRejected = () => {
      throw new Error('log is full')
    }
    const { status, text } = await check(express, {}, { options: { onRejected } })
    expect([status, text]).toEqual([403, 'ERR_CALLBACK_REJECTED'])
  })

  it.each([
    ['nothing but separators', '&&&', [true, false]],
    ['nothing but what objects have', '__proto__=1', [true]],
  ])(
    'refuses %s after a parser like any other forgery, and says why an empty body may be',
    async (_case, body, kinds) => {
      for (const extended of kinds) {
        const before = (app: ReturnType<ExpressModule>) => app.use(express.urlencoded({ extended }))
        const { status, text, rejections } = await check(express, { body }, { before })
        expect([status, text]).toEqual([403, 'ERR_CALLBACK_REJECTED'])
        expect(rejections).toMatchObject([
          { reason: 'missing-parameter', explanation: expect.stringContaining('something before this middleware') },
        ])
      }
    },
  )

  it('is not answered 200 where the error page sets no status', async () => {
    const app = express()
    const controlKeys = (ids: { readonly status: string }) => {
      if (ids.status === 'approved') throw new Error('the database is away')
      return undefined
    }
    app.all('/callback', verifyCallback({ controlKeys }))
    app.use((_error: unknown, _request: Request, response: Response, _next: NextFunction) => {
      response.send('Something went wrong.')
    })
    await using served = await serve(app)
    const send = async (query: string) => (await fetch(`${served.origin}/callback?${query}`)).status
    expect([await send('a=b'), await send(form(published))]).toEqual([403, 500])
  })

  it('takes null for no control keys, as databases say it', async () => {
    const controlKeys = (() => null) as unknown as VerifyCallbackOptions['controlKeys']
    const { status, rejections } = await check(express, { query: form(published) }, { options: { controlKeys } })
    expect([status, rejections[0]?.reason]).toEqual([403, 'unknown-merchant'])
  })

  it('leaves the body it read to a body parser further on', async () => {
    const app = express()
    app.use(verifyCallback({ controlKeys: controlKey }), express.urlencoded({ extended: true }))
    app.use((request, response) => {
      response.json(request.body)
    })
    await using served = await serve(app)
    const response = await fetch(served.origin, { method: 'POST', body: new URLSearchParams(published) })
    expect(await response.json()).toEqual(published)
  })

  it('is noticed when it is used without the call', async () => {
    const app = express()
    // The types let it pass, which is why it is looked for at run time.
    app.use(verifyCallback)
    await using served = await serve(app)
    expect(await (await fetch(served.origin)).text()).toMatch(/^TypeError: .*Write app.use\(verifyCallback\(/)
  })
})

describe('verifyCallback', () => {
  it('makes a handler with a name', () => {
    expect(verifyCallback({ controlKeys: 'k' }).name).toBe('verifyCallbackHandler')
  })

  it.each([
    ['"controlKeys"', { controlKeys: '' }],
    ['"controlKeys"', { controlKeys: [] }],
    ['"controlKeys"', { controlKeys: [{ label: 'a', key: '' }] }],
    ['"controlKeys"', {}],
    ['"maxBodyBytes"', { controlKeys: 'k', maxBodyBytes: 0 }],
    ['"onRejected"', { controlKeys: 'k', onRejected: 'log' }],
    ['"profile"', { controlKeys: 'k', profile: defineProfile({ callbackItems: ['status', 'amount'] }) }],
    ['"profile"', { controlKeys: 'k', profile: defineProfile({ callbackItems: ['status', 'orderId'] }) }],
    ['"profile"', { controlKeys: 'k', profile: defineProfile({ callbackItems: ['orderId', 'merchantOrderId'] }) }],
    ['"profile"', { controlKeys: 'k', profile: {} }],
    ['verifyCallback', undefined],
  ])('names %s when it is wrong', (name, options) => {
    const build = () => verifyCallback(options as VerifyCallbackOptions)
    expect(build).toThrow(TypeError)
    expect(build).toThrow(name)
  })

  it('tells the log what is wrong and neither the key nor the control value', async () => {
    const [, express] = versions[2]
    const { rejections } = await check(express, { query: form({ ...published, status: 'declined' }) })
    expect(rejections[0]?.explanation).toContain('status, orderId, merchantOrderId')
    expect(JSON.stringify(rejections)).not.toContain(controlKey)
    expect(JSON.stringify(rejections)).not.toContain(published.control)
    expect(JSON.stringify(rejections)).not.toContain(sha1(`declined1234567hf-abc${controlKey}`))
  })
})
