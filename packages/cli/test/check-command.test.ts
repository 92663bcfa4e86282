/** `tillkit check`, on a gateway over HTTP. */
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { assertNoSecrets, type FakeGateway } from '@tillkit/testing'
import { request } from 'undici'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { secrets, startMerchant } from './merchant.js'
import { endCommands, runToEnd } from './start-command.js'

/** A pair that the gateway does not know: making one takes longer than a test. */
const vector = (name: string): string => fileURLToPath(new URL(`../../signing/test/vectors/${name}`, import.meta.url))
let otherPrivateKey: string
beforeAll(async () => {
  otherPrivateKey = await readFile(vector('rsa-test-key.pem'), 'utf8')
})

let gateway: FakeGateway
let env: NodeJS.ProcessEnv
beforeEach(async () => {
  ;({ gateway, env } = await startMerchant())
})
afterEach(async () => {
  await endCommands()
  await gateway.close()
})

interface Line {
  readonly subject: string
  readonly verdict: string
  readonly explanation: string
}

/** Checks without a private key, unless one is given: for each that is given, the check makes a wrong one, which takes long. */
async function check(given: NodeJS.ProcessEnv = {}) {
  const settings = { ...env, TILLKIT_PRIVATE_KEY: '', ...given }
  const { code, stdout, stderr } = await runToEnd(['check', '--json'], { env: settings })
  // A check sends no card, and three digits turn up in its nonces.
  const { CVV: _, ...keys } = secrets
  assertNoSecrets(`${stdout}${stderr}`, keys)
  expect(stderr).toBe('')
  const { lines } = JSON.parse(stdout) as { lines: readonly Line[] }
  return { code, verdicts: Object.fromEntries(lines.map(({ subject, verdict }) => [subject, verdict])), lines }
}

const allRight = {
  Address: 'ok',
  Clock: 'ok',
  Endpoint: 'ok',
  Login: 'ok',
  'Control key': 'ok',
  'Private key': 'ok',
}

describe('tillkit check', () => {
  it('blames the option for a file that holds no private key', async () => {
    const file = vector('rsa-test-public.pem')
    const { code, stdout, stderr } = await runToEnd(['check', '--private-key-file', file], { env })
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(`- --private-key-file names a file that cannot be used: ${file}. A private key is needed`)
    expect(stderr).not.toContain('TILLKIT_PRIVATE_KEY')
  })

  it('finds all of it right, on lines of 80 columns, and moves no money', async () => {
    const { code, stdout, stderr } = await runToEnd(['check'], { env })
    expect([code, stderr]).toEqual([0, ''])
    for (const subject of Object.keys(allRight)) expect(stdout).toMatch(new RegExp(`^ {2}${subject} +ok `, 'm'))
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
    expect(gateway.orders.list()).toEqual([])
  })

  it.each([
    ['Login', { TILLKIT_LOGIN: 'nobody' }],
    ['Control key', { TILLKIT_CONTROL_KEY: 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20' }],
  ])('never calls a wrong %s right', async (subject, given) => {
    const { code, verdicts } = await check(given)
    expect([1, 3]).toContain(code)
    expect(verdicts[subject]).not.toBe('ok')
    expect(verdicts).toMatchObject({ Address: 'ok' })
  })

  it('says which key is wrong where the other one proves the login', async () => {
    const { code, lines, verdicts } = await check({ TILLKIT_PRIVATE_KEY: otherPrivateKey })
    expect(code).toBe(1)
    expect(lines.find(({ subject }) => subject === 'Private key')).toMatchObject({
      verdict: 'wrong',
      explanation: expect.stringContaining('the public half of this very pair'),
    })
    expect(verdicts).toMatchObject({ Address: 'ok' })
  })

  it('says that nothing listens, that DNS does not know the host, and leaves the rest open', async () => {
    const closed = await check({ TILLKIT_BASE_URL: 'http://127.0.0.1:9/paynet' })
    expect(closed).toMatchObject({ code: 1, verdicts: { Address: 'wrong' } })
    // RFC 6761, section 6.4: no name below `invalid` is ever known.
    const unknown = await check({ TILLKIT_BASE_URL: 'https://gate.invalid/paynet' })
    expect([1, 3]).toContain(unknown.code)
    expect(unknown.verdicts.Address).not.toBe('ok')
  })

  it('says what answers that is no gateway', async () => {
    const server = createServer((_request, response) => response.end('<html>hello</html>')).listen(0, '127.0.0.1')
    await new Promise(resolve => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    const { code, lines } = await check({ TILLKIT_BASE_URL: `http://127.0.0.1:${port}/paynet` })
    server.close()
    server.closeAllConnections()
    expect(code).toBe(1)
    expect(lines.find(({ subject }) => subject === 'Address')?.explanation).toContain(
      'This is not how a gateway answers',
    )
  })

  it('tells a clock that is wrong by the Date header', async () => {
    const { origin } = new URL(env.TILLKIT_BASE_URL ?? '')
    // What is in front of the gateway changes the date, and its own address, which signatures with a time in them cover.
    const front = createServer(async (incoming, response) => {
      const { statusCode, headers, body } = await request(`${origin}${incoming.url}`, {
        method: 'POST',
        headers: { 'content-type': incoming.headers['content-type'], accept: incoming.headers.accept },
        body: await text(incoming),
      })
      const date = new Date(Date.now() - 3_600_000).toUTCString()
      response.writeHead(statusCode, { 'content-type': headers['content-type'], date }).end(await body.text())
    }).listen(0, '127.0.0.1')
    await new Promise(resolve => front.once('listening', resolve))
    const { port } = front.address() as AddressInfo
    const { code, lines } = await check({ TILLKIT_BASE_URL: `http://127.0.0.1:${port}/paynet` })
    front.close()
    front.closeAllConnections()
    expect(code).not.toBe(0)
    expect(lines.find(({ subject }) => subject === 'Clock')).toMatchObject({
      verdict: 'wrong',
      explanation: expect.stringContaining('ahead'),
    })
  })

  it('says nothing of a key that it was not given', async () => {
    const { code, verdicts } = await check()
    expect([code, verdicts]).toEqual([0, { ...allRight, 'Private key': 'not known' }])
  })
})
