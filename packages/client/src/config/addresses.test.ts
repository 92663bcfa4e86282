import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyText } from '../../test/any-text.js'
import { check, expectMistake } from '../../test/checking.js'
import { saleRequest } from '../../test/sample-requests.js'
import { cases } from '../../test/soak.js'
import { addressProblem } from './addresses.js'

describe('addressProblem', () => {
  it.each([
    'https://shop.example',
    'http://127.0.0.1:8080/callback',
    'HTTPS://shop.example/back?order={orderid}#paid',
    'https://[::1]/a@b',
  ])('finds nothing in %s', address => {
    expect(addressProblem(address)).toBeUndefined()
  })

  it.each([
    ['/callback', 'is a path'],
    ['', 'is empty'],
    ['callback', 'no absolute'],
    ['shop.example/callback', 'no absolute'],
    ['//shop.example/callback', 'no absolute'],
    ['http:shop.example', 'no absolute'],
    ['https:/shop.example', 'no absolute'],
    ['https:///callback', 'no absolute'],
    ['https://?a=1', 'no absolute'],
    ['https://shop example/', 'no absolute'],
    ['ftp://shop.example/', 'no absolute'],
    ['javascript:alert(1)', 'no absolute'],
    ['https://shop.example/a b', 'white space'],
    ['https://shop.example\\@other.example/', 'backslash'],
    ['https://me:hunter2@shop.example/', 'a user name or a password'],
    ['https://me@shop.example/', 'a user name or a password'],
  ])('refuses "%s"', (address, problem) => {
    expect(addressProblem(address)).toContain(problem)
    expect(addressProblem(address)).not.toContain('hunter2')
  })
})

describe('addressProblem, against what a parser says', () => {
  const piece = fc.oneof(
    { weight: 6, arbitrary: fc.stringMatching(/^[a-z0-9]{1,6}$/) },
    { weight: 4, arbitrary: fc.constantFrom('.', '.', '-', '/', 'shop', 'com', '.example', 'xn--', '--', '127.0.0.1') },
    {
      weight: 2,
      arbitrary: fc.constantFrom(':', '?', '#', '%', '@', '[', ']', '\\', '<', '^', '|', '{', '%2e', '%zz'),
    },
    { weight: 1, arbitrary: anyText({ maxLength: 2 }) },
  )
  const address = fc
    .tuple(fc.constantFrom('https://', 'http://', 'HTTPS://', 'https:'), fc.array(piece, { maxLength: 9 }))
    .map(([scheme, pieces]) => `${scheme}${pieces.join('')}`)

  it('passes none that cannot be parsed, carries credentials, or holds a space or a backslash', () => {
    let passed = 0
    fc.assert(
      fc.property(address, each => {
        if (addressProblem(each) !== undefined) return
        passed += 1
        const { protocol, username, password } = new URL(each)
        expect([protocol.replace('s', ''), username, password]).toEqual(['http:', '', ''])
        expect(each).not.toMatch(/[\s\\]/)
      }),
      cases({ daily: 1_000, soak: 50_000 }),
    )
    expect(passed).toBeGreaterThan(100)
  })

  it('passes every one of the web that can be parsed', () => {
    // `fc.webUrl` takes two seconds before it makes the first one.
    // Behind `xn--` not everything can be parsed: RFC 5891, section 4.2.3.1.
    const label = fc.stringMatching(/^[a-z0-9](?:[a-z0-9-]{0,5}[a-z0-9])?$/).filter(text => !text.startsWith('xn--'))
    const host = fc.array(label, { minLength: 1, maxLength: 4 }).map(labels => [...labels, 'example'].join('.'))
    const written = fc.stringMatching(/^(?:[a-zA-Z0-9._~!$&'()*+,;=:@-]|%[0-7][0-9A-F]){0,8}$/)
    const webAddress = fc
      .record({
        scheme: fc.constantFrom('http', 'https'),
        host,
        path: fc.array(written, { maxLength: 4 }).map(segments => segments.map(segment => `/${segment}`).join('')),
        query: fc.option(
          written.map(text => `?${text}`),
          { nil: '' },
        ),
        fragment: fc.option(
          written.map(text => `#${text}`),
          { nil: '' },
        ),
      })
      .map(({ scheme, host, path, query, fragment }) => `${scheme}://${host}${path}${query}${fragment}`)
    fc.assert(
      fc.property(webAddress, each => {
        expect(URL.canParse(each)).toBe(true)
        expect(addressProblem(each)).toBeUndefined()
      }),
      cases({ daily: 100, soak: 5_000 }),
    )
  })
})

describe('addresses of a request', () => {
  it.each(['redirectUrl', 'redirectSuccessUrl', 'redirectFailUrl', 'serverCallbackUrl', 'notifyUrl'])(
    'are no paths: %s',
    field => {
      expect(() => check('sale', { ...saleRequest, [field]: '/callback' })).toThrow(
        expect.objectContaining({ code: 'ERR_INVALID_REQUEST', field, clientOrderId: 'o-1' }),
      )
      expect(() => check('sale', { ...saleRequest, [field]: '/callback' })).toThrow(`not sent: "${field}" is a path`)
    },
  )

  it('are checked in "extra" as well', () => {
    const extra = { notify_url: '/callback' }
    expectMistake(() => check('sale', { ...saleRequest, extra }), 'extra.notify_url', '"extra.notify_url" is a path')
  })

  it('are those that somebody goes to: siteUrl is a note', () => {
    expect(() => check('sale', { ...saleRequest, siteUrl: 'shop.example' })).not.toThrow()
  })
})
