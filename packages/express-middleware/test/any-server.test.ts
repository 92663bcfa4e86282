/** Requests of HTTP/2, and of frameworks with body parsers of another kind. */
import { once } from 'node:events'
import { connect as connectHttp2, createServer as createHttp2Server, type OutgoingHttpHeaders } from 'node:http2'
import { type AddressInfo, connect } from 'node:net'
import { serve } from '@hono/node-server'
import Fastify from 'fastify'
import { Hono } from 'hono'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { webResponse } from '../src/core.js'
import { type AnyDesk, anyDesk, formType } from './any-desk.js'
import { callbackQuery } from './callback-desk.js'
import { listening } from './listening.js'

let desk: AnyDesk
beforeEach(() => {
  desk = anyDesk()
})

describe('a request of HTTP/2', () => {
  /** Sends one over a server of Node.js, as Fastify and Koa use it. */
  async function send(path: string, headers: OutgoingHttpHeaders, body: string) {
    const server = createHttp2Server(async (request, response) => {
      const answer = await desk.receiver.answer(request as never)
      response.writeHead(answer.status, answer.headers).end(answer.body)
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const session = connectHttp2(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    try {
      const stream = session.request({ ':method': 'POST', ':path': path, ...headers })
      const [answered] = await Promise.all([once(stream, 'response'), stream.end(body)])
      return answered[0][':status']
    } finally {
      session.destroy()
      server.close()
    }
  }

  it('is taken though its body announces no length', async () => {
    expect(await send('/callback', { 'content-type': formType }, callbackQuery())).toBe(200)
  })

  it('is taken with a query and no body', async () => {
    expect(await send(`/callback?${callbackQuery()}`, {}, '')).toBe(200)
  })

  it('is refused with a body over the limit, and without a header that HTTP/2 does not have', async () => {
    desk = anyDesk({ maxBodyBytes: 1000 })
    const warned = vi.spyOn(process, 'emitWarning').mockReturnValue()
    expect(await send('/callback', { 'content-type': formType }, `a=${'x'.repeat(2000)}`)).toBe(403)
    // Node.js warns of headers that HTTP/2 does not have.
    expect(warned.mock.calls).toEqual([])
    warned.mockRestore()
    expect(desk.rejections).toMatchObject([{ reason: 'too-large' }])
  })
})

describe('a framework whose body parser is another', () => {
  it('is Fastify that takes forms as text', async () => {
    const app = Fastify()
    app.addContentTypeParser(formType, { parseAs: 'string' }, (_request, body, done) => done(null, body))
    app.all('/callback', async ({ raw, body }, reply) => {
      const answer = await desk.receiver.answer(raw, { body })
      return reply.code(answer.status).headers(answer.headers).send(answer.body)
    })
    const origin = await app.listen({ port: 0, host: '127.0.0.1' })
    try {
      const answers = [callbackQuery(), `${callbackQuery()}&status=approved`].map(body =>
        fetch(`${origin}/callback`, { method: 'POST', headers: { 'content-type': formType }, body }),
      )
      expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 403])
    } finally {
      await app.close()
    }
  })

  it('is Hono that has parsed the form before', async () => {
    const app = new Hono()
    app.use(async ({ req }, next) => {
      await req.formData()
      await next()
    })
    app.post('/noticed', async ({ req }) => webResponse(await desk.receiver.answer(req.raw), () => undefined))
    app.post('/handed-on', async ({ req }) =>
      webResponse(await desk.receiver.answer(req.raw, { body: await req.formData() }), () => undefined),
    )
    await using server = await start(app)
    const statuses = ['/noticed', '/handed-on'].map(async path => {
      const init = { method: 'POST', headers: { 'content-type': formType }, body: callbackQuery() }
      return (await fetch(`${server.origin}${path}`, init)).status
    })
    expect(await Promise.all(statuses)).toEqual([500, 200])
  })

  it.each(['Content-Length: 99999', 'Transfer-Encoding: chunked'])(
    'is Hono with a body over the limit that never ends: %s',
    async header => {
      const app = new Hono()
      app.post('/', async ({ req }) => webResponse(await desk.receiver.answer(req.raw), () => undefined))
      await using server = await start(app)
      const socket = connect(Number(new URL(server.origin).port), '127.0.0.1')
      socket.on('error', () => undefined)
      const head = `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: ${formType}\r\n${header}\r\n\r\n`
      socket.write(`${head}11170\r\n${'a'.repeat(70_000)}\r\n`)
      const [first] = await once(socket, 'data')
      socket.destroy()
      expect(String(first)).toMatch(/^HTTP\/1\.1 403 /)
    },
  )
})

const start = (app: Hono) => listening(serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }))
