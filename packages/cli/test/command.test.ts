import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer as createShop } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { responseRecords } from '@tillkit/protocol'
import { encodeForm } from '@tillkit/signing'
import { createFakeGateway, testControlKey, testPrivateKey } from '@tillkit/testing'
import { faultNames, plannableOutcomes } from '@tillkit/testing/gateway'
import { request } from 'undici'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { card, customer, prepare } from '../../testing/test/signed-request.js'
import manifest from '../package.json' with { type: 'json' }
import schema from '../src/gateway/config.schema.json' with { type: 'json' }
import { runInProcess } from './run-in-process.js'
import { endCommands, runToEnd, startCommand } from './start-command.js'
import { until } from './until.js'

/** A key of the vectors: making a pair takes longer than a test. */
const vector = (name: string): Promise<string> =>
  readFile(new URL(`../../signing/test/vectors/${name}`, import.meta.url), 'utf8')

const publicKeyFile = 'public.pem'
let place: string
beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'tillkit gateway '))
  await writeFile(join(place, 'public.pem'), await vector('rsa-test-public.pem'))
})
afterEach(endCommands)
afterAll(() => rm(place, { recursive: true, force: true }))

async function config(value: object | string): Promise<string> {
  const path = join(place, 'merchants.json')
  await writeFile(path, typeof value === 'string' ? value : JSON.stringify(value))
  return path
}

const ownOperation = {
  name: 'extendHold',
  path: '/api/v2/extend-hold',
  signing: { scheme: 'control', items: ['login', 'clientOrderId'] },
  effect: 'changes',
  response: 'AsyncResponse',
}

interface Introduced {
  readonly baseUrl: string
  readonly dashboard?: string
  readonly control?: string
  readonly merchants: readonly {
    login: string
    controlKey?: string
    privateKey?: string
    endpoints: { id: string }[]
  }[]
}

async function start(...words: string[]) {
  const command = startCommand(['gateway', '--port', '0', '--json', ...words])
  const line = await command.written('\n')
  if (line === '') throw new Error((await command.ended).stderr)
  return { ...command, introduced: JSON.parse(line) as Introduced }
}

/** Signs with keys of a gateway in this process, and sends to the one in the other. */
async function payout(introduced: Introduced, keys: { login: string; controlKey: string; privateKey: string }) {
  const endpointId = introduced.merchants.find(({ login }) => login === keys.login)?.endpoints[0]?.id ?? ''
  const signer = createFakeGateway({ ...keys, endpointId, origin: new URL(introduced.baseUrl).origin })
  const fields = { clientOrderId: 'p-1', amount: '10.00', currency: 'EUR', accountNumber: '12345678' }
  const replies = []
  for (const name of ['payout', 'payoutCheck'] as const) {
    const { url, headers, parameters } = await prepare(signer, name, { ...fields, clientOrderId: name })
    const body = encodeForm(parameters)
    const answer = await request(url, { method: 'POST', headers, body })
    replies.push([answer.statusCode, (await answer.body.json()) as Record<string, string>] as const)
  }
  return replies
}

/** How many callbacks the gateway has sent. */
async function callbacksOf({ control }: Introduced): Promise<number> {
  const { body } = await request(`${control}/callbacks`)
  return ((await body.json()) as { callbacks: readonly unknown[] }).callbacks.length
}

/** Sends an order, as a shop does. @returns The reply. */
async function order(
  { baseUrl }: Introduced,
  operation: 'sale' | 'saleForm',
  more: Record<string, string>,
): Promise<Record<string, unknown>> {
  const signer = createFakeGateway({ origin: new URL(baseUrl).origin })
  const fields = { clientOrderId: 'o-1', amount: '10.00', currency: 'EUR', ...customer, ...more }
  const { url, headers, parameters } = await prepare(signer, operation, fields)
  const { body } = await request(url, { method: 'POST', headers, body: encodeForm(parameters) })
  return (await body.json()) as Record<string, unknown>
}

const openForm = (introduced: Introduced) => order(introduced, 'saleForm', { redirectUrl: 'https://shop.test/back' })

const statusOf = async (reply: Record<string, unknown>): Promise<number> => {
  const { statusCode, body } = await request(String(reply['redirect-url']))
  await body.dump()
  return statusCode
}

