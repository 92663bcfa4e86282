/** `tillkit callback`, to a shop over HTTP. Control values are made by OpenSSL, which Node.js carries. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { assertNoSecrets } from '@tillkit/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { runInProcess } from './run-in-process.js'
import type { StartCommandOptions } from './running-command.js'
import { endCommands, runToEnd, startCommand } from './start-command.js'

const controlKey = 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20'
const sha1 = (covered: string): string => createHash('sha1').update(covered).digest('hex')
/** Public page of merchant callbacks: status, orderid, client_orderid and the control key. */
const control = sha1(`approved77order-7${controlKey}`)

let folder: string
let shop: Server
let to: string
let received: { method: string | undefined; url: string | undefined; type: string | undefined; body: string }[]
let answer: { status: number; body: string; hangs?: true; redirects?: true }
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tillkit callback '))
})
beforeEach(async () => {
  received = []
  answer = { status: 200, body: 'OK' }
  shop = createServer(async (request, response) => {
    const { method, url, headers } = request
    received.push({ method, url, type: headers['content-type'], body: await text(request) })
    // As many servers do where a slash is missing: with the query that came.
    const location = answer.redirects && { location: url?.replace('?', '/?') }
    if (answer.hangs === undefined) response.writeHead(answer.status, location).end(answer.body)
  }).listen(0, '127.0.0.1')
  await new Promise(resolve => shop.once('listening', resolve))
  to = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/callback`
})
afterEach(async () => {
  await endCommands()
  shop.close()
  shop.closeAllConnections()
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function callback(words: readonly string[], more: StartCommandOptions = {}) {
  const ended = await runToEnd(['callback', ...words], { env: { TILLKIT_CONTROL_KEY: controlKey }, ...more })
  assertNoSecrets(`${ended.stdout}${ended.stderr}`, { controlKey, control })
  return ended
}

const order = ['--order', 'order-7', '--order-id', '77']

describe('tillkit callback send', () => {
  it('sends a callback that is signed right, and says that the shop took it', async () => {
    const { code, stdout, stderr } = await callback([
      'send',
      '--to',
      `${to}?shop=1`,
      ...order,
      '--field',
      'amount=10.42',
    ])
    expect([code, stderr]).toEqual([0, ''])
    const [{ method, url } = { method: '', url: '' }] = received
    expect(method).toBe('GET')
    expect(Object.fromEntries(new URL(url ?? '', to).searchParams)).toEqual({
      ...{ shop: '1', status: 'approved', orderid: '77', merchant_order: 'order-7', client_orderid: 'order-7' },
      ...{ amount: '10.42', control },
    })
    expect(stdout).toContain(`Sent      GET ${to}\n`)
    expect(stdout).toMatch(/\n {12}control +\*\*\*\n/)
    expect(stdout).toContain('Answered  HTTP 200\n          OK\n')
    expect(stdout).toContain('Means     taken: ')
  })

  it('posts a form, the browser’s as well', async () => {
    for (const more of [['--post'], ['--return']]) await callback(['send', '--to', to, ...order, ...more])
    expect(received).toHaveLength(2)
    for (const { method, type, url, body } of received) {
      expect([method, type, url]).toEqual(['POST', 'application/x-www-form-urlencoded', '/callback'])
      expect(new URLSearchParams(body).get('status')).toBe('approved')
    }
  })

  it.each([
    [403, 'same control key'],
    [404, 'is the path right?'],
    [500, 'look into its log'],
    [503, '--order-id is not the gateway’s id'],
    [302, 'redirect'],
    [204, 'HTTP 200 only'],
  ])('says what an answer of %d means', async (status, words) => {
    answer = { status, body: '' }
    const { code, stdout } = await callback(['send', '--to', to, ...order])
    expect(code).toBe(1)
    expect(stdout.replace(/\s+/g, ' ')).toContain(words)
  })

  it('says that nothing listens, and shows no control value that the shop repeats', async () => {
    answer = { status: 500, body: `no such control: ${control}` }
    expect(await callback(['send', '--to', to, ...order, '--json'])).toMatchObject({ code: 1 })
    const { code, stdout } = await callback(['send', '--to', 'http://127.0.0.1:9/', ...order, '--json'])
    expect([code, JSON.parse(stdout)]).toMatchObject([
      1,
      { kind: 'no-answer', means: expect.stringContaining('did not answer') },
    ])
  })

  it('shows nothing of the query that a redirect repeats', async () => {
    answer = { status: 301, body: '', redirects: true }
    for (const more of [[], ['--json']]) {
      const words = ['send', '--to', to, ...order, '--field', 'card=4444444444444448', ...more]
      const { code, stdout } = await callback(words)
      expect([code, stdout]).toEqual([1, expect.stringContaining('/callback/?…')])
      expect(stdout).not.toContain('4444444444444448')
    }
  })

  it('shows nobody who may come in, neither of its own address nor of one that the shop names', async () => {
    const secret = 'open-sesame'
    const whole = to.replace('//', `//ada:${secret}@`)
    answer = { status: 302, body: `go to ${whole}` }
    for (const more of [[], ['--json']]) {
      const { stdout } = await callback(['send', '--to', whole, ...order, ...more])
      expect(stdout).toContain('http://***@127.0.0.1')
      expect(stdout).not.toContain(secret)
    }
    const { stderr } = await callback(['send', '--to', `ftp://ada:${secret}@shop`, ...order])
    expect(stderr).toContain('--to is "ftp://***@shop"')
  })

  it('names its parameters as the profile says', async () => {
    const file = join(folder, 'profile.json')
    const names = { status: 'state', orderId: 'id', clientOrderId: ['ref'], control: 'sum' }
    await writeFile(file, JSON.stringify({ callbackParameters: names }))
    const { stdout } = await callback(['send', '--to', to, ...order, '--profile', file])
    const [{ url } = { url: '' }] = received
    expect(Object.fromEntries(new URL(url ?? '', to).searchParams)).toEqual({
      state: 'approved',
      id: '77',
      ref: 'order-7',
      sum: control,
    })
    expect(stdout).toMatch(/\n {12}sum +\*\*\*\n/)
  })

  it('is ended by SIGINT while the shop hangs', async () => {
    answer = { status: 200, body: '', hangs: true }
    const reached = once(shop, 'request')
    const command = startCommand(['callback', 'send', '--to', to, ...order], {
      env: { TILLKIT_CONTROL_KEY: controlKey },
    })
    await reached
    command.stop('SIGINT')
    expect(await command.ended).toMatchObject({
      code: 130,
      signal: null,
      stdout: '',
      stderr: `tillkit: Stopped. ${new URL(to).host} had not answered: the callback may have arrived. Look into the log of the shop.\n`,
    })
  })

  it.each([
    [[...order], '--to <address> is missing'],
    [['--to', 'http://127.0.0.1:9'], '--order <id> is missing'],
    [['--to', 'http://127.0.0.1:9', '--order', 'order-7'], '"tillkit status order-7" asks'],
    [['--to', 'shop', ...order], '--to is "shop"; it must be an http or https address'],
    [['--to', 'http://127.0.0.1:9', ...order, '--key-file', 'none'], 'never a key'],
    [['--to', 'http://127.0.0.1:9', ...order, '--profile', 'none'], '--profile is '],
  ])('refuses %j', async (words, problem) => {
    expect(await callback(['send', ...words])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(problem),
    })
    expect(received).toEqual([])
  })

  it('asks for the control key', async () => {
    expect(await callback(['send', '--to', to, ...order], { env: {} })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('The control key is missing'),
    })
  })
})

