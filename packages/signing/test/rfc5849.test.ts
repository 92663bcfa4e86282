/** The RFC's own rules and examples, by section. */
import { describe, expect, it } from 'vitest'
import {
  baseStringUri,
  decodeForm,
  hmacSha1Signer,
  normalizeParameters,
  parseAuthorizationHeader,
  percentEncode,
  signatureBaseString,
  verifyAuthorization,
} from '../src/index.js'

const example = new URL('http://example.com/request')

describe('RFC 5849 section 1.2', () => {
  it('verifies the signature of the printed request for temporary credentials', async () => {
    const verdict = await verifyAuthorization({
      method: 'POST',
      url: new URL('https://photos.example.net/initiate'),
      parameters: [],
      authorization:
        'OAuth realm="Photos", oauth_consumer_key="dpf43f3p2l4k3l03", oauth_signature_method="HMAC-SHA1", ' +
        'oauth_timestamp="137131200", oauth_nonce="wIjqoS", ' +
        'oauth_callback="http%3A%2F%2Fprinter.example.com%2Fready", ' +
        'oauth_signature="74KNZJeDHnMBp0EMJ9ZHt%2FXKycU%3D"',
      keys: { hmacSecrets: 'kd94hf93k423kf44' },
      policy: { now: 137131200, windowSeconds: 0, versionOptional: true },
    })
    expect(verdict).toMatchObject({ kind: 'verified', consumerKey: 'dpf43f3p2l4k3l03', nonce: 'wIjqoS' })
  })
})

describe('RFC 5849 section 3.4.1.1', () => {
  it('writes the method in upper case', () => {
    expect(signatureBaseString({ method: 'post', url: example, parameters: [] })).toMatch(/^POST&/)
  })

  it('keeps both ampersands when there is no parameter', () => {
    expect(signatureBaseString({ method: 'POST', url: example, parameters: [] })).toBe(
      'POST&http%3A%2F%2Fexample.com%2Frequest&',
    )
  })

  it('encodes a space twice', () => {
    expect(signatureBaseString({ method: 'POST', url: example, parameters: [['a', 'r b']] })).toContain('a%3Dr%2520b')
  })
})

describe('RFC 5849 section 3.4.1.2', () => {
  it('writes scheme and host in lower case and keeps the case of the path', () => {
    expect(baseStringUri(new URL('HTTP://EXAMPLE.com/R%20v/X'))).toBe('http://example.com/R%20v/X')
  })

  it('leaves out port 80 of http and port 443 of https only', () => {
    expect(baseStringUri(new URL('http://a.example:80/'))).toBe('http://a.example/')
    expect(baseStringUri(new URL('https://a.example:443/'))).toBe('https://a.example/')
    expect(baseStringUri(new URL('https://a.example:80/'))).toBe('https://a.example:80/')
  })

  it('leaves out query and fragment', () => {
    expect(baseStringUri(new URL('https://a.example/b?c=d#e'))).toBe('https://a.example/b')
  })
})

describe('RFC 5849 section 3.4.1.3.1', () => {
  it('gathers the query and the form', () => {
    expect(normalizeParameters(new URL('http://example.com/?b=2'), decodeForm('a=1'))).toBe('a=1&b=2')
  })

  it('reads + as a space in query and form', () => {
    expect(normalizeParameters(new URL('http://example.com/?b=2+q'), decodeForm('a=2+q'))).toBe('a=2%20q&b=2%20q')
  })

  it('gives a name without = an empty value', () => {
    expect(decodeForm('c2&a3=2+q')).toEqual([
      ['c2', ''],
      ['a3', '2 q'],
    ])
  })

  it('leaves out realm and oauth_signature of the header', () => {
    const header = parseAuthorizationHeader('OAuth realm="Example", oauth_nonce="n", oauth_signature="s"')
    expect(header?.realm).toBe('Example')
    expect(normalizeParameters(example, header?.parameters ?? [])).toBe('oauth_nonce=n')
  })
})

describe('RFC 5849 section 3.4.1.3.2', () => {
  it('sorts by encoded name, byte by byte, upper case first', () => {
    const parameters = ['b', 'a~', 'B', 'a-', 'a', 'é', '_'].map(name => [name, ''] as const)
    expect(normalizeParameters(example, parameters)).toBe('%C3%A9=&B=&_=&a=&a-=&a~=&b=')
  })

  it('sorts by encoded value when names repeat', () => {
    expect(
      normalizeParameters(example, [
        ['a', 'é'],
        ['a', 'z'],
        ['a', ''],
        ['a', 'Z'],
      ]),
    ).toBe('a=&a=%C3%A9&a=Z&a=z')
  })

  it('compares names before values, whatever the joined text would compare to', () => {
    expect(
      normalizeParameters(example, [
        ['a-', '1'],
        ['a', '2'],
      ]),
    ).toBe('a=2&a-=1')
  })

  it('treats __proto__ as a name like any other', () => {
    expect(
      normalizeParameters(example, [
        ['__proto__', '1'],
        ['constructor', '2'],
      ]),
    ).toBe('__proto__=1&constructor=2')
  })
})

describe('RFC 5849 section 3.4.2', () => {
  it('percent-encodes both secrets before joining them', async () => {
    // printf data | openssl dgst -sha1 -mac HMAC -macopt 'key:a%26b%20c&d%2Be' -binary | base64
    const signature = await hmacSha1Signer({
      consumerSecret: 'a&b c',
      tokenSecret: 'd+e',
      keyEncoding: 'percent-encoded',
    }).sign(Buffer.from('data'))
    expect(Buffer.from(signature).toString('base64')).toBe('FKm4Wg281o4XQhMLkLrc1LICtIQ=')
  })
})

describe('RFC 5849 section 3.5.1', () => {
  it('reads the scheme in any letter case and white space around commas', () => {
    expect(parseAuthorizationHeader('oauth  a="1" ,\tb="2"')?.parameters).toEqual([
      ['a', '1'],
      ['b', '2'],
    ])
  })
})

describe('RFC 5849 section 3.6', () => {
  it('leaves unreserved characters alone and encodes everything else in upper case', () => {
    const printable = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join('')
    // python3 -c "import urllib.parse as u; print(u.quote(''.join(map(chr, range(32, 127))), safe='-._~'))"
    expect(percentEncode(printable)).toBe(
      '%20%21%22%23%24%25%26%27%28%29%2A%2B%2C-.%2F0123456789%3A%3B%3C%3D%3E%3F%40ABCDEFGHIJKLMNOPQRSTUVWXYZ%5B%5C%5D%5E_%60abcdefghijklmnopqrstuvwxyz%7B%7C%7D~',
    )
  })

  it('encodes a character outside the BMP as four bytes', () => {
    expect(percentEncode('🛒')).toBe('%F0%9F%9B%92')
  })
})