describe('tillkit gateway', () => {
  it('tells a person the addresses, and a line with curl that is answered as it says', async () => {
    const command = startCommand(['gateway', '--port', '0'])
    const text = await command.written('/api/v2/sale/39\n')
    const [, origin = ''] = /Dashboard +(http:\/\/127\.0\.0\.1:\d+)\/__gateway\/\n/.exec(text) ?? []
    expect(text.indexOf('Dashboard')).toBeLessThan(text.indexOf('Stop it with Ctrl+C.'))
    expect(text.indexOf('Stop it with Ctrl+C.')).toBeLessThan(
      text.indexOf('Merchant merchant: endpoint 39; keys published'),
    )
    expect(text).not.toContain(testControlKey)
    expect((await request(`${origin}/__gateway/`)).statusCode).toBe(200)
    const [, accept = '', body = '', url = ''] = /^ {2}curl -H "Accept: (.*?)" -d "(.*?)" (.*)$/m.exec(text) ?? []
    const headers = { accept, 'content-type': 'application/x-www-form-urlencoded' }
    const answer = await request(url, { method: 'POST', headers, body })
    expect([answer.statusCode, await answer.body.json()]).toMatchObject([200, { 'merchant-order-id': 'first-sale' }])
    command.stop('SIGTERM')
    expect(await command.ended).toMatchObject({ code: 0, signal: null, stderr: '' })
  })

  it('shows the keys when it is asked to', async () => {
    const command = startCommand(['gateway', '--port', '0', '--keys'])
    const text = await command.written('/api/v2/sale/39\n')
    expect(text).toContain(`Control key  ${testControlKey}   (published for tests)`)
    expect(text).toContain('-----BEGIN PRIVATE KEY-----')
  })

  it('takes a person who opens its address to the dashboard, and tells a program what it is', async () => {
    const { introduced } = await start()
    const { origin } = new URL(introduced.baseUrl)
    const browser = await request(origin, { headers: { accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8' } })
    expect([browser.statusCode, browser.headers.location]).toEqual([303, introduced.dashboard])
    const program = await request(origin)
    expect([program.statusCode, await program.body.json()]).toMatchObject([
      200,
      { baseUrl: introduced.baseUrl, dashboard: introduced.dashboard, control: introduced.control },
    ])
  })

  it('says once on its log what acquirers would miss in a request', async () => {
    const { introduced, stop, ended } = await start()
    const signer = createFakeGateway({ origin: new URL(introduced.baseUrl).origin })
    for (const clientOrderId of ['o-1', 'o-2']) {
      const fields = { clientOrderId, amount: '10.00', currency: 'EUR', email: 'a@shop.test', ...card }
      const { url, headers, parameters } = await prepare(signer, 'sale', fields)
      const { body, statusCode } = await request(url, { method: 'POST', headers, body: encodeForm(parameters) })
      expect(statusCode).toBe(200)
      await body.dump()
    }
    stop('SIGTERM')
    expect(await ended).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^tillkit: sale, said once: .address1. is missing; [^\n]*require it\.\n$/),
    })
  })

  it('says on its log where nothing takes its callbacks', async () => {
    const shop = createShop((_incoming, response) => response.writeHead(404).end()).listen(0, '127.0.0.1')
    await new Promise(resolve => shop.once('listening', resolve))
    const bound = shop.address()
    const address = `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : 0}/payments/callback`
    const { introduced, stop, ended } = await start()
    await order(introduced, 'sale', { ...card, serverCallbackUrl: address })
    const said = `tillkit: The callback to ${address} was answered with 404: does your shop take callbacks there? This is said once.\n`
    await until(async () => (await callbacksOf(introduced)) === 1)
    stop('SIGTERM')
    const { stdout, stderr } = await ended
    expect(stderr).toContain(said)
    expect(stdout.split('\n')).toHaveLength(2)
    shop.close()
  })

  it('takes keys from the config file, a key file as seen from there, and shows none of them', async () => {
    const [privateKey, publicKey] = await Promise.all([vector('rsa-test-key.pem'), vector('rsa-test-public.pem')])
    await writeFile(join(place, 'south.pem'), `\uFEFF${publicKey.replaceAll('\n', '\r\n')}`)
    const south = { login: 'south', controlKey: 'key of south', publicKeyFile: './south.pem', endpoints: [21] }
    const north = { login: 'north', publicKeyFile, groups: [19] }
    const path = await config(`\uFEFF${JSON.stringify({ merchants: [north, south] })}`)
    const { introduced } = await start('--config', path)
    expect(introduced.merchants[1]).toEqual({ login: 'south', endpoints: [{ id: '21' }], groups: [] })
    expect(JSON.stringify(introduced)).not.toContain('key of south')
    const replies = await payout(introduced, { login: 'south', controlKey: 'key of south', privateKey })
    expect(replies.map(([status]) => status)).toEqual([200, 200])
  })

  it('does as the config file says, and the arguments more so', async () => {
    const settings = { port: 1, formReplies: true, prefix: '/checkout', dashboard: false, seed: 'x' }
    const { introduced } = await start('--config', await config({ $schema: 'x', ...settings }))
    expect(introduced).toMatchObject({ baseUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d{2,5}\/checkout$/) })
    expect(introduced.control).toBeUndefined()
    const { body } = await request(`${introduced.baseUrl}/api/v2/sale/39`, { method: 'POST' })
    expect(await body.text()).toMatch(/^type=error\n&/)
  })

  it('gives out no form and no order id of a gateway that had its port before', async () => {
    const first = await start()
    const opened = await openForm(first.introduced)
    const { port } = new URL(first.introduced.baseUrl)
    first.stop('SIGTERM')
    await first.ended
    const second = await start('--port', port)
    const opensAnew = await openForm(second.introduced)
    expect(second.introduced.baseUrl).toBe(first.introduced.baseUrl)
    expect(opened['paynet-order-id']).toMatch(/^\d{7}$/)
    expect(opensAnew['paynet-order-id']).toMatch(/^\d{7}$/)
    expect(opensAnew['paynet-order-id']).not.toBe(opened['paynet-order-id'])
    expect(opensAnew['redirect-url']).not.toBe(opened['redirect-url'])
    expect(await statusOf(opensAnew)).toBe(200)
    expect(await statusOf(opened)).toBe(404)
  })

  it('gives out the same ones again where the config file says where to begin', async () => {
    const path = await config({ seed: 'x' })
    const [first, second] = [await start('--config', path), await start('--config', path)]
    const ids = [await openForm(first.introduced), await openForm(second.introduced)].map(
      reply => reply['paynet-order-id'],
    )
    expect(ids[0]).toMatch(/^\d{7}$/)
    expect(ids[1]).toBe(ids[0])
  })

  it('keeps the rules that the config file sets', async () => {
    const profile = { usedClientOrderId: 'refused', captureEndsHold: true }
    const { introduced } = await start('--config', await config({ profile, largeOrderIds: true }))
    const signer = createFakeGateway({ origin: new URL(introduced.baseUrl).origin })
    const fields = { clientOrderId: 'o-1', amount: '10.00', currency: 'EUR', ...customer, ...card }
    const { url, headers, parameters } = await prepare(signer, 'sale', fields)
    const sell = () => request(url, { method: 'POST', headers, body: encodeForm(parameters) })
    expect(await (await sell()).body.text()).toMatch(/"paynet-order-id":9007199\d{9}/)
    expect(await (await sell()).body.text()).toContain('was used before')
  })

  it('has the faults and the operations of the config file', async () => {
    const extendHold = {
      ...ownOperation,
      signing: { scheme: 'control', items: ['login', 'clientOrderId', 'days'] },
      required: ['clientOrderId', 'orderId', 'days'],
      wireNames: { days: 'hold_days' },
    }
    const faults = [{ fault: 'maintenance-page', operation: 'sale' }]
    const { introduced } = await start('--config', await config({ faults, operations: [extendHold] }))
    const signer = createFakeGateway({ origin: new URL(introduced.baseUrl).origin })
    const { url, headers, parameters } = await prepare(signer, 'sale', {
      ...{ clientOrderId: 'o-1', amount: '10.00', currency: 'EUR' },
      ...customer,
      ...card,
    })
    const sell = () => request(url, { method: 'POST', headers, body: encodeForm(parameters) })
    const struck = await sell()
    expect([struck.statusCode, await struck.body.text()]).toEqual([503, expect.stringContaining('<h1>')])
    const sold = (await (await sell()).body.json()) as Record<string, string>
    const extend = async (days: string) => {
      const covered = `merchanto-1${days}${testControlKey}`
      const fields = {
        login: 'merchant',
        client_orderid: 'o-1',
        orderid: sold['paynet-order-id'] ?? '',
        hold_days: '7',
      }
      const body = new URLSearchParams({ ...fields, control: createHash('sha1').update(covered).digest('hex') })
      const { accept, 'content-type': type } = headers
      const address = `${introduced.baseUrl}/api/v2/extend-hold/39`
      const answer = await request(address, {
        method: 'POST',
        headers: { accept, 'content-type': type },
        body: String(body),
      })
      const reply = (await answer.body.json()) as Record<string, unknown>
      return [answer.statusCode, String(reply['paynet-order-id'])]
    }
    expect(await extend('7')).toEqual([200, String(sold['paynet-order-id'])])
    expect(await extend('8')).toEqual([401, 'undefined'])
  })

  it('offers editors the names that there are', () => {
    const { fault, operation, outcome } = schema.$defs
    expect(fault.properties.fault.enum).toEqual(faultNames)
    expect(outcome.properties.outcome.enum).toEqual(plannableOutcomes)
    expect(operation.properties.response.enum).toEqual(Object.keys(responseRecords))
  })

  it('answers form-encoded with --form, and shows a line with curl that does not ask for JSON', async () => {
    const command = startCommand(['gateway', '--port', '0', '--form'])
    const [, body = '', url = ''] = /^ {2}curl -d "(.*?)" (.*)$/m.exec(await command.written('/api/v2/sale/39\n')) ?? []
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const answer = await request(url, { method: 'POST', headers, body })
    expect(await answer.body.text()).toContain('type=async-response\n&serial-number=')
  })

  it('lives on while a fault keeps its port closed, and its dashboard and control interface answer', async () => {
    const { introduced, stop, ended } = await start()
    const form = { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' } } as const
    await request(`${introduced.control}/faults`, { ...form, body: 'fault=refuse-connection' })
    await expect(request(introduced.baseUrl)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    for (const address of [introduced.control, introduced.dashboard]) {
      expect((await request(address ?? '')).statusCode).toBe(200)
    }
    await request(`${introduced.control}/faults`, { method: 'DELETE' })
    const answers = async () => (await request(introduced.baseUrl)).statusCode > 0
    await until(() => answers().catch(() => false))
    stop('SIGTERM')
    expect((await ended).code).toBe(0)
  })

  it('stops at once, whoever still has a connection open', async () => {
    const { introduced, stop, ended } = await start()
    const form = { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' } } as const
    const { body } = await request(`${introduced.control}/faults`, { ...form, body: 'fault=commit-then-timeout' })
    await body.dump()
    const hanging = payout(introduced, {
      login: 'merchant',
      controlKey: testControlKey,
      privateKey: testPrivateKey,
    }).catch((error: Error) => error)
    let calls: readonly { readonly fault?: string }[] = []
    await until(async () => {
      const answer = await request(`${introduced.control}/calls`)
      ;({ calls } = (await answer.body.json()) as { calls: typeof calls })
      return calls.length > 0
    })
    expect(calls[0]?.fault).toBe('commit-then-timeout')
    stop('SIGTERM')
    expect((await ended).code).toBe(0)
    expect(await hanging).toBeInstanceOf(Error)
  })

  it('says that a port is taken, and what to do', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await new Promise(resolve => server.once('listening', resolve))
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : 0
    const { code, stdout, stderr } = await runToEnd(['gateway', '--port', String(port)])
    server.close()
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toBe(
      `tillkit: Cannot listen on port ${port} of 127.0.0.1: the port is taken. Stop what listens there, or ` +
        'choose another with --port; --port 0 takes any free one.\n',
    )
  })

  it('prints help, version and schema, and ends', async () => {
    const help = { code: 0, stdout: expect.stringContaining('--port'), stderr: '' }
    expect(await runToEnd(['gateway', '--help'])).toMatchObject(help)
    expect(await runToEnd(['certify', '--help'])).toMatchObject(help)
    expect(await runToEnd(['--help'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('certify'),
      stderr: '',
    })
    expect(await runToEnd(['--version'])).toMatchObject({ code: 0, stdout: `${manifest.version}\n`, stderr: '' })
    const { code, stdout } = await runToEnd(['gateway', '--schema'])
    expect([code, JSON.parse(stdout)]).toEqual([0, schema])
  })

  it('ends with 2 and a message for a wrong argument', async () => {
    const stderr = expect.stringMatching(
      /^tillkit: Unknown option '--prot'\. Did you mean --port\? See tillkit gateway --help\.\n$/,
    )
    expect(await runToEnd(['gateway', '--prot', '1'])).toEqual({ code: 2, signal: null, stdout: '', stderr })
  })

  it.each([
    [['--prot', '1'], undefined, "Unknown option '--prot'"],
    [['--host', '0.0.0.0'], undefined, 'Other machines could reach "0.0.0.0"'],
    [['--public-origin', 'gateway'], undefined, '--public-origin is "gateway"'],
    [['--config', 'none.json'], undefined, '--config: there is no file '],
    [['--config', '.'], undefined, '--config: this is a directory, not a file: '],
    [
      [],
      '{ "merchants": [\n {"login": "north", "controlKey": "K-secret" "endpoints": [1]} ] }',
      'look at line 2, column 4',
    ],
    [[], { host: '0.0.0.0' }, 'Other machines could reach "0.0.0.0"'],
    [[], { merchants: [{ login: 'a', controlKey: 'K-secret', publicKeyFile }] }, 'The merchant "a" has no endpoint'],
    [
      [],
      {
        merchants: [
          { login: 'a', endpoints: [1], publicKeyFile },
          { login: 'a', endpoints: [2], publicKeyFile },
        ],
      },
      'the login "a" more than once',
    ],
    [
      [],
      { merchants: [{ login: 'a', endpoints: [{ id: 1, currency: 'EUU' }] }] },
      '"currency" is "EUU" for the endpoint 1 of "a"',
    ],
    [[], { outcomes: [{ outcome: 'error', operation: 'sail' }] }, '"operation" is "sail"'],
    [[], { faults: [{ fault: 'drop', operation: 'sail' }] }, '"operation" is "sail"'],
    [[], { faults: [{ fault: 'dropp' }] }, '"faults[0].fault" is "dropp"'],
    [[], { operations: [{ ...ownOperation, name: 'sale' }] }, 'The name of the operation "sale" is taken'],
    [[], { operations: [ownOperation, ownOperation] }, 'The name of the operation "extendHold" is taken'],
    [[], { operations: [{ ...ownOperation, path: 'api/x' }] }, '"operations[0].path" is "api/x"'],
    [[], { operations: [{ ...ownOperation, required: ['days'] }] }, 'The operation "extendHold" has "days"'],
    [[], { operations: [{ ...ownOperation, wireNames: { days: 7 } }] }, '"operations[0].wireNames.days" is 7'],
    [
      [],
      { merchants: [{ login: 'a', endpoints: [1], publicKeyFile: 'none.pem' }] },
      '"publicKeyFile" of the merchant "a": there is no file ',
    ],
    [
      [],
      { merchants: [{ login: 'a', endpoints: [1], publicKeyFile: 'merchants.json' }] },
      '"publicKeyFile" of the merchant "a", merchants.json: ',
    ],
    [
      [],
      { merchants: [{ login: 'a', endpoints: [1], publicKeyFile: '-----BEGIN PRIVATE KEY-----\nK-secret' }] },
      'is a key; save it to a file',
    ],
  ])('ends with 2 for %j %j', async (words, value, text) => {
    const more = value === undefined ? [] : ['--config', await config(value)]
    const { code, said, complaint } = await runInProcess(['gateway', ...words, ...more, '--port', '0'], {
      stopped: Promise.resolve(),
    })
    expect([code, said]).toEqual([2, ''])
    expect(complaint).toMatch(/^tillkit: /)
    expect(complaint).toContain(text)
    expect(complaint).not.toContain('K-secret')
  })
})
