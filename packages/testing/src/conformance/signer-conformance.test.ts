import { constants, createHash, createHmac, createPrivateKey, sign } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { hmacSha1Signer, importPrivateKey, importPublicKey, rsaSha256Signer, type Signer } from '@tillkit/signing'
import { describe, expect, it } from 'vitest'
import { testPrivateKey, testPublicKey } from '../fixtures/test-keys.js'
import { signerConformance } from './signer-conformance.js'

const publicKey = importPublicKey(testPublicKey)
const secret = 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20'
const privateKey = createPrivateKey(testPrivateKey)
const rsa = (data: Uint8Array): Buffer => sign('sha256', data, privateKey)
const hmac = (data: Uint8Array): Buffer => createHmac('sha1', `${secret}&`).update(data).digest()
const rsaSigner = (signWith: Signer['sign']): Signer => ({ method: 'RSA-SHA256', sign: signWith })
const hmacSigner = (signWith: Signer['sign']): Signer => ({ method: 'HMAC-SHA1', sign: signWith })
const refused = rsaSigner(() => Promise.reject(new Error('AccessDeniedException')))

/** Answers late and out of order, as a service over the network does. */
function fakeKms(): Signer {
  let calls = 0
  return rsaSigner(async data => {
    const digest = Buffer.from(data)
    calls += 1
    for (let turns = calls % 5; turns > 0; turns -= 1) await setImmediate()
    return rsa(digest)
  })
}

describe('signerConformance', () => {
  it.each([
    ['hmacSha1Signer', hmacSha1Signer({ consumerSecret: secret }), { secret }],
    [
      'hmacSha1Signer with a token secret',
      hmacSha1Signer({ consumerSecret: 'a&b', tokenSecret: 'c d' }),
      { secret: { consumerSecret: 'a&b', tokenSecret: 'c d' } },
    ],
    ['rsaSha256Signer', rsaSha256Signer(importPrivateKey(testPrivateKey)), { publicKey }],
    [
      'rsaSha256Signer on the thread pool',
      rsaSha256Signer(importPrivateKey(testPrivateKey), { threadPool: true }),
      { publicKey },
    ],
    ['a KMS that answers late', fakeKms(), { publicKey, failing: refused }],
  ])('finds nothing wrong with %s', async (_name, signer, options) => {
    expect(await signerConformance(signer, options)).toEqual([])
  })

  it.each([
    ['another method', hmacSigner(hmac), /"method" is "HMAC-SHA1".*must be "RSA-SHA256"/],
    ['Base64 text', rsaSigner(data => rsa(data).toString('base64') as never), /returned string.*raw bytes/],
    ['the bytes of Base64 text', rsaSigner(data => Buffer.from(rsa(data).toString('base64'))), /344 bytes.*gives 256/],
    ['a digest of the digest', rsaSigner(data => rsa(createHash('sha256').update(data).digest())), /does not verify/],
    [
      'PSS padding',
      rsaSigner(data => sign('sha256', data, { key: privateKey, padding: constants.RSA_PKCS1_PSS_PADDING })),
      /does not verify.*PKCS#1 v1\.5/,
    ],
    ['nothing', rsaSigner(() => undefined as never), /returned undefined/],
    ['a refusal', refused, /failed on text: AccessDeniedException/],
    ['the signature of text', rsaSigner(data => rsa(Buffer.from(Buffer.from(data).toString()))), /no UTF-8/],
    ['the whole memory behind a view', rsaSigner(data => rsa(Buffer.from(data.buffer))), /does not verify|view/],
    [
      'no large input',
      rsaSigner(data => (data.length > 4096 ? Promise.reject(new Error('ValidationException')) : rsa(data))),
      /failed on a megabyte: ValidationException/,
    ],
    ['no empty input', rsaSigner(data => (data.length === 0 ? Buffer.alloc(0) : rsa(data))), /no bytes/],
    [
      'what only a Buffer can do',
      rsaSigner(data => rsa(Buffer.from(data.toString().includes(',') ? 'x' : data))),
      /Uint8Array that is no Buffer/,
    ],
    [
      'a changed input',
      rsaSigner(data => {
        const signature = rsa(data)
        data.fill(0)
        return signature
      }),
      /changed the bytes it was given/,
    ],
  ])('finds %s', async (_name, signer, problem) => {
    const problems = await signerConformance(signer, { publicKey, concurrency: 1 })
    expect(problems.join('\n')).toMatch(problem)
  })

  it('finds an input that is shared between calls', async () => {
    let shared = Buffer.alloc(0)
    const signer = rsaSigner(async data => {
      shared = Buffer.from(data)
      await setImmediate()
      return rsa(shared)
    })
    expect(await signerConformance(signer, { publicKey })).toEqual([expect.stringMatching(/of 16 at once/)])
  })

  it('finds a signature that is overwritten by the next one', async () => {
    const memory = Buffer.alloc(20)
    const signer = hmacSigner(data => {
      hmac(data).copy(memory)
      return memory
    })
    expect((await signerConformance(signer, { secret, concurrency: 1 })).join()).toMatch(
      /changed after it was returned/,
    )
  })

  it('finds a wrong secret', async () => {
    const signer = hmacSha1Signer({ consumerSecret: 'another' })
    expect(await signerConformance(signer, { secret })).toEqual([expect.stringMatching(/percent-encoded\?$/)])
  })

  it.each([
    ['an empty signature', rsaSigner(() => Buffer.alloc(0)), /returned something/],
    ['text that is thrown', rsaSigner(() => Promise.reject('timeout')), /instead of an Error/],
  ])('finds a failure that is reported as %s', async (_name, failing, problem) => {
    expect(await signerConformance(rsaSigner(rsa), { publicKey, failing, concurrency: 1 })).toEqual([
      expect.stringMatching(problem),
    ])
  })

  it.each([[{}], [{ publicKey, secret }]])('needs one of publicKey and secret', async options => {
    await expect(signerConformance(rsaSigner(rsa), options)).rejects.toThrow(TypeError)
  })
})
