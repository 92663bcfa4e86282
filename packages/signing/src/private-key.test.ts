import { createPrivateKey, createPublicKey, createSecretKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { InvalidKeyError } from './errors.js'
import { generateKeyPair } from './key-pair.js'
import { importPrivateKey } from './private-key.js'
import { importPublicKey } from './public-key.js'

const read = (name: string): string => readFileSync(new URL(`../test/vectors/${name}`, import.meta.url), 'utf8')
const pem = read('rsa-test-key.pem')
const pkcs1 = read('rsa-test-key-pkcs1.pem')
const publicPem = read('rsa-test-public.pem')
// Printed by openssl, see test/vectors/README.md.
const fingerprint = 'SHA256:N5HGx0+YJz5U7SaokVjr0LtKsXFzuCOV7T7kMrL7Lr8='

const weak = generateKeyPairSync('rsa', { modulusLength: 1024 })
const curve = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const edwards = generateKeyPairSync('ed25519')
const pss = generateKeyPairSync('rsa-pss', { modulusLength: 2048 })
const pemOf = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString()

const encrypted = createPrivateKey(pem)
  .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'open sesame' })
  .toString()
const encryptedPkcs1 = createPrivateKey(pem)
  .export({ type: 'pkcs1', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'open sesame' })
  .toString()

describe('importPrivateKey', () => {
  it.each([
    ['PKCS#8 PEM', pem],
    ['PKCS#1 PEM', pkcs1],
    ['PEM with Windows line breaks', pem.replaceAll('\n', '\r\n')],
    ['the bytes of a PEM file', Buffer.from(pem)],
    ['a JSON Web Key', createPrivateKey(pem).export({ format: 'jwk' })],
    ['a KeyObject', createPrivateKey(pem)],
  ])('reads %s', (_name, input) => {
    expect(importPrivateKey(input)).toMatchObject({ bits: 2048, fingerprint })
  })

  it.each([encrypted, encryptedPkcs1])('opens an encrypted key with its passphrase', input => {
    expect(importPrivateKey(input, { passphrase: 'open sesame' }).fingerprint).toBe(fingerprint)
  })

  it('keeps the label', () => {
    expect(importPrivateKey(pem, { label: 'production' }).label).toBe('production')
    expect(importPrivateKey(pem)).not.toHaveProperty('label')
  })

  it('shows no key material when printed', () => {
    const key = importPrivateKey(pem)
    const printed = inspect(key, { depth: 9, showHidden: true }) + JSON.stringify(key)
    const { d = '', n = '' } = createPrivateKey(pem).export({ format: 'jwk' })
    for (const secret of [d, n, pem.split('\n')[3] ?? pem]) expect(printed).not.toContain(secret)
  })

  it.each([
    ['under 2048 bits', pemOf(weak.privateKey), /1024 bits.*at least 2048.*generateKeyPair/],
    ['an elliptic curve', pemOf(curve.privateKey), /type "ec".*RSA only/],
    ['Ed25519', pemOf(edwards.privateKey), /type "ed25519".*RSA only/],
    ['RSA-PSS', pemOf(pss.privateKey), /type "rsa-pss".*RSA only/],
    ['a public key', publicPem, /holds a public key.*BEGIN PRIVATE KEY/],
    ['a certificate', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n', /holds a certificate/],
    ['an OpenSSH key', '-----BEGIN OPENSSH PRIVATE KEY-----\nAA\n-----END OPENSSH PRIVATE KEY-----\n', /ssh-keygen -p/],
    ['encrypted PKCS#8', encrypted, /no passphrase was given.*"passphrase"/],
    ['encrypted PKCS#1', encryptedPkcs1, /no passphrase was given.*"passphrase"/],
    ['escaped line breaks', pem.replaceAll('\n', '\\n'), /two characters "\\n".*replaceAll/],
    ['truncated', pem.slice(0, 400), /damaged/],
    ['a path', './keys/test.pem', /not a PEM key.*path of a file/],
    ['empty', '', /not a PEM key/],
    ['DER', createPrivateKey(pem).export({ type: 'pkcs8', format: 'der' }), /DER, convert/],
    ['a secret KeyObject', createSecretKey(Buffer.from('k')), /is a secret key/],
    ['a public KeyObject', createPublicKey(pem), /is a public key/],
    ['a public JSON Web Key', createPublicKey(pem).export({ format: 'jwk' }), /is a public key/],
    ['half a JSON Web Key', { kty: 'RSA', n: 'AQAB', e: 'AQAB', d: 'AQAB' }, /not a usable private key/],
    ['a number', 5 as never, /not number/],
    ['nothing', undefined as never, /not undefined/],
  ])('refuses a key that is %s', (_name, input, message) => {
    expect(() => importPrivateKey(input)).toThrow(InvalidKeyError)
    expect(() => importPrivateKey(input)).toThrow(message)
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
  ])('reads %s', (_name, input) => {
    expect(importPublicKey(input)).toMatchObject({ bits: 2048, fingerprint })
  })

  it.each([
    ['PEM', pem],
    ['a KeyObject', createPrivateKey(pem)],
    ['a JSON Web Key', createPrivateKey(pem).export({ format: 'jwk' })],
  ])('refuses a private key as %s', (_name, input) => {
    expect(() => importPublicKey(input)).toThrow(/this is a private key/)
  })

  it.each([
    ['a secret KeyObject', createSecretKey(Buffer.from('k')), /is a secret key/],
    ['damaged', publicPem.slice(0, 100), /cannot be read/],
    ['an elliptic curve', curve.publicKey, /RSA only/],
    ['under 2048 bits', weak.publicKey, /1024 bits/],
    ['escaped', publicPem.replaceAll('\n', '\\n'), /two characters/],
  ])('refuses a key that is %s', (_name, input, message) => {
    expect(() => importPublicKey(input)).toThrow(message)
  })
})

describe('generateKeyPair', () => {
  it('makes a pair that imports, with the fingerprint it says', () => {
    const pair = generateKeyPair()
    expect(pair.privateKey).toMatch(/^-----BEGIN PRIVATE KEY-----\n/)
    expect(importPrivateKey(pair.privateKey)).toMatchObject({ bits: 2048, fingerprint: pair.fingerprint })
    expect(importPublicKey(pair.publicKey).fingerprint).toBe(pair.fingerprint)
  })

  it.each([1024, 2047, 2048.5, 20000, Number.NaN, '2048'])('refuses %s bits', bits => {
    expect(() => generateKeyPair({ bits: bits as number })).toThrow(expect.objectContaining({ field: 'bits' }))
  })
})
