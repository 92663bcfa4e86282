import { createPrivateKey } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createFakeGateway } from '@tillkit/testing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { withHeldTime } from '../../test/held-time.js'
import { otherPrivateKey, otherPublicKey } from '../../test/other-keys.js'
import { saleRequest } from '../../test/sample-requests.js'
import { clientOptionsFromEnv, createClient, createClientFromEnv } from '../index.js'

const pair = { privateKey: otherPrivateKey, publicKey: otherPublicKey }
const payout = { clientOrderId: 'p-1', amount: '5.00', currency: 'EUR', accountNumber: '40817' }
const right = {
  TILLKIT_BASE_URL: 'https://gate.example/paynet',
  TILLKIT_ENDPOINT_ID: '39',
  TILLKIT_LOGIN: 'merchant',
  TILLKIT_CONTROL_KEY: 'the-control-key',
}

/** What is said to be wrong with an environment, without the first line. */
function problems(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  try {
    createClientFromEnv(env)
    return []
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError)
    return String(error).split('\n- ').slice(1)
  }
}

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tillkit-'))
  writeFileSync(join(folder, 'control.txt'), 'the-control-key\n')
  writeFileSync(join(folder, 'key.pem'), pair.privateKey)
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('createClientFromEnv', () => {
  it('names everything that is missing at once', () => {
    expect(problems({})).toEqual([
      'TILLKIT_BASE_URL is not set.',
      'TILLKIT_LOGIN is not set.',
      'TILLKIT_ENDPOINT_ID is not set, nor is TILLKIT_ENDPOINT_GROUP_ID.',
      'TILLKIT_CONTROL_KEY is not set, nor is TILLKIT_PRIVATE_KEY; either may be a file: TILLKIT_CONTROL_KEY_FILE, TILLKIT_PRIVATE_KEY_FILE.',
    ])
  })

  it('names everything that is damaged at once, and no key', () => {
    const found = problems({
      TILLKIT_BASE_URL: 'http://gate.example/paynet',
      TILLKIT_ENDPOINT_ID: '39 ',
      TILLKIT_LOGIN: '"merchant"',
      TILLKIT_CONTROL_KEY: 'the-control-key\n',
      TILLKIT_PRIVATE_KEY: pair.privateKey.slice(0, 600),
      TILLKIT_ENVIRONMENT: 'live',
      TILLKIT_SERVER_CALLBACK_URL: '/callback',
      TILLKIT_TIMEOUT: '30s',
      TILLKIT_BASEURL: 'https://gate.example/paynet',
      'TILLKIT_LOGIN\u0000': 'merchant',
    })
    expect(found).toHaveLength(10)
    for (const words of [
      'TILLKIT_BASE_URL is a http: address of gate.example',
      'TILLKIT_ENDPOINT_ID is "39 "',
      'TILLKIT_LOGIN is in quotes',
      'TILLKIT_CONTROL_KEY begins or ends with white space',
      'TILLKIT_PRIVATE_KEY cannot be used.',
      'TILLKIT_ENVIRONMENT is "live"; it must be "test" or "production"',
      'TILLKIT_SERVER_CALLBACK_URL is a path',
      'TILLKIT_TIMEOUT is "30s"; it must be a whole number of milliseconds',
      'TILLKIT_BASEURL is no variable of this package. Did you mean TILLKIT_BASE_URL?',
      '"TILLKIT_LOGIN\\u0000" is no variable of this package. Did you mean TILLKIT_LOGIN?',
    ]) {
      expect(found.filter(problem => problem.startsWith(words))).toHaveLength(1)
    }
    expect(found.join()).not.toMatch(/the-control-key|MII/)
  })

  it.each([
    [{ TILLKIT_LOGIN: '' }, 'TILLKIT_LOGIN is not set.'],
    [{ TILLKIT_ENDPOINT_GROUP_ID: '7' }, 'TILLKIT_ENDPOINT_ID and TILLKIT_ENDPOINT_GROUP_ID are both set.'],
    [{ TILLKIT_CONTROL_KEY_FILE: '/x' }, 'TILLKIT_CONTROL_KEY and TILLKIT_CONTROL_KEY_FILE are both set.'],
    [
      { TILLKIT_PRIVATE_KEY_FILE: '/nowhere/key.pem' },
      'TILLKIT_PRIVATE_KEY_FILE does not name a file that can be read (ENOENT): /nowhere/key.pem. It takes the path',
    ],
    [
      { TILLKIT_PRIVATE_KEY_FILE: tmpdir() },
      `TILLKIT_PRIVATE_KEY_FILE does not name a file that can be read (EISDIR): ${tmpdir()}. It takes the path`,
    ],
    [
      { TILLKIT_PRIVATE_KEY_FILE: join(tmpdir(), 'no-such-secret') },
      `TILLKIT_PRIVATE_KEY_FILE does not name a file that can be read (ENOENT): ${join(tmpdir(), 'no-such-secret')}.`,
    ],
    [
      { TILLKIT_PRIVATE_KEY_FILE: '/MIIE+vgI/BADA==' },
      'TILLKIT_PRIVATE_KEY_FILE does not name a file that can be read (ENOENT). It takes the path',
    ],
    [
      { TILLKIT_PRIVATE_KEY_FILE: '/nowhere\u0000\u001b[2J/key.pem' },
      'TILLKIT_PRIVATE_KEY_FILE does not name a file that can be read (ERR_INVALID_ARG_VALUE). It takes the path',
    ],
    [{ TILLKIT_PRIVATE_KEY_FILE: pair.privateKey }, 'TILLKIT_PRIVATE_KEY_FILE does not name a file that can be read'],
    [{ TILLKIT_PRIVATE_KEY: pair.publicKey }, 'TILLKIT_PRIVATE_KEY cannot be used. A private key is needed to sign'],
  ])('finds one mistake: %#', (env, words) => {
    const found = problems({ ...right, ...env })
    expect(found).toHaveLength(1)
    expect(found[0]?.startsWith(words)).toBe(true)
    expect(found[0]).not.toContain('MII')
  })

  it('blames the variable that names the file of a key, and not the one that was not set', () => {
    const file = join(folder, 'public-key.pem')
    writeFileSync(file, pair.publicKey)
    expect(problems({ ...right, TILLKIT_PRIVATE_KEY_FILE: file })).toEqual([
      expect.stringContaining(
        `TILLKIT_PRIVATE_KEY_FILE names a file that cannot be used: ${file}. A private key is needed to sign`,
      ),
    ])
  })

  it('names variables where two of them do not go together', () => {
    const env = { ...right, TILLKIT_BASE_URL: 'http://localhost/', TILLKIT_ENVIRONMENT: 'production' }
    expect(() => createClientFromEnv(env)).toThrow(
      'TILLKIT_ENVIRONMENT is "production" while TILLKIT_BASE_URL is this machine, which is always a test.',
    )
  })

  it('takes plain http off this machine where a variable or an option allows it', () => {
    const env = { ...right, TILLKIT_BASE_URL: 'http://gateway:4010/paynet' }
    expect(problems(env).join()).toContain('set TILLKIT_ALLOW_PLAIN_HTTP to true')
    expect(problems({ ...env, TILLKIT_ALLOW_PLAIN_HTTP: 'true' })).toEqual([])
    expect(() => createClientFromEnv(env, { allowPlainHttp: true })).not.toThrow()
    expect(problems({ ...env, TILLKIT_ALLOW_PLAIN_HTTP: 'false' })).toHaveLength(1)
    expect(problems({ ...right, TILLKIT_ALLOW_PLAIN_HTTP: '1' })).toEqual([
      'TILLKIT_ALLOW_PLAIN_HTTP is "1"; it must be true or false.',
    ])
    expect(() =>
      createClientFromEnv({ ...env, TILLKIT_ALLOW_PLAIN_HTTP: 'true', TILLKIT_ENVIRONMENT: 'production' }),
    ).toThrow('TILLKIT_ALLOW_PLAIN_HTTP is true while TILLKIT_ENVIRONMENT is "production".')
  })

  it('leaves variables of others alone', () => {
    expect(problems({ ...right, TILLKIT_GATEWAY_PORT: '8080', LOGIN: 'x' })).toEqual([])
  })

  it.each([
    ['as they are', () => ({ TILLKIT_CONTROL_KEY: 'the-control-key', TILLKIT_PRIVATE_KEY: pair.privateKey })],
    [
      'on one line',
      () => ({ TILLKIT_CONTROL_KEY: 'the-control-key', TILLKIT_PRIVATE_KEY: pair.privateKey.replaceAll('\n', '\\n') }),
    ],
    [
      'escaped twice',
      () => ({
        TILLKIT_CONTROL_KEY: 'the-control-key',
        TILLKIT_PRIVATE_KEY: pair.privateKey.replaceAll('\n', '\\\\n'),
      }),
    ],
    [
      'as Base64 of the file, as the error for missing line breaks advises',
      () => ({
        TILLKIT_CONTROL_KEY: 'the-control-key',
        TILLKIT_PRIVATE_KEY: Buffer.from(pair.privateKey).toString('base64'),
      }),
    ],
    [
      'from files',
      () => ({
        TILLKIT_CONTROL_KEY_FILE: join(folder, 'control.txt'),
        TILLKIT_PRIVATE_KEY_FILE: join(folder, 'key.pem'),
      }),
    ],
  ])('makes a client that works with keys %s', async (_how, keys) => {
    const gateway = createFakeGateway({ controlKey: 'the-control-key', privateKey: pair.privateKey })
    const { baseUrl } = await gateway.listen()
    const client = createClientFromEnv({
      ...right,
      ...keys(),
      TILLKIT_CONTROL_KEY: undefined,
      ...keys(),
      TILLKIT_BASE_URL: `${baseUrl}`,
    })
    // One operation is signed with the control key, the other with the private key.
    expect(await client.sale(saleRequest)).toMatchObject({ clientOrderId: 'o-1' })
    expect(await client.payoutV4(payout)).toMatchObject({ clientOrderId: 'p-1' })
    await client.close()
    await gateway.close()
  })

  it('opens an encrypted key', () => {
    const how = { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'open sesame' } as const
    const encrypted = createPrivateKey(pair.privateKey).export(how).toString()
    const env = { ...right, TILLKIT_PRIVATE_KEY: encrypted }
    expect(problems({ ...env, TILLKIT_PRIVATE_KEY_PASSPHRASE: 'open sesame' })).toEqual([])
    expect(problems({ ...env, TILLKIT_PRIVATE_KEY_PASSPHRASE: 'wrong' })).toHaveLength(1)
    expect(problems(env).join()).toContain('Set TILLKIT_PRIVATE_KEY_PASSPHRASE')
  })

  it('hands the rest of the options on', async () => {
    await withHeldTime(async pass => {
      const dispatch = () => {
        setImmediate(() => pass(60_000))
        return true
      }
      const client = createClientFromEnv(
        { ...right, TILLKIT_TIMEOUT: '60000' },
        { dispatcher: { dispatch }, uses: ['sale'] },
      )
      await expect(client.status({ clientOrderId: 'o-1' })).rejects.toThrow('no answer within 60000 ms')
    })
    expect(() => createClientFromEnv(right, { uses: ['payoutV4'] })).toThrow(
      'TILLKIT_PRIVATE_KEY is missing, and payoutV4, which "uses" names, needs it.',
    )
  })

  it('lets options count before variables, and blames them', () => {
    expect(() => createClientFromEnv({ ...right, TILLKIT_TIMEOUT: '20' }, { timeout: 0 })).toThrow('"timeout" is 0;')
  })

  it('hands its options to those who make the client themselves', () => {
    const options = clientOptionsFromEnv({ ...right, TILLKIT_TIMEOUT: '20', TILLKIT_PRIVATE_KEY: '' })
    expect(options).toEqual({
      baseUrl: 'https://gate.example/paynet',
      endpointId: '39',
      login: 'merchant',
      controlKey: 'the-control-key',
      timeout: 20,
    })
    expect(createClient(options)).toHaveProperty('sale')
    expect(() => clientOptionsFromEnv({ ...right, TILLKIT_TIMEOUT: '30s' })).toThrow('TILLKIT_TIMEOUT is "30s"')
  })

  it('hands out no options without a control key, by which callbacks are verified; a client needs none', () => {
    const unset = { ...right, TILLKIT_CONTROL_KEY: '', TILLKIT_PRIVATE_KEY: pair.privateKey }
    expect(() => clientOptionsFromEnv(unset)).toThrow(
      'TILLKIT_CONTROL_KEY is not set; it may be a file: TILLKIT_CONTROL_KEY_FILE.',
    )
    expect(createClientFromEnv(unset)).toHaveProperty('payoutV4')
  })

  it('reads a wire profile from a file, and says what is wrong with one', () => {
    const file = join(folder, 'profile.json')
    const read = (text: string) => {
      writeFileSync(file, text)
      return clientOptionsFromEnv({ ...right, TILLKIT_PROFILE_FILE: file }).profile
    }
    expect(read('{ "minorUnits": "hundredths" }')?.minorUnits).toEqual({
      value: 'hundredths',
      source: file,
      assumed: false,
    })
    // Notepad of Windows begins a file with a byte order mark.
    expect(read('\uFEFF{ "formRetries": true }')?.formRetries.value).toBe(true)
    expect(clientOptionsFromEnv(right)).not.toHaveProperty('profile')
    for (const [text, problem] of [
      ['minorUnits', 'it is not JSON.'],
      ['[]', 'it must hold one object'],
      ['{ "formRetries": "false" }', '"formRetries" of the wire profile is "false"; it must be true or false'],
      ['{ "minorUnit": 1 }', 'The wire profile has no entry "minorUnit"'],
    ] as const)
      expect(() => read(text)).toThrow(`TILLKIT_PROFILE_FILE is ${JSON.stringify(file)}: ${problem}`)
    expect(problems({ ...right, TILLKIT_PROFILE_FILE: 'none.json' })).toEqual([
      'TILLKIT_PROFILE_FILE is "none.json": this file cannot be read (ENOENT).',
    ])
  })

  it('reads the environment of the process', () => {
    for (const [name, value] of Object.entries(right)) vi.stubEnv(name, value)
    expect(createClientFromEnv()).toHaveProperty('sale')
    vi.unstubAllEnvs()
  })
})
