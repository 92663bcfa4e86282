/** Reproduces what others published and what other software made; see vectors/README.md. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  baseStringUri,
  type ControlItem,
  controlItems,
  controlValue,
  decodeForm,
  hmacSha1Signer,
  importPrivateKey,
  importPublicKey,
  normalizeParameters,
  type Parameter,
  parseAuthorizationHeader,
  percentEncode,
  rsaSha256Signer,
  signatureBaseString,
  verifyAuthorization,
  verifyControlValue,
} from '../src/index.js'
import { headerOf } from './header-of.js'

const read = (name: string): string => readFileSync(new URL(`vectors/${name}`, import.meta.url), 'utf8')

interface PublishedVector {
  readonly name: string
  readonly group: string
  readonly expected: string
  readonly baseString?: string
  readonly input: {
    readonly orderedItems?: readonly { readonly name: string; readonly value: string }[]
    readonly value?: string
    readonly method?: string
    readonly url?: string
    readonly query?: string
    readonly formBody?: string
    readonly oauthParameters?: Readonly<Record<string, string>>
    readonly parameters?: Readonly<Record<string, string>>
    readonly pairs?: readonly Parameter[]
    readonly signingKey?: string
  }
}

const published: readonly PublishedVector[] = JSON.parse(read('published.json'))
const group = (name: string) => published.filter(vector => vector.group === name)

describe('published control values', () => {
  it.each(group('control'))('$name', ({ input, expected }) => {
    const ordered = input.orderedItems ?? []
    const covered = ordered.slice(0, -1).map(({ name }) => (name === 'amountMinor' ? 'amount' : name))
    const values = Object.fromEntries(covered.map((name, index) => [name, ordered[index]?.value ?? '']))
    expect(controlValue(covered, values, ordered.at(-1)?.value ?? '')).toBe(expected)
  })
})

describe('published percent-encodings', () => {
  it.each(group('oauth-encode'))('$name', ({ input, expected }) => {
    expect(percentEncode(input.value ?? '')).toBe(expected)
  })
})

describe('published base string URIs', () => {
  it.each(group('oauth-base-uri'))('$name', ({ input, expected }) => {
    expect(baseStringUri(new URL(input.url ?? ''))).toBe(expected)
  })
})

describe('published base strings', () => {
  it.each(group('oauth-base-string'))('$name', ({ input, expected }) => {
    const parameters = [
      ...decodeForm(input.formBody ?? ''),
      ...Object.entries(input.oauthParameters ?? {}),
      ...Object.entries(input.parameters ?? {}),
    ]
    const url = new URL(input.url ?? `https://gate.example/?${input.query ?? ''}`)
    const made =
      input.method === undefined
        ? normalizeParameters(url, parameters)
        : signatureBaseString({ method: input.method, url, parameters })
    expect(made).toBe(expected)
  })
})

describe('published HMAC-SHA1 signatures', () => {
  it.each(group('oauth-hmac-sha1'))('$name', async ({ input, expected, baseString }) => {
    const [consumerSecret = '', tokenSecret = ''] = (input.signingKey ?? '').split('&')
    const { method = '', url = '', pairs = [] } = input
    const made = signatureBaseString({ method, url: new URL(url), parameters: pairs })
    const signature = await hmacSha1Signer({ consumerSecret, tokenSecret }).sign(Buffer.from(made))
    expect(made).toBe(baseString)
    expect(Buffer.from(signature).toString('base64')).toBe(expected)
    const isProtocol = ([name]: Parameter): boolean => name.startsWith('oauth_')
    const header = [...pairs.filter(isProtocol), ['oauth_signature', expected] as const]
    const [, timestamp = ''] = pairs.find(([name]) => name === 'oauth_timestamp') ?? []
    const verdict = await verifyAuthorization({
      method,
      url: new URL(url),
      parameters: pairs.filter(pair => !isProtocol(pair)),
      authorization: `OAuth ${header.map(([name, value]) => `${name}="${encodeURIComponent(value)}"`).join(', ')}`,
      keys: { hmacSecrets: decodeURIComponent(consumerSecret), tokenSecret: decodeURIComponent(tokenSecret) },
      policy: { now: Number.parseInt(timestamp, 10), windowSeconds: 0, versionOptional: true },
    })
    expect(verdict).toMatchObject({ kind: 'verified' })
  })
})

interface ControlVector {
  readonly name: string
  readonly expected: string
  readonly input: {
    readonly operation: keyof typeof controlItems
    readonly values: Readonly<Record<ControlItem, string>>
    readonly controlKey: string
  }
}

describe('control values made by Python, one for each row of section 5.1', () => {
  const vectors: readonly ControlVector[] = JSON.parse(read('control.json'))

  it.each(vectors)('recreates and verifies: $name', ({ input, expected }) => {
    const items: readonly ControlItem[] = controlItems[input.operation]
    const { values, controlKey } = input
    expect(controlValue(items, values, controlKey)).toBe(expected)
    expect(verifyControlValue({ items, values, received: expected, controlKeys: controlKey })).toEqual({
      kind: 'verified',
      keyLabel: 'key 1',
    })
  })

  it('covers every row of the table, where a vector of a whole request does not', () => {
    const requests: readonly { readonly operation: string }[] = JSON.parse(
      read('../../../client/test/vectors/requests.json'),
    )
    const whole = new Set(requests.map(({ operation }) => operation))
    const rows = Object.keys(controlItems)
    const here = new Set<string>(vectors.map(({ input }) => input.operation))
    expect(rows.filter(name => !here.has(name) && !whole.has(name))).toEqual([])
    expect([...here].filter(name => !rows.includes(name))).toEqual([])
  })
})

interface OAuthVector {
  readonly name: string
  readonly expected: { readonly baseString: string; readonly header: string }
  readonly input: {
    readonly method: 'HMAC-SHA1' | 'RSA-SHA256'
    readonly url: string
    readonly parameters: readonly Parameter[]
    readonly consumerKey: string
    readonly nonce: string
    readonly timestamp: number
    readonly controlKey: string
    readonly token?: string
    readonly tokenSecret?: string
  }
}

describe.each([
  ['Python and openssl', 'oauth.json'],
  ['Java', 'oauth-java.json'],
])('headers made by %s', (_maker, file) => {
  const vectors: readonly OAuthVector[] = JSON.parse(read(file))

  it.each(vectors)('recreates: $input.method, $name', async ({ input, expected }) => {
    const { method, parameters, consumerKey, nonce, timestamp, controlKey, token, tokenSecret = '' } = input
    const signer =
      method === 'HMAC-SHA1'
        ? hmacSha1Signer({ consumerSecret: controlKey, tokenSecret, keyEncoding: 'percent-encoded' })
        : rsaSha256Signer(importPrivateKey(read('rsa-test-key.pem')))
    const url = new URL(input.url)
    const fresh = { timestamp, nonce, ...(token === undefined ? {} : { token }) }
    expect(await headerOf({ url, parameters, consumerKey, signer, ...fresh })).toBe(expected.header)
    const covered = parseAuthorizationHeader(expected.header)?.parameters ?? []
    const made = signatureBaseString({ method: 'POST', url, parameters: [...parameters, ...covered] })
    expect(made).toBe(expected.baseString)
  })

  it.each(vectors)('verifies: $input.method, $name', async ({ input, expected }) => {
    const { controlKey, tokenSecret = '' } = input
    const publicKeys = [importPublicKey(read('rsa-test-public.pem'))]
    const verdict = await verifyAuthorization({
      method: 'POST',
      url: new URL(input.url),
      parameters: input.parameters,
      authorization: expected.header,
      keys: { hmacSecrets: controlKey, tokenSecret, keyEncoding: 'percent-encoded', publicKeys },
      policy: { now: input.timestamp, windowSeconds: 0 },
    })
    expect(verdict).toMatchObject({ kind: 'verified', method: input.method, consumerKey: 'merchant' })
  })
})
