import { createHmac } from 'node:crypto'
import { defaultProfile } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { handmadeToken, tokenPart } from '../../test/handmade-token.js'
import { type ReadStateOptions, readState, signState, stateSecretsOption } from './token.js'

const secret = 'the first secret, 32 bytes long.'
const secrets = [{ id: 'one', secret }]
const now = 1_800_000_000_500
const purpose = 'hosted-form'
const sign = (options: Partial<Parameters<typeof signState>[0]> = {}) =>
  signState({ clientOrderId: 'order-1', purpose, secrets, lifetime: 60, now, ...options })
const read = (token: string, options: Partial<ReadStateOptions> = {}) =>
  readState({ token, purpose, secrets, now, ...options })

const claims = {
  clientOrderId: 'order-1',
  purpose,
  aud: 'tillkit:customer-return',
  iat: 1_800_000_000,
  exp: 1_800_000_060,
}

describe('signState', () => {
  it('signs with HMAC-SHA256 over header and claims, RFC 7515 section 5.1', async () => {
    const [header, payload, signature] = (await sign()).split('.')
    expect(signature).toBe(createHmac('sha256', secret).update(`${header}.${payload}`).digest('base64url'))
  })

  it('says which order it is for, when, and nothing else', async () => {
    const token = await sign()
    expect(tokenPart(token, 0)).toEqual({ alg: 'HS256', kid: 'one' })
    expect(tokenPart(token, 1)).toEqual(claims)
  })

  it('is safe as a path segment', async () => {
    expect(await sign({ clientOrderId: 'Bestellung/ü?#' })).toMatch(/^[A-Za-z0-9_.-]+$/)
  })

  it('signs with nothing where there is no secret', () => {
    expect(() => sign({ secrets: [] })).toThrow('There is no state secret to sign with')
  })

  it('signs with the first secret', async () => {
    const token = await sign({ secrets: [{ id: 'two', secret: 'x'.repeat(32) }, ...secrets] })
    expect(tokenPart(token, 0)).toMatchObject({ kid: 'two' })
  })
})

describe('readState', () => {
  it('reads what was signed', async () => {
    expect(await read(await sign())).toEqual({ kind: 'fresh', clientOrderId: 'order-1' })
  })

  it('reads the state of the longest order id, whatever it is written in', async () => {
    const clientOrderId = '€'.repeat(defaultProfile.maxLengths.value.clientOrderId ?? 0)
    expect(await read(await sign({ clientOrderId }))).toEqual({ kind: 'fresh', clientOrderId })
  })

  it('reads a token made by hand', async () => {
    expect(await read(handmadeToken(secret, { claims }))).toMatchObject({ kind: 'fresh', clientOrderId: 'order-1' })
  })

  it('takes a secret of bytes', async () => {
    const bytes = [{ id: 'one', secret: new TextEncoder().encode(secret) }]
    expect(await read(await sign(), { secrets: bytes })).toMatchObject({ kind: 'fresh' })
  })

  it('still reads a state whose secret no longer signs', async () => {
    const rotated = [{ id: 'two', secret: 'x'.repeat(32) }, ...secrets]
    expect(await read(await sign(), { secrets: rotated })).toMatchObject({ kind: 'fresh' })
  })

  it('tells expired from forged', async () => {
    const token = await sign()
    expect(await read(token, { now: now + 59_000 })).toMatchObject({ kind: 'fresh' })
    expect(await read(token, { now: now + 60_000 })).toEqual({ kind: 'expired', clientOrderId: 'order-1' })
  })

  it('takes an expired state of another purpose for forged', async () => {
    const token = handmadeToken(secret, { claims: { ...claims, purpose: 'login' } })
    expect(await read(token, { now: now + 600_000 })).toMatchObject({ kind: 'refused' })
  })

  it.each([
    ['another secret', handmadeToken('y'.repeat(32), { claims })],
    ['a secret that was dropped', handmadeToken(secret, { header: { alg: 'HS256', kid: 'zero' }, claims })],
    ['no kid', handmadeToken(secret, { header: { alg: 'HS256' }, claims })],
    ['another purpose', handmadeToken(secret, { claims: { ...claims, purpose: 'login' } })],
    ['no purpose', handmadeToken(secret, { claims: { ...claims, purpose: undefined } })],
    ['another audience', handmadeToken(secret, { claims: { ...claims, aud: 'shop' } })],
    ['no audience', handmadeToken(secret, { claims: { ...claims, aud: undefined } })],
    ['no expiry', handmadeToken(secret, { claims: { ...claims, exp: undefined } })],
    ['no time of issue', handmadeToken(secret, { claims: { ...claims, iat: undefined } })],
    ['more than any order id needs', handmadeToken(secret, { claims: { ...claims, clientOrderId: 'x'.repeat(2000) } })],
    ['no order', handmadeToken(secret, { claims: { ...claims, clientOrderId: '' } })],
    ['an order that is no text', handmadeToken(secret, { claims: { ...claims, clientOrderId: 7 } })],
    ['alg none', `${handmadeToken(secret, { header: { alg: 'none', kid: 'one' }, claims }).replace(/[^.]+$/, '')}`],
    [
      'a critical extension',
      handmadeToken(secret, { header: { alg: 'HS256', kid: 'one', crit: ['x'], x: 1 }, claims }),
    ],
    ['nothing', ''],
    ['no token', 'order-1'],
    ['a token of two parts', handmadeToken(secret, { claims }).replace(/\.[^.]+$/, '')],
    ['ten thousand characters', 'x'.repeat(10_000)],
  ])('refuses %s', async (_case, token) => {
    const state = await read(token)
    expect(state).toMatchObject({ kind: 'refused', reason: 'forged-state', explanation: expect.stringMatching(/\.$/) })
    expect(JSON.stringify(state)).not.toContain(secret)
  })

  it('refuses another algorithm, though signed rightly and with our secret', async () => {
    const long = 'x'.repeat(64)
    const known = { secrets: [{ id: 'one', secret: long }] }
    expect(await read(handmadeToken(long, { claims }), known)).toMatchObject({ kind: 'fresh' })
    const token = handmadeToken(long, { header: { alg: 'HS512', kid: 'one' }, claims, hash: 'sha512' })
    expect(await read(token, known)).toMatchObject({ kind: 'refused' })
  })

  it('says why without a line of its own in a log, a control character or a card number that the sender chose', async () => {
    const crit = ['4444555566661111', '\n\u001b[2J\u009b\u2028']
    for (const each of crit) {
      const header = { alg: 'HS256', kid: 'one', crit: [each], [each]: 1 }
      const refused = await read(handmadeToken('another secret', { header, claims }))
      expect(refused).toMatchObject({ kind: 'refused', reason: 'forged-state' })
      expect(refused.kind === 'refused' && refused.explanation).not.toMatch(/4444555566661111|[\p{Cc}\u2028\u2029]/u)
    }
  })

  it('refuses a state in which any character was changed', async () => {
    const token = await sign()
    const changed = [...token].map(
      (character, at) => token.slice(0, at) + (character === 'A' ? 'B' : 'A') + token.slice(at + 1),
    )
    const verdicts = await Promise.all(changed.map(each => read(each)))
    // The last character of a 32-byte signature has two bits that say nothing.
    expect(verdicts.slice(0, -1).filter(({ kind }) => kind !== 'refused')).toEqual([])
  })
})

