/** Base strings of which nothing else is known. The right ones are printed in RFC 5849 or signed in `vectors/oauth.json`. */
import { describe, expect, it } from 'vitest'
import { explainBaseString, isBaseString } from '../src/explain/index.js'

/** RFC 5849 section 3.4.1.1. */
const printed =
  'POST&http%3A%2F%2Fexample.com%2Frequest&a2%3Dr%2520b%26a3%3D2%2520q%26a3%3Da%26b5%3D%253D%25253D%26c%2540%3D%26c2%3D%26' +
  'oauth_consumer_key%3D9djdj82h48djs9d2%26oauth_nonce%3D7d8f3e4a%26oauth_signature_method%3DHMAC-SHA1%26' +
  'oauth_timestamp%3D137131201%26oauth_token%3Dkkk9d7dh3k39sjv7'

/** RFC 5849 section 1.2, with the signature that is printed there. */
const photos =
  'POST&https%3A%2F%2Fphotos.example.net%2Finitiate&oauth_callback%3Dhttp%253A%252F%252Fprinter.example.com%252Fready%26' +
  'oauth_consumer_key%3Ddpf43f3p2l4k3l03%26oauth_nonce%3DwIjqoS%26oauth_signature_method%3DHMAC-SHA1%26oauth_timestamp%3D137131200'
const signed = { expectedSignature: '74KNZJeDHnMBp0EMJ9ZHt/XKycU=', secrets: { consumerSecret: 'kd94hf93k423kf44' } }

describe('explainBaseString', () => {
  it.each([printed, photos])('takes a right one apart', baseString => {
    const explained = explainBaseString(baseString)
    expect(explained).toMatchObject({ matches: true, method: 'POST', baseString })
    expect(explained).not.toHaveProperty('explanation')
  })

  it.each([
    ['post', printed.replace('POST', 'post'), 'method'],
    ['a default port', printed.replace('example.com', 'example.com%3A80'), 'port'],
    ['capitals in the host', printed.replace('example.com', 'Example.com'), 'host-in-capitals'],
    ['a query in the address', printed.replace('request&', 'request%3Fb5%3D%253D%25253D&'), 'query-in-address'],
    [
      'spaces as plus, and nothing else to encode',
      printed
        .replace('r%2520b', 'r%2Bb')
        .replace('2%2520q', '2%2Bq')
        .replace('b5%3D%253D%25253D%26', '')
        .replace('c%2540%3D%26', ''),
      'plus-for-space',
    ],
    ['spaces as plus', printed.replace('r%2520b', 'r%2Bb').replace('2%2520q', '2%2Bq'), 'plus-for-space'],
    [
      'the parameters encoded once',
      printed
        .split('&')
        .map((part, at) => (at === 2 ? decodeURIComponent(part) : part))
        .join('&'),
      'single-encoding',
    ],
    [
      'nothing but the address encoded',
      photos
        .split('&')
        .map((part, at) => (at === 2 ? decodeURIComponent(decodeURIComponent(part)) : part))
        .join('&'),
      'single-encoding',
    ],
    ['escapes in lower case', printed.replace(/%[0-9A-F]{2}/g, code => code.toLowerCase()), 'escapes-in-lower-case'],
    ['another order', printed.replace('a2%3Dr%2520b%26a3%3D2%2520q', 'a3%3D2%2520q%26a2%3Dr%2520b'), 'not-sorted'],
    [
      'the signature in it',
      photos.replace('%26oauth_signature_method', '%26oauth_signature%3Dx%26oauth_signature_method'),
      'signature-covered',
    ],
  ])('finds %s', (_title, baseString, mistake) => {
    const explained = explainBaseString(baseString)
    expect(explained?.matches).toBe(false)
    expect(explained?.explanation?.mistake).toBe(mistake)
    expect(explained?.lines.some(({ differs }) => differs)).toBe(true)
  })

  it('judges a signature, where there is one', () => {
    expect(explainBaseString(photos, signed)).toMatchObject({ matches: true, signatureMatches: true })
    const secrets = { consumerSecret: 'kd94hf93k423kf44&' }
    expect(explainBaseString(photos, { ...signed, secrets })?.signatureMatches).toBe(false)
    const text = JSON.stringify(explainBaseString(photos, signed))
    for (const secret of ['kd94hf93k423kf44', '74KNZJeDHnMBp0EMJ9ZHt']) expect(text).not.toContain(secret)
  })

  it('masks what it is told to', () => {
    const baseString = printed.replace('a3%3Da', 'a3%3D4444555566661111')
    const mask = (name: string, value: string): string => (name === 'a3' ? '…' : value)
    const explained = explainBaseString(baseString, { mask })
    expect(JSON.stringify(explained)).not.toContain('4444555566661111')
  })

  it.each([
    '',
    'hello',
    'POST&',
    'POST&nonsense&a%3Db',
    'c6bdd88a78834ef4b863b088827a459f039e8257',
    `${photos}${'a'.repeat(20_000)}`,
  ])('knows that %j is none', text => {
    expect(explainBaseString(text)).toBeUndefined()
  })

  it('tells a base string from other texts', () => {
    expect([photos, ` ${photos}\n`, 'get&https://a.example&a=b'].map(isBaseString)).toEqual([true, true, true])
    expect(['curl http://a', 'a=b&c=d', 'POST a&b'].map(isBaseString)).toEqual([false, false, false])
  })
})
