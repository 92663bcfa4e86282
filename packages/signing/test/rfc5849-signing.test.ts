/**
 * Any OAuth 1.0a service: the three requests that RFC 5849 section 1.2 prints are signed and verified byte for byte, without
 * `oauth_version` and with further parameters in the header. Signatures are the printed ones; OpenSSL 3 makes the same from
 * the base strings here: `printf %s "$BASE_STRING" | openssl dgst -sha1 -hmac "$KEY" -binary | base64`.
 */
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  createRequestSigner,
  decodeForm,
  hmacSha1Signer,
  parseAuthorizationHeader,
  signatureBaseString,
  verifyAuthorization,
} from '../src/index.js'
import { headerOf } from './header-of.js'

const consumerKey = 'dpf43f3p2l4k3l03'
const consumerSecret = 'kd94hf93k423kf44'
const withoutVersion = { oauth_version: undefined }

const initiate = {
  method: 'POST',
  url: new URL('https://photos.example.net/initiate'),
  timestamp: 137131200,
  nonce: 'wIjqoS',
  protocolParameters: { ...withoutVersion, oauth_callback: 'http://printer.example.com/ready' },
  signature: '74KNZJeDHnMBp0EMJ9ZHt/XKycU=',
  baseString:
    'POST&https%3A%2F%2Fphotos.example.net%2Finitiate&oauth_callback%3Dhttp%253A%252F%252Fprinter.example.com%252Fready' +
    '%26oauth_consumer_key%3Ddpf43f3p2l4k3l03%26oauth_nonce%3DwIjqoS%26oauth_signature_method%3DHMAC-SHA1' +
    '%26oauth_timestamp%3D137131200',
}
const token = {
  method: 'POST',
  url: new URL('https://photos.example.net/token'),
  timestamp: 137131201,
  nonce: 'walatlh',
  token: 'hh5s93j4hdidpola',
  tokenSecret: 'hdhd0244k9j7ao03',
  protocolParameters: { ...withoutVersion, oauth_verifier: 'hfdp7dh39dks9884' },
  signature: 'gKgrFCywp7rO0OXSjdot/IHF7IU=',
  baseString:
    'POST&https%3A%2F%2Fphotos.example.net%2Ftoken&oauth_consumer_key%3Ddpf43f3p2l4k3l03%26oauth_nonce%3Dwalatlh' +
    '%26oauth_signature_method%3DHMAC-SHA1%26oauth_timestamp%3D137131201%26oauth_token%3Dhh5s93j4hdidpola' +
    '%26oauth_verifier%3Dhfdp7dh39dks9884',
}
const photos = {
  method: 'GET',
  url: new URL('http://photos.example.net/photos?file=vacation.jpg&size=original'),
  timestamp: 137131202,
  nonce: 'chapoH',
  token: 'nnch734d00sl2jdk',
  tokenSecret: 'pfkkdhi9sl3r4s00',
  protocolParameters: withoutVersion,
  signature: 'MdpQcU8iPSUjWoN/UDMsK2sui9I=',
  baseString:
    'GET&http%3A%2F%2Fphotos.example.net%2Fphotos&file%3Dvacation.jpg%26oauth_consumer_key%3Ddpf43f3p2l4k3l03' +
    '%26oauth_nonce%3DchapoH%26oauth_signature_method%3DHMAC-SHA1%26oauth_timestamp%3D137131202' +
    '%26oauth_token%3Dnnch734d00sl2jdk%26size%3Doriginal',
}

const signatureIn = (header: string): string | undefined =>
  new Map(parseAuthorizationHeader(header)?.parameters).get('oauth_signature')