const problem = (secrets: unknown) => stateSecretsOption(secrets, 'stateSecrets')

describe('stateSecretsOption', () => {
  it.each([
    ['32 characters', secret],
    ['16 characters of two bytes', 'ü'.repeat(16)],
    ['32 bytes', new Uint8Array(32)],
  ])('takes a secret of %s', (_, each) => {
    expect(problem([{ id: 'one', secret: each }])).toBeUndefined()
  })

  it.each([
    ['31 characters', 'x'.repeat(31)],
    ['31 bytes', new Uint8Array(31)],
    ['nothing', ''],
    ['no text', 10 ** 40],
    ['a list', [secret]],
    ['no value', undefined],
    ['null', null],
  ])('refuses a secret of %s, in whatever place, and does not show it', (_, wrong) => {
    for (const secrets of [
      [{ id: 'two', secret: wrong }],
      [
        { id: 'one', secret },
        { id: 'two', secret: wrong },
      ],
    ]) {
      expect(problem(secrets)).toContain('secret "two" is shorter than 32 bytes')
      if (typeof wrong === 'string' && wrong !== '') expect(problem(secrets)).not.toContain(wrong)
    }
  })

  it.each([
    ['none', [{ secret }]],
    ['an empty one', [{ id: '', secret }]],
    ['a number', [{ id: 1, secret }]],
    [
      'that of another secret',
      [
        { id: 'one', secret },
        { id: 'one', secret: 'y'.repeat(32) },
      ],
    ],
  ])('refuses an id that is %s', (_, secrets) => {
    expect(problem(secrets)).toContain('every secret needs an "id" of its own')
  })

  it.each([undefined, null, [], {}, secret])('refuses %j, which is no list of secrets', secrets => {
    expect(problem(secrets)).toContain('"stateSecrets" must be a list')
  })
})

describe('a secret of text', () => {
  it('counts and signs as its bytes in UTF-8', () => {
    const text = 'ü'.repeat(16)
    const bytes = new Uint8Array(Array.from({ length: 32 }, (_, at) => [0xc3, 0xbc][at % 2] ?? 0))
    expect(sign({ secrets: [{ id: 'one', secret: text }] })).toBe(sign({ secrets: [{ id: 'one', secret: bytes }] }))
  })
})

describe('what a form was opened for', () => {
  const saleForm = { operation: 'saleForm', amount: '10.00', currency: 'EUR' } as const

  it.each([[saleForm], [{ operation: 'accountVerificationForm' } as const]])(
    'is read as it was signed: %j',
    async expected => {
      expect(await read(sign({ expected }))).toEqual({ kind: 'fresh', clientOrderId: 'order-1', expected })
    },
  )

  it('is read of an expired state, too', async () => {
    expect(await read(sign({ expected: saleForm }), { now: now + 60_000 })).toEqual({
      kind: 'expired',
      clientOrderId: 'order-1',
      expected: saleForm,
    })
  })

  it('makes a state of a usual order no longer than 300 characters', () => {
    expect(sign({ clientOrderId: 'order-1001', expected: saleForm }).length).toBeLessThan(300)
  })

  it.each([
    ['saleForm'],
    [[]],
    [['sold', '10.00', 'EUR']],
    [['toString']],
    [['saleForm', 10, 'EUR']],
    [['saleForm', '1.00']],
  ])('is not known where a state says %j', async claim => {
    const state = await read(handmadeToken(secret, { claims: { ...claims, for: claim } }))
    expect(state).toEqual({ kind: 'fresh', clientOrderId: 'order-1' })
  })
})
