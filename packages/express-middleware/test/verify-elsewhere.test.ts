import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import helmet from 'helmet'
import { describe, expect, it } from 'vitest'
import type { Rejection, VerifiedCallback } from '../src/core.js'
import { type ControlKeyLookup, verifyCallback } from '../src/index.js'
import { callbackQuery, controlKey } from './callback-desk.js'
import { serve, versions } from './serve.js'

const [, express] = versions[2]

const connect: () => RequestListener & { use(handler: unknown): void } = createRequire(import.meta.url)('connect')

type Locals = ServerResponse & { locals?: { callback?: VerifiedCallback } }
const answer = (response: Locals, error?: unknown) => {
  response.statusCode = error === undefined ? 200 : 403
  response.end(response.locals?.callback?.keyLabel ?? '')
}

describe('verifyCallback elsewhere', () => {
  const verify = verifyCallback({ controlKeys: controlKey })
  const listeners: readonly (readonly [string, () => RequestListener])[] = [
    [
      'node:http',
      () => (request, response) => void verify(request, response, error => answer(response as Locals, error)),
    ],
    [
      'Connect, behind helmet',
      () => {
        const app = connect()
        app.use(helmet())
        app.use(verify)
        app.use((_request: unknown, response: Locals) => answer(response))
        app.use((error: unknown, _request: unknown, response: Locals, _next: unknown) => answer(response, error))
        return app
      },
    ],
  ]

  it.each(listeners)('hands on a verified callback under %s, and an error for anything else', async (_name, make) => {
    const server = createServer(make())
    await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
    const { port } = server.address() as AddressInfo
    const address = `http://127.0.0.1:${port}/`
    const forged = callbackQuery({}, 'another key')
    const post = (form: string) => fetch(address, { method: 'POST', body: new URLSearchParams(form) })
    try {
      const requests = [
        fetch(`${address}?${callbackQuery()}`),
        post(callbackQuery()),
        fetch(`${address}?${forged}`),
        post(forged),
      ]
      const answers = await Promise.all(
        requests.map(async request => [(await request).status, await (await request).text()]),
      )
      expect(answers).toEqual([
        [200, 'key 1'],
        [200, 'key 1'],
        [403, ''],
        [403, ''],
      ])
    } finally {
      server.close()
      server.closeAllConnections()
    }
  })
})

describe('verifyCallback for several merchants', () => {
  const keys: Readonly<Record<string, string>> = { north: 'key of north', south: 'key of south' }
  const byPath: ControlKeyLookup = async (_ids, request) => {
    const shop = String(request.params.shop)
    return Object.hasOwn(keys, shop) ? keys[shop] : undefined
  }

  it.each([
    ['north', 'key of north', 200, []],
    ['north', 'key of south', 403, ['control-mismatch']],
    ['west', 'key of south', 403, ['unknown-merchant']],
  ])('of %s checks what %s signed: %i', async (shop, key, status, reasons) => {
    const rejections: Rejection[] = []
    const app = express()
    app.all(
      '/callback/:shop',
      verifyCallback({ controlKeys: byPath, onRejected: each => void rejections.push(each) }),
      (_request, response) => void response.sendStatus(200),
    )
    await using served = await serve(app)
    expect((await fetch(`${served.origin}/callback/${shop}?${callbackQuery({}, key)}`)).status).toBe(status)
    expect(rejections.map(({ reason }) => reason)).toEqual(reasons)
  })
})
