import { createFakeGateway } from '@tillkit/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  type CheckOptions,
  type CheckReport,
  type CheckSubject,
  type ClientOptions,
  createClient,
} from '../src/index.js'
import { type Behaviour, type GatewayServer, reply, startServer } from './gateway-server.js'
import { otherPrivateKey } from './other-keys.js'
import { controlKey } from './sample-requests.js'
import { testKey } from './test-key.js'

const verdicts = ({ findings }: CheckReport) =>
  Object.fromEntries(findings.map(({ subject, verdict }) => [subject, verdict]))

const explanation = ({ findings }: CheckReport, subject: CheckSubject) =>
  findings.find(each => each.subject === subject)?.explanation

const allOk = { baseUrl: 'ok', clock: 'ok', endpoint: 'ok', login: 'ok', controlKey: 'ok', privateKey: 'ok' }

describe('a check against the fake gateway, over HTTP', () => {
  let gateway: ReturnType<typeof createFakeGateway>

  beforeEach(async () => {
    gateway = createFakeGateway()
    await gateway.listen()
  })

  afterEach(() => gateway.close())

  async function check(options: Partial<ClientOptions> = {}, checkOptions?: CheckOptions) {
    const client = createClient({ ...gateway.clientOptions, privateKey: testKey, ...options })
    const report = await client.check(checkOptions)
    await client.close()
    return report
  }

  it('finds everything right', async () => {
    const report = await check()
    expect(verdicts(report)).toEqual(allOk)
    expect(report.verdict).toBe('ok')
  })

  it('is refused whatever it asks', async () => {
    await check()
    await check({ login: 'nobody', controlKey: 'wrong', privateKey: otherPrivateKey })
    expect(gateway.calls().length).toBeGreaterThan(10)
    expect(gateway.calls().filter(({ verdict }) => verdict !== 'refused')).toEqual([])
  })

  it.each([
    ['control key', { controlKey: 'another' }, { controlKey: 'wrong' }],
    [
      'control key and there is no other',
      { controlKey: 'another', privateKey: undefined },
      { controlKey: 'wrong', privateKey: 'not-checked', endpoint: 'not-checked' },
    ],
    ['private key', { privateKey: otherPrivateKey }, { privateKey: 'wrong' }],
    [
      'private key and there is no other',
      { privateKey: otherPrivateKey, controlKey: undefined },
      { privateKey: 'wrong', controlKey: 'not-checked', endpoint: 'not-checked' },
    ],
    ['login', { login: 'nobody' }, { login: 'wrong', privateKey: 'cannot-tell', endpoint: 'not-checked' }],
    [
      'login and there is no control key',
      { login: 'nobody', controlKey: undefined },
      { login: 'cannot-tell', privateKey: 'cannot-tell', controlKey: 'not-checked', endpoint: 'not-checked' },
    ],
    [
      'endpoint',
      { endpointId: 40 },
      { endpoint: 'cannot-tell', login: 'cannot-tell', controlKey: 'cannot-tell', privateKey: 'cannot-tell' },
    ],
    ['clock', { clock: () => Date.now() - 3_600_000 }, { clock: 'wrong', privateKey: 'cannot-tell' }],
  ])('names a wrong %s', async (_what, options, found) => {
    const report = await check(options)
    expect(verdicts(report)).toEqual({ ...allOk, ...found })
    expect(report.verdict).toBe(Object.values(found).includes('wrong') ? 'wrong' : 'cannot-tell')
  })

  it('quotes the gateway where it cannot tell by itself', async () => {
    const report = await check({ endpointId: 40 })
    expect(explanation(report, 'endpoint')).toContain('The path says endpointId "40", an unknown endpoint')
  })

  it('knows a path prefix that is not the gateway’s', async () => {
    const { baseUrl } = gateway.clientOptions
    const report = await check({ baseUrl: new URL('/paynett', baseUrl) })
    expect(verdicts(report)).toMatchObject({ baseUrl: 'wrong', login: 'not-checked', controlKey: 'not-checked' })
    expect(explanation(report, 'baseUrl')).toContain('Check the path prefix of "baseUrl".')
    expect(report.probes).toHaveLength(1)
  })

  it('knows a port that speaks no TLS', async () => {
    const report = await check({ baseUrl: String(gateway.clientOptions.baseUrl).replace('http:', 'https:') })
    expect(verdicts(report).baseUrl).toBe('wrong')
    expect(explanation(report, 'baseUrl')).toContain('TLS could not be agreed on: is it https at that port')
  })

  it('tries the schemes it is told to, with the keys there are', async () => {
    const schemesOf = ({ probes }: CheckReport) => [...new Set(probes.map(({ scheme }) => scheme))]
    expect(schemesOf(await check({}, { schemes: ['control'] }))).toEqual(['control'])
    expect(schemesOf(await check({ controlKey: undefined }))).toEqual(['oauth-rsa-sha256'])
    const none = await check({ privateKey: undefined }, { schemes: ['oauth-rsa-sha256'] })
    expect(none).toMatchObject({ verdict: 'cannot-tell', probes: [] })
    await expect(check({}, { schemes: ['rsa' as 'control'] })).rejects.toThrow('"schemes" of check() may hold control,')
    await expect(check({}, { timeout: 0 })).rejects.toMatchObject({ code: 'ERR_INVALID_REQUEST', field: 'timeout' })
  })

  it('checks another merchant', async () => {
    const { login, privateKey } = gateway.clientOptions
    const merchant = { login, controlKey: 'another', privateKey, endpointId: 39 }
    expect(verdicts(await check({ login: 'mine', controlKey: 'mine' }, { merchant }))).toEqual({
      ...allOk,
      controlKey: 'wrong',
    })
    const { endpointId: _endpoint, ...homeless } = merchant
    await expect(check({ login: 'mine' }, { merchant: homeless })).rejects.toThrow('"merchant" names no endpoint')
  })

  it('works for an endpoint group', async () => {
    await gateway.close()
    gateway = createFakeGateway({ endpointGroupId: 7 })
    await gateway.listen()
    expect(verdicts(await check({ endpointId: undefined, endpointGroupId: 7 }))).toEqual(allOk)
  })

  it('is written for people too', async () => {
    const { text, findings } = await check({ controlKey: 'another' })
    const [title, ...lines] = text.split('\n')
    expect(title).toBe(`Check of ${gateway.clientOptions.baseUrl}: wrong`)
    expect(lines).toHaveLength(findings.length)
    expect(lines[4]).toMatch(/^ {2}controlKey {2}wrong {8}It is refused like a key that was made up/)
  })
})