describe.each([
  ['the request for temporary credentials', initiate],
  ['the request for a token', token],
  ['the request for a photo', photos],
])('RFC 5849 section 1.2, %s', (_title, printed) => {
  const { signature, baseString, ...request } = { token: undefined, tokenSecret: '', ...printed }
  const { tokenSecret } = request
  const given = {
    ...request,
    parameters: [],
    consumerKey,
    realm: 'Photos',
    signer: hmacSha1Signer({ consumerSecret, tokenSecret }),
  }
  const { token, ...withoutToken } = given
  const options = token === undefined ? withoutToken : { ...withoutToken, token }

  it('has the base string and the signature that are printed', async () => {
    const header = await headerOf(options)
    expect(signatureIn(header)).toBe(signature)
    expect(header).not.toContain('oauth_version')
    const parameters = parseAuthorizationHeader(header)?.parameters ?? []
    expect(signatureBaseString({ method: request.method, url: request.url, parameters })).toBe(baseString)
  })

  it('is verified', async () => {
    const verdict = await verifyAuthorization({
      ...options,
      authorization: await headerOf(options),
      keys: { hmacSecrets: consumerSecret, tokenSecret },
      policy: { now: request.timestamp, windowSeconds: 0, versionOptional: true },
    })
    expect(verdict).toMatchObject({ kind: 'verified', consumerKey, ...(token === undefined ? {} : { token }) })
  })
})

describe('RFC 5849 section 3.4.1.1', () => {
  it('has the base string that is printed', async () => {
    const url = new URL('http://example.com/request?b5=%3D%253D&a3=a&c%40=&a2=r%20b')
    const body = decodeForm('c2&a3=2+q')
    const header = await headerOf({
      url,
      parameters: body,
      realm: 'Example',
      consumerKey: '9djdj82h48djs9d2',
      token: 'kkk9d7dh3k39sjv7',
      signer: hmacSha1Signer({ consumerSecret: 'j49sk3j29djd', tokenSecret: 'dh893hdasih9' }),
      timestamp: 137131201,
      nonce: '7d8f3e4a',
      protocolParameters: withoutVersion,
    })
    const parameters = [...body, ...(parseAuthorizationHeader(header)?.parameters ?? [])]
    expect(signatureBaseString({ method: 'POST', url, parameters })).toBe(
      'POST&http%3A%2F%2Fexample.com%2Frequest&a2%3Dr%2520b%26a3%3D2%2520q%26a3%3Da%26b5%3D%253D%25253D%26c%2540%3D%26c2%3D' +
        '%26oauth_consumer_key%3D9djdj82h48djs9d2%26oauth_nonce%3D7d8f3e4a%26oauth_signature_method%3DHMAC-SHA1' +
        '%26oauth_timestamp%3D137131201%26oauth_token%3Dkkk9d7dh3k39sjv7',
    )
  })
})

describe('further parameters of the header', () => {
  const request = { url: new URL('https://api.example/orders'), parameters: [], timestamp: 137131200, nonce: 'n' }
  const requestSigner = createRequestSigner({ consumerKey, signer: hmacSha1Signer({ consumerSecret }) })

  it('are new with every request, and covered whatever their names', async () => {
    for (const body of ['{"a":1}', '{"a":2}']) {
      const oauth_body_hash = createHash('sha1').update(body).digest('base64')
      const protocolParameters = { oauth_body_hash, a_first: '1 2', z_last: 'é' }
      const authorization = requestSigner.headerSync({ ...request, protocolParameters })
      const parameters = Object.fromEntries(parseAuthorizationHeader(authorization)?.parameters ?? [])
      expect(parameters).toMatchObject({ ...protocolParameters, oauth_version: '1.0' })
      const verify = (changed: string) =>
        verifyAuthorization({
          ...request,
          method: 'POST',
          authorization: changed,
          keys: { hmacSecrets: consumerSecret },
          policy: { now: request.timestamp, windowSeconds: 0 },
        })
      expect(await verify(authorization)).toMatchObject({ kind: 'verified' })
      expect(await verify(authorization.replace('1%202', '1%203'))).toMatchObject({ reason: 'mismatch' })
    }
  })

  it.each(['oauth_nonce', 'oauth_signature', 'oauth_token', 'realm'])('are not %j, which is made here', name => {
    const protocolParameters = { [name]: 'x' }
    expect(() => requestSigner.headerSync({ ...request, protocolParameters })).toThrow(
      expect.objectContaining({ code: 'ERR_INVALID_INPUT', field: name }),
    )
  })
})
