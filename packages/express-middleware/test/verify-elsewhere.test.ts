import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { type ControlKeyLookup, type Rejection, type VerifiedCallback, verifyCallback } from '../src/index.js'
import { callbackQuery, controlKey } from './callback-desk.js'
import { serve, versions } from './serve.js'

const [, express] = versions[2]

describe('verifyCallback under node:http', () => {
  it('hands on a verified callback, and an error for anything else', async () => {
    const verify = verifyCallback({ controlKeys: controlKey })
    const server = createServer(
      (request, response: Parameters<typeof verify>[1] & { locals?: { callback?: VerifiedCallback } }) => {
        void verify(request, response, error => {
          response.statusCode = error === undefined ? 200 : 403
          response.end(response.locals?.callback?.keyLabel ?? '')
        })
      },
    )
    await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
    const { port } = server.address() as AddressInfo
    try {
      const answers = await Promise.all(
        [callbackQuery(), callbackQuery({}, 'another key')].map(async query => {
          const response = await fetch(`http://127.0.0.1:${port}/?${query}`)
          return [response.status, await response.text()]
        }),
      )
      expect(answers).toEqual([
        [200, 'key 1'],
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