describe('tillkit callback replay', () => {
  const query = `status=approved&orderid=77&client_orderid=order-7&control=${control}`

  it.each([
    ['an address', () => `${to}?${query}`, 'GET'],
    ['a line of an access log', () => `127.0.0.1 - - [23/Nov/2026] "GET /callback?${query} HTTP/1.1" 403 9`, 'GET'],
    ['a form', () => query, 'GET'],
    ['a whole request', () => `POST /old HTTP/1.1\r\nHost: shop.test\r\nContent-Length: 9\r\n\r\n${query}\r\n`, 'POST'],
  ])('sends %s once more, as it is', async (_what, recorded, method) => {
    expect(await callback(['replay', '--to', to], { input: recorded() })).toMatchObject({ code: 0 })
    expect(received).toHaveLength(1)
    const [{ method: seen, url = '', body } = { method: '', body: '' }] = received
    expect(seen).toBe(method)
    const sent = method === 'GET' ? new URL(url, to).searchParams : new URLSearchParams(body)
    expect(String(sent)).toBe(query)
    expect(new URL(url, to).pathname).toBe('/callback')
  })

  it('is ended by Ctrl+C while it waits for its standard input', async () => {
    const silent = { input: () => new Promise<never>(() => undefined), stopped: Promise.resolve() }
    expect(await runInProcess(['callback', 'replay'], silent)).toEqual({
      code: 130,
      said: '',
      complaint: 'tillkit: Stopped. Nothing was read, and nothing was sent.\n',
    })
  })

  it('goes where it went, from a file', async () => {
    const file = join(folder, 'callback.txt')
    await writeFile(file, `${to}?${query}\n`)
    expect(await callback(['replay', '--file', file, '--post'])).toMatchObject({ code: 0 })
    expect(received).toMatchObject([{ method: 'POST', url: '/callback', body: query }])
  })

  it.each([
    ['', 'is empty'],
    ['GET /callback HTTP/1.1', 'has no parameters'],
    [`GET /callback?${query} HTTP/1.1`, 'name the shop with --to'],
    // Whether it came over TLS is not in it, so a host of elsewhere is not taken from it.
    [`GET /callback?${query} HTTP/1.1\nHost: shop.example\n\n`, 'name the shop with --to'],
    [`GET /callback?${query} HTTP/1.1\nHost: 127.0.0.1@shop.example\n\n`, 'name the shop with --to'],
    [`GET /callback?${query} HTTP/1.1\nHost: [\n\n`, 'name the shop with --to'],
    ['what is this', 'This is no recorded callback.'],
  ])('refuses %j', async (input, problem) => {
    const { code, stderr } = await callback(['replay'], { input })
    expect(code).toBe(2)
    expect(stderr).toContain(problem)
  })
})
