import { createPrivateKey, createPublicKey, createSecretKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { damageCharacters } from '../../test/damage-characters.js'
import { InvalidKeyError } from '../errors.js'
import type { KeyMaterial } from './key-material.js'
import { generateKeyPair, importPrivateKey } from './private-key.js'
import { importPublicKey, spokenFingerprint } from './public-key.js'

const read = (name: string): string => readFileSync(new URL(`../../test/vectors/${name}`, import.meta.url), 'utf8')
const pem = read('rsa-test-key.pem')
const pkcs1 = read('rsa-test-key-pkcs1.pem')
const publicPem = read('rsa-test-public.pem')
// Printed by openssl, see test/vectors/README.md.
const fingerprint = 'SHA256:N5HGx0+YJz5U7SaokVjr0LtKsXFzuCOV7T7kMrL7Lr8='

interface MadeKey {
  readonly name: string
  readonly pem?: string
  readonly base64?: string
}

/** Keys and other files made by openssl, see test/vectors/make-keys.py. */
const made: readonly MadeKey[] = JSON.parse(read('keys.json'))
function key(name: string): string {
  const text = made.find(entry => entry.name === name)?.pem
  if (text === undefined) throw new Error(`keys.json has no PEM entry "${name}"`)
  return text
}
function der(name: string): Buffer {
  const base64 = made.find(entry => entry.name === name)?.base64
  if (base64 === undefined) throw new Error(`keys.json has no DER entry "${name}"`)
  return Buffer.from(base64, 'base64')
}
const passphrase = 'open-sesame'
const encrypted = key('encrypted-pkcs8')

describe('importPrivateKey', () => {
  damageCharacters({ step: 83 })

  it('refuses a label that does not exist', () => {
    const message = '"label" must be "test" or "production", or be left out.'
    expect(() => importPrivateKey(pem, { label: 'prod' as never })).toThrow(
      expect.objectContaining({ field: 'label', message }),
    )
  })

  it.each([
    ['PKCS#8 PEM', pem],
    ['PKCS#1 PEM', pkcs1],
    ['PEM with Windows line breaks', pem.replaceAll('\n', '\r\n')],
    ['PEM after a byte order mark', `\uFEFF${pem}`],
    ['PEM with text around it', `Bag Attributes\n  friendlyName: test\n${pem}\n`],
    ['PEM after a certificate', `${key('certificate')}${pem}`],
    ['the bytes of a PEM file', Buffer.from(pem)],
    ['the bytes of a PEM file with a byte order mark', Buffer.from(`\uFEFF${pem}`)],
    ['PKCS#8 DER', der('pkcs8-der')],
    ['PKCS#1 DER', der('pkcs1-der')],
    ['DER in an array of bytes', new Uint8Array(der('pkcs8-der'))],
    ['a JSON Web Key', createPrivateKey(pem).export({ format: 'jwk' })],
    ['a KeyObject', createPrivateKey(pem)],
  ])('reads %s', (_name, input) => {
    expect(importPrivateKey(input)).toMatchObject({ bits: 2048, fingerprint })
  })

  it.each([
    ['PKCS#8 PEM', encrypted],
    ['PKCS#1 PEM', key('encrypted-pkcs1')],
    ['PKCS#8 DER', der('encrypted-pkcs8-der')],
  ])('opens an encrypted key in %s with its passphrase', (_name, input) => {
    expect(importPrivateKey(input, { passphrase }).fingerprint).toBe(fingerprint)
    expect(() => importPrivateKey(input)).toThrow(/no passphrase was given.*"passphrase"/)
    expect(() => importPrivateKey(input, { passphrase: '' })).toThrow(/no passphrase was given/)
    expect(() => importPrivateKey(input, { passphrase: 'open-sesam' })).toThrow(
      expect.objectContaining({
        message: expect.stringMatching(/^The private key is encrypted and could .* passphrase is probably wrong/),
        cause: expect.any(Error),
      }),
    )
  })

  // As OpenSSL 3 itself does without its legacy provider: openssl pkey -in key.pem -passin pass:open-sesame
  it.each(['old-cipher-pkcs8', 'old-cipher-pkcs1'])(
    'says that a cipher is too old, whatever the passphrase: %s',
    name => {
      for (const each of [passphrase, 'open-sesam']) {
        expect(() => importPrivateKey(key(name), { passphrase: each })).toThrow(
          /^The private key is encrypted with an old cipher.*with any passphrase.*openssl pkey -in key\.pem -provider legacy -provider default -aes256/,
        )
      }
    },
  )

  it.each(['test', 'production'] as const)('keeps the label %s', label => {
    expect(importPrivateKey(pem, { label }).label).toBe(label)
    expect(importPrivateKey(pem)).not.toHaveProperty('label')
  })

  it('shows no key material when printed', () => {
    const key = importPrivateKey(pem)
    const printed = inspect(key, { depth: 9, showHidden: true }) + JSON.stringify(key)
    const { d = '', n = '' } = createPrivateKey(pem).export({ format: 'jwk' })
    for (const secret of [d, n, pem.split('\n')[3] ?? pem]) expect(printed).not.toContain(secret)
  })

  it.each([
    ['under 2048 bits', key('rsa-1024'), /1024 bits.*at least 2048.*generateKeyPair/],
    ['an elliptic curve', key('ec'), /type "ec".*RSA only/],
    ['an elliptic curve in SEC 1', key('ec-sec1'), /type "ec".*RSA only/],
    ['Ed25519', key('ed25519'), /type "ed25519".*RSA only/],
    ['RSA-PSS', key('rsa-pss'), /type "rsa-pss".*RSA only/],
    ['a public key', publicPem, /holds a public key.*BEGIN PRIVATE KEY/],
    ['a public key in PKCS#1', key('public-pkcs1'), /holds a public key/],
    ['a public key in DER', der('public-der'), /holds a public key/],
    ['a certificate', key('certificate'), /holds a certificate\. /],
    ['a certificate in DER', der('certificate-der'), /holds a certificate\. /],
    // The label of old requests: RFC 7468 section 7.
    [
      'a certificate request of an old program',
      key('certificate-request').replaceAll('CERTIFICATE', 'NEW CERTIFICATE'),
      /holds a certificate request\. /,
    ],
    ['a certificate request', key('certificate-request'), /holds a certificate request\. /],
    ['a PKCS#12 file', der('pkcs12'), /PKCS#12 file.*openssl pkcs12/],
    ['an OpenSSH key', key('openssh'), /format of OpenSSH.*ssh-keygen -p/],
    ['a PEM file of another kind', '-----BEGIN X-----\nAAAA\n-----END X-----\n', /this file holds other data\./],
    ['an OpenSSH public key', 'ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAB anna', /public key in the format of OpenSSH/],
    ['an OpenSSH public key after a line break', '\nssh-rsa AAAAB3Nza anna', /public key in the format of OpenSSH/],
    ['truncated', pem.slice(0, 400), /cut off.*length of settings/],
    ['truncated, with an unseen character', pem.slice(0, 400).replace('A', 'A\u200b'), /cut off/],
    ['without a line in the middle', pem.split('\n').toSpliced(5, 1).join('\n'), /PEM block is damaged/],
    ['a path', './keys/test.pem', /not a PEM key.*a path/],
    ['a path with the name of an algorithm', './ssh-rsa.pem', /not a PEM key.*a path/],
    ['a path of Windows', 'C:\\new.pem', /not a PEM key.*a path/],
    ['empty', '', /is empty.*missing/],
    ['white space', ' \n', /is empty.*missing/],
    ['empty bytes', Buffer.alloc(0), /is empty/],
    ['damaged DER', der('pkcs8-der').subarray(0, 300), /DER bytes are damaged/],
    ['DER that was read as text', der('pkcs8-der').toString('utf8'), /not a PEM key/],
    ['no DER of a key', Buffer.from([0x30, 0x82, 0x01, 0x00, 0x04, 0x00]), /holds other data/],
    ['a secret KeyObject', createSecretKey(Buffer.from('k')), /is a secret key/],
    ['a public KeyObject', createPublicKey(pem), /is a public key/],
    ['a public JSON Web Key', createPublicKey(pem).export({ format: 'jwk' }), /is a public key/],
    ['a secret JSON Web Key', createSecretKey(Buffer.from('k')).export({ format: 'jwk' }), /not a usable private key/],
    ['half a JSON Web Key', { kty: 'RSA', n: 'AQAB', e: 'AQAB', d: 'AQAB' }, /not a usable private key/],
    ['a number', 5 as never, /not number/],
    ['nothing', undefined as never, /not undefined/],
    ['null', null as never, /not object/],
  ])('refuses a key that is %s', (_name, input, message) => {
    expect(() => importPrivateKey(input)).toThrow(InvalidKeyError)
    expect(() => importPrivateKey(input)).toThrow(message)
  })

  // Each is a way in which settings and shells damage text.
  it.each([
    ['escaped line breaks', pem.replaceAll('\n', '\\n'), /two characters "\\n".*key\.replace/],
    ['line breaks escaped twice', pem.replaceAll('\n', '\\\\n'), /two characters "\\n".*key\.replace/],
    ['escaped Windows line breaks', pem.replaceAll('\n', '\\r\\n'), /two characters "\\n"/],
    ['a zero width space', pem.replace('A', 'A\u200b'), /character in its block that nobody sees/],
    ['a byte order mark in the middle', pem.replace('A', 'A\ufeff'), /character in its block that nobody sees/],
    ['double quotation marks', `"${pem}"`, /quotation marks around it.*Remove them/],
    ['single quotation marks', `'${pem}'`, /quotation marks/],
    ['quotation marks after a space', ` "${pem}"`, /quotation marks/],
    ['spaces for line breaks', pem.replaceAll('\n', ' '), /on one line, with spaces.*"\$KEY"/],
    ['two spaces for each line break', pem.replaceAll('\n', '  '), /on one line, with spaces/],
    ['no line breaks', pem.replaceAll('\n', ''), /on one line: its line breaks are missing/],
    ['indentation', pem.replace(/^/gm, '    '), /indented.*block scalar/],
    ['indentation of all lines but the first', pem.replaceAll('\n', '\n  '), /indented.*block scalar/],
    ['Base64 of the whole file', Buffer.from(pem).toString('base64'), /Base64 of a PEM file\. Decode it/],
    ['Base64 of the whole file after a line break', `\n${btoa(pem)}`, /Base64 of a PEM file\. Decode it/],
    [
      'no first and last line, after a line break',
      `\n${der('pkcs8-der').toString('base64')}`,
      /Base64 without the lines/,
    ],
    ['no first and last line', der('pkcs8-der').toString('base64'), /Base64 without the lines/],
  ])('names damage and its cure: %s', (_name, input, message) => {
    expect(() => importPrivateKey(input)).toThrow(InvalidKeyError)
    expect(() => importPrivateKey(input)).toThrow(message)
    expect(() => importPublicKey(input)).toThrow(message)
    expect(() => importPrivateKey(Buffer.from(input))).toThrow(message)
  })

  it.each(['\\n', '\\\\n', '\\r\\n', '\\\\r\\\\n'])('names a cure that cures: line breaks written %s', written => {
    const escaped = pem.replaceAll('\n', written)
    expect(importPrivateKey(escaped.replace(/(\\+r)?\\+n/g, '\n')).fingerprint).toBe(fingerprint)
  })

  it('takes any text around the block', () => {
    for (const before of ['Anna\u200bs key', 'friendlyName: -----Bob', 'was LS0tLS1CRUdJTi in Base64']) {
      expect(importPrivateKey(`${before}\n${pem}\u200b`).fingerprint).toBe(fingerprint)
    }
  })

  it('shows no key material when it names damage', () => {
    const line = pem.split('\n')[3] ?? pem
    for (const input of [`"${pem}"`, pem.replaceAll('\n', ' '), pem.slice(0, 400)]) {
      expect(() => importPrivateKey(input)).toThrow(expect.not.stringContaining(line.slice(0, 16)))
    }
  })

  it('refuses a wrong passphrase, and shows neither it nor key material', () => {
    let error = new Error('nothing was thrown')
    try {
      importPrivateKey(encrypted, { passphrase: 'hunter2' })
    } catch (thrown) {
      error = thrown as Error
    }
    expect(error.message).toMatch(/passphrase is probably wrong/)
    expect(inspect(error, { depth: 9 })).not.toContain('hunter2')
    expect(inspect(error, { depth: 9 })).not.toContain(encrypted.split('\n')[2] ?? encrypted)
  })
})

describe('importPublicKey', () => {
  it.each([
    ['SPKI PEM', publicPem],
    ['PKCS#1 PEM', createPublicKey(pem).export({ type: 'pkcs1', format: 'pem' }).toString()],
    ['a JSON Web Key', createPublicKey(pem).export({ format: 'jwk' })],
    ['a KeyObject', createPublicKey(pem)],
    ['the public half of a PKCS#1 key, made by openssl', key('public-pkcs1')],
    ['SPKI DER', der('public-der')],
    ['PKCS#1 DER', createPublicKey(pem).export({ type: 'pkcs1', format: 'der' })],
    ['a certificate', key('certificate')],
    ['a certificate in DER', der('certificate-der')],
  ])('reads %s', (_name, input) => {
    expect(importPublicKey(input)).toMatchObject({ bits: 2048, fingerprint })
  })

  it.each([
    ['PEM', pem],
    ['a KeyObject', createPrivateKey(pem)],
    ['a JSON Web Key', createPrivateKey(pem).export({ format: 'jwk' })],
    ['PKCS#8 DER', der('pkcs8-der')],
    ['PKCS#1 DER', der('pkcs1-der')],
    ['encrypted DER', der('encrypted-pkcs8-der')],
    ['a PKCS#12 file', der('pkcs12')],
  ])('refuses a private key as %s', (_name, input) => {
    expect(() => importPublicKey(input)).toThrow(/this is a private key.* half: "openssl pkey -in key\.pem -pubout"\./)
  })

  it.each([
    ['a secret KeyObject', createSecretKey(Buffer.from('k')), /is a secret key/],
    ['cut off', publicPem.slice(0, 100), /cut off/],
    ['damaged', publicPem.replace('MII', 'AAA'), /public key cannot be read/],
    ['damaged DER', der('public-der').subarray(0, 100), /public key cannot be read/],
    ['a certificate request', key('certificate-request'), /public key cannot be read.*openssl pkey/],
    ['an elliptic curve', createPublicKey(key('ec')), /RSA only/],
    ['Ed25519 in DER', createPublicKey(key('ed25519')).export({ type: 'spki', format: 'der' }), /RSA only/],
    ['under 2048 bits', createPublicKey(key('rsa-1024')), /1024 bits/],
  ])('refuses a key that is %s', (_name, input, message) => {
    expect(() => importPublicKey(input)).toThrow(message)
  })

  it('keeps what OpenSSL says of a file as the cause', () => {
    const damaged = publicPem.replace('MII', 'AAA')
    expect(() => importPublicKey(damaged)).toThrow(expect.objectContaining({ cause: expect.any(Error) }))
  })
})

// Tag, length, content: X.690 sections 8.1.2 and 8.1.3. Which elements a file begins with: the RFCs that key-material.ts names.
describe('bytes that begin as DER does', () => {
  it.each([
    ['of indefinite length', '30800400', 'other data'],
    ['with an octet string for a version', '30050401003000', 'other data'],
    ['with a version and an octet string', '30050201000400', 'other data'],
    ['with version 2', '30050201020400', 'other data'],
    ['without a sequence in them', '300404000300', 'other data'],
    ['with a sequence of indefinite length', '300430800300', 'a public key'],
    ['with a length in one byte', '3006308101000300', 'a public key'],
    ['with a length in four bytes', '3009308400000001000300', 'a public key'],
    ['with a length in five bytes', '3009308500000000010300', 'a public key'],
    ['that end in a length', '3003308200', 'other data'],
  ])('are refused: %s', (_name, digits, holds) => {
    expect(() => importPrivateKey(Buffer.from(digits, 'hex'))).toThrow(`this file holds ${holds}.`)
  })

  it('are damaged if they begin as a private key in SEC 1 does', () => {
    expect(() => importPrivateKey(Buffer.from('30050201010400', 'hex'))).toThrow(/DER bytes are damaged/)
  })

  it('are text if the length does not fit', () => {
    expect(() => importPrivateKey(Buffer.from('0 is no key'))).toThrow(/not a PEM key/)
  })
})

describe('a public key that cannot be read', () => {
  it('is not shown by what Node.js says of it', () => {
    const { n = '' } = createPublicKey(pem).export({ format: 'jwk' })
    const wrong = { kty: { n } } as unknown as KeyMaterial
    expect(() => importPublicKey(wrong)).toThrow(expect.toSatisfy((error: unknown) => !inspect(error).includes(n)))
    expect(() => importPublicKey(wrong)).toThrow(expect.not.objectContaining({ cause: expect.anything() }))
  })
})

describe('a modulus of more than 16384 bits', () => {
  const { e = '' } = createPrivateKey(pem).export({ format: 'jwk' })
  const ofBits = (bits: number) =>
    createPublicKey({ key: { kty: 'RSA', e, n: Buffer.alloc(bits / 8, 0xff).toString('base64url') }, format: 'jwk' })

  it('is refused, because OpenSSL verifies nothing with it and each signature takes seconds', () => {
    expect(() => importPublicKey(ofBits(16_392))).toThrow(/16392 bits.*at most 16384/)
    expect(importPublicKey(ofBits(16_384)).bits).toBe(16_384)
    expect(importPublicKey(ofBits(16_384).export({ format: 'jwk' })).bits).toBe(16_384)
  })
})

describe('a JSON Web Key with a prime that is longer than any modulus', () => {
  it('is refused before it signs, which would take seconds', () => {
    const key = createPrivateKey(pem).export({ format: 'jwk' })
    expect(() => importPrivateKey({ ...key, q: `${key.q}${'LFS1'.repeat(1000)}` })).toThrow(/"q".*too long/)
  })
})

describe('a file of a megabyte', () => {
  it.each([['-----BEGIN '], ['-----BEGIN A'], ['-----BEGIN A-----\n'], ['-----END ']])(
    'of nothing but %j is refused at once',
    piece => {
      // A search from each beginning to the end of the text would take minutes.
      const text = piece.repeat(1_000_000 / piece.length)
      expect(() => importPrivateKey(text)).toThrow(InvalidKeyError)
      expect(() => importPublicKey(text)).toThrow(InvalidKeyError)
    },
  )
})

describe('generateKeyPair', () => {
  it('makes a pair that imports, with the fingerprint it says', () => {
    const pair = generateKeyPair()
    expect(pair.privateKey).toMatch(/^-----BEGIN PRIVATE KEY-----\n/)
    expect(importPrivateKey(pair.privateKey)).toMatchObject({ bits: 2048, fingerprint: pair.fingerprint })
    expect(importPublicKey(pair.publicKey).fingerprint).toBe(pair.fingerprint)
  })

  it.each([1024, 2047, 2048.5, 20000, Number.NaN, '2048'])('refuses %s bits', bits => {
    const message = `"bits" is ${bits}; it must be a whole number from 2048 to 16384.`
    expect(() => generateKeyPair({ bits: bits as number })).toThrow(expect.objectContaining({ field: 'bits', message }))
  })
})

describe('spokenFingerprint', () => {
  it('writes the digits that openssl prints', () => {
    // openssl pkey -pubin -in rsa-test-public.pem -outform DER | openssl dgst -sha256
    const printed = '3791c6c74f98273e54ed26a89158ebd0bb4ab17173b82395ed3ee432b2fb2ebf'
    expect(spokenFingerprint(fingerprint).replaceAll(' ', '')).toBe(printed)
    expect(spokenFingerprint(fingerprint)).toMatch(/^[0-9a-f]{4}( [0-9a-f]{4}){15}$/)
  })

  it.each(['', 'SHA256:', 'MD5:abc', fingerprint.slice(0, -1), `a${fingerprint}`, `${fingerprint}=`])(
    'refuses %j',
    text => {
      const message = 'A fingerprint is "SHA256:" and 44 characters of Base64; this is not.'
      expect(() => spokenFingerprint(text)).toThrow(expect.objectContaining({ field: 'fingerprint', message }))
    },
  )
})
