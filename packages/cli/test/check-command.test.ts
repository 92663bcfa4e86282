/** `tillkit check`, as a process, on a gateway over HTTP. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { generateKeyPair } from '@tillkit/signing'
import { assertNoSecrets, type FakeGateway } from '@tillkit/testing'
import { request } from 'undici'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { secrets, startMerchant } from './merchant.js'
import { endCommands, runToEnd } from './start-command.js'

let gateway: FakeGateway
let env: NodeJS.ProcessEnv
beforeEach(async () => {
  ;({ gateway, env } = await startMerchant())
})
afterEach(async () => {
  endCommands()
  await gateway.close()
})

interface Line {
  readonly subject: string
  readonly verdict: string
  readonly explanation: string
}

async function check(given: NodeJS.ProcessEnv = {}) {
  const { code, stdout, stderr } = await runToEnd(['check', '--json'], { env: { ...env, ...given } })
  // A check sends no card, and three digits turn up in its nonces.
  const { CVV: _, ...keys } = secrets
  assertNoSecrets(`${stdout}${stderr}`, keys)
  expect(stderr).toBe('')
  const { lines } = JSON.parse(stdout) as { lines: readonly Line[] }
  return { code, verdicts: Object.fromEntries(lines.map(({ subject, verdict }) => [subject, verdict])), lines }
}

const allRight = {
  DNS: 'ok',
  TLS: 'ok',
  HTTP: 'ok',
  Address: 'ok',
  Clock: 'ok',
  Endpoint: 'ok',
  Login: 'ok',
  'Control key': 'ok',
  'Private key': 'ok',
}

describe('tillkit check', () => {
  it('blames the option for a file that holds no private key', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tillkit check '))
    onTestFinished(() => rm(folder, { recursive: true }))
    const file = join(folder, 'public-key.pem')
    await writeFile(file, generateKeyPair().publicKey)
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
    expect((await check()).verdicts).toEqual(allRight)
  })

  it.each([
    ['Login', { TILLKIT_LOGIN: 'nobody' }],
    ['Control key', { TILLKIT_CONTROL_KEY: 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20' }],
    ['Private key', { TILLKIT_PRIVATE_KEY: generateKeyPair().privateKey }],
  ])('never calls a wrong %s right', async (subject, given) => {
    const { code, verdicts } = await check(given)
    expect([1, 3]).toContain(code)
    expect(verdicts[subject]).not.toBe('ok')
    expect(verdicts).toMatchObject({ DNS: 'ok', HTTP: 'ok' })
  })

  it('says which key is wrong where the other one proves the login', async () => {
    const { code, lines } = await check({ TILLKIT_PRIVATE_KEY: generateKeyPair().privateKey })
    expect(code).toBe(1)
    expect(lines.find(({ subject }) => subject === 'Private key')).toMatchObject({
      verdict: 'wrong',
      explanation: expect.stringContaining('the public half of this very pair'),
    })
  })

  it('says that nothing listens, that DNS does not know the host, and leaves the rest open', async () => {
    const closed = await check({ TILLKIT_BASE_URL: 'http://127.0.0.1:9/paynet' })
    expect(closed).toMatchObject({ code: 1, verdicts: { DNS: 'ok', HTTP: 'not known', Address: 'wrong' } })
    // RFC 6761, section 6.4: no name below `invalid` is ever known.
    const unknown = await check({ TILLKIT_BASE_URL: 'https://gate.invalid/paynet' })
    expect([1, 3]).toContain(unknown.code)
    expect(unknown.verdicts).toMatchObject({ TLS: 'not known', HTTP: 'not known' })
    expect(unknown.verdicts.DNS).not.toBe('ok')
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
      'What answers there is no gateway',
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
    const { code, verdicts } = await check({ TILLKIT_PRIVATE_KEY: '' })
    expect([code, verdicts['Private key']]).toEqual([0, 'not known'])
  })
})