describe('a check of what is no gateway', () => {
  let server: GatewayServer

  beforeEach(async () => {
    server = await startServer(() => {})
  })

  afterEach(() => server.close())

  async function check(options: Partial<ClientOptions> = {}) {
    const client = createClient({
      baseUrl: server.baseUrl,
      endpointId: 39,
      login: 'merchant',
      controlKey,
      timeout: 600_000,
      ...options,
    })
    const report = await client.check()
    await client.close()
    return report
  }

  const page = '<html>It works</html>'
  it.each<[string, Behaviour, string, string]>([
    ['a web page', reply({ type: 'text/html', body: page }), 'wrong', 'This is not how a gateway answers.'],
    [
      'a missing page',
      reply({ status: 404, type: 'text/html', body: page }),
      'wrong',
      'This is not how a gateway answers.',
    ],
    ['a redirect', reply({ status: 307, type: null, headers: ['Location: /x'] }), 'wrong', 'is a redirect'],
    [
      'a firewall',
      reply({ status: 403, type: 'text/html', body: page }),
      'cannot-tell',
      'HTTP 403, not in the gateway’s',
    ],
    ['a proxy without its other side', reply({ status: 502, type: 'text/html' }), 'cannot-tell', 'HTTP 502'],
    ['a list', reply({ body: '{"a":"b"}', status: 201 }), 'cannot-tell', 'cannot be understood as one'],
    ['a server that hangs up', socket => socket.destroy(), 'cannot-tell', 'broke off before'],
    ['a server that speaks no HTTP', socket => socket.end('SSH-2.0\r\n'), 'cannot-tell', 'broke off before'],
  ])('knows %s', async (_what, behaviour, verdict, words) => {
    server.behave(behaviour)
    const report = await check()
    expect(verdicts(report)).toMatchObject({ baseUrl: verdict, login: 'not-checked', controlKey: 'not-checked' })
    expect(explanation(report, 'baseUrl')).toContain(words)
    expect(report.probes).toHaveLength(1)
  })

  it('knows a port where nothing listens', async () => {
    const { baseUrl } = server
    await server.close()
    const report = await check({ baseUrl })
    expect(verdicts(report).baseUrl).toBe('wrong')
    expect(explanation(report, 'baseUrl')).toContain('Nothing listens at host and port of "baseUrl".')
  })

  it.each([
    ['ENOTFOUND', 'wrong', 'DNS does not know the host'],
    ['EAI_AGAIN', 'cannot-tell', 'DNS does not answer'],
    ['CERT_HAS_EXPIRED', 'wrong', 'TLS: the certificate has expired'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'wrong', 'TLS: the certificate is for another host'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'wrong', 'TLS: the certificate is not signed by an authority'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'wrong', 'TLS could not be agreed on'],
    ['UND_ERR_CONNECT_TIMEOUT', 'cannot-tell', 'No connection came about'],
  ])('explains %s', async (code, verdict, words) => {
    const dispatcher = {
      reportsStart: true,
      dispatch() {
        throw Object.assign(new Error('as Node.js puts it'), { code })
      },
    }
    const report = await check({ dispatcher })
    expect(verdicts(report).baseUrl).toBe(verdict)
    expect(explanation(report, 'baseUrl')).toMatch(new RegExp(`^${words}.*as Node\\.js puts it`))
  })
})
