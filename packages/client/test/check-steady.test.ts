import { operations } from '@tillkit/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type CheckOptions, type CheckReport, createClient } from '../src/index.js'
import { type GatewayServer, reply, startServer } from './gateway-server.js'
import { otherPrivateKey } from './other-keys.js'
import { controlKey } from './sample-requests.js'
import { rows } from './soak.js'

const verdicts = ({ findings }: CheckReport) =>
  Object.fromEntries(findings.map(({ subject, verdict }) => [subject, verdict]))

describe('a check of a gateway that does not always say the same', () => {
  let server: GatewayServer

  beforeEach(async () => {
    server = await startServer(() => {})
  })

  afterEach(() => server.close())

  interface Said {
    readonly status?: number
    readonly code?: number | string
    readonly message?: string
    readonly record?: boolean
  }

  /** @param say What the server says to the question of this number, from 0 on. */
  async function check(say: (at: number, path: string) => Said, options: CheckOptions = {}, headers: string[] = []) {
    const privateKey = otherPrivateKey
    const client = createClient({ baseUrl: server.baseUrl, endpointId: 39, login: 'merchant', controlKey, privateKey })
    let at = 0
    server.behave((socket, request) => {
      const { status = 400, code, message, record = false } = say(at++, request.head.split(' ')[1] ?? '')
      const error = { type: 'validation-error', 'error-code': code, 'error-message': message }
      const fields = record ? { type: 'status-response', status: 'approved' } : error
      reply({ status: record ? 200 : status, headers, body: JSON.stringify(fields) })(socket, request)
    })
    const report = await client.check(options)
    await client.close()
    return report
  }

  const nothingProven = { login: 'cannot-tell', controlKey: 'cannot-tell', privateKey: 'cannot-tell' }

  it.each(rows([1, 2, 4, 5, 6], (_, at) => at % 2 === 0))(
    'proves nothing where it is asked too often after %i questions',
    async limit => {
      const tooMany = { code: 42, message: 'Too many requests' }
      const report = await check(at => (at < limit ? { code: 8 } : tooMany))
      expect(verdicts(report)).toMatchObject({ endpoint: 'cannot-tell', ...nothingProven })
    },
  )

  it.each(rows([1, 2, 3, 5, 6], (_, at) => at % 2 === 0))(
    'proves nothing where it says something else after %i questions',
    async limit => {
      expect(verdicts(await check(at => ({ code: at < limit ? 8 : 42 })))).toMatchObject(nothingProven)
    },
  )

  it('proves nothing by HTTP 429, however often', async () => {
    const report = await check(at => (at === 1 || at === 2 ? { status: 429, code: 5 } : { code: 8 }))
    expect(verdicts(report)).toMatchObject(nothingProven)
  })

  it('proves nothing where it says one thing and another in turn', async () => {
    const report = await check(at => (at % 2 === 0 ? { code: 8 } : { status: 401, code: 3 }))
    expect(verdicts(report)).toMatchObject(nothingProven)
  })

  it('proves nothing where only the second or third scheme has other words each time', async () => {
    const words = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve']
    const report = await check((at, path) =>
      path.includes('/status/') ? { code: 8 } : { message: words[at % words.length] ?? '' },
    )
    expect(verdicts(report)).toMatchObject(nothingProven)
  })

  it('proves nothing where a wrong key is answered with an order', async () => {
    const report = await check(at => (at === 1 || at === 2 ? { record: true } : { code: 8 }), { schemes: ['control'] })
    expect(verdicts(report)).toMatchObject({ login: 'cannot-tell', controlKey: 'cannot-tell' })
  })

  it('calls no login wrong where the clock may be why it is refused', async () => {
    const say = (at: number) => ({ status: 401, code: at === 1 || at === 2 ? 4 : 3 })
    const schemes = ['oauth-hmac-sha1'] as const
    expect(verdicts(await check(say, { schemes }))).toMatchObject({ login: 'wrong' })
    const late = [`Date: ${new Date(Date.now() - 3_600_000).toUTCString()}`]
    expect(verdicts(await check(say, { schemes }, late))).toMatchObject({ login: 'cannot-tell', clock: 'wrong' })
  })

  it('asks these three questions and no other, at its own endpoint or one that does not exist', async () => {
    await check(() => ({ code: 8 }))
    const paths = [operations.status, operations.panEligibilitySend, operations.createCardRefV4].map(({ path }) => path)
    const endpoints = ['39', '9223372036854775807']
    expect(new Set(server.arrived.map(({ head }) => head.split(' ')[1]))).toEqual(
      new Set(paths.flatMap((path, at) => (at === 0 ? endpoints : ['39']).map(id => `/paynet${path}/${id}`))),
    )
    expect(server.arrived.length).toBeLessThanOrEqual(24)
  })
})
