import { describe, expect, it } from 'vitest'
import type { Settings } from '../config/settings.js'
import { doubtsAbout } from './doubts.js'

const gateway = (origin: string, environment?: Settings['environment']) =>
  ({ baseUrl: { origin, prefix: '', address: origin, isPlainHttp: false }, environment }) as Settings
const real = gateway('https://gate.example')

const doubts = (field: string, value: string, settings = real) =>
  doubtsAbout([{ name: field, field, shownAs: field, value }], settings).map(({ problem }) => problem)

describe('doubtsAbout an address, which public documents call the payer’s IPv4 or IPv6', () => {
  it.each([
    ['203.0.113.7, 10.0.0.1', 'has more than one address'],
    ['203.0.113.7:4711', 'Write it without port'],
    ['[2001:db8::1]', 'Write it without port, brackets or host name'],
    ['localhost', 'is no IPv4 or IPv6 address'],
    ['unknown', 'is no IPv4 or IPv6 address'],
    // RFC 4291 section 2.5.3, RFC 1122 section 3.2.1.3
    ['::1', 'of this machine or of a private network'],
    ['127.0.0.1', 'of this machine or of a private network'],
    // RFC 1918 section 3
    ['10.1.2.3', 'private network'],
    ['172.16.0.1', 'private network'],
    ['172.31.255.255', 'private network'],
    ['192.168.1.1', 'private network'],
    ['::ffff:10.0.0.1', 'private network'],
    // RFC 6598 section 7, RFC 3927 section 2.1, RFC 4193 section 3.1, RFC 4291 section 2.5.6
    ['100.64.0.1', 'private network'],
    ['169.254.1.1', 'private network'],
    ['fd00::1', 'private network'],
    ['fe80::1', 'private network'],
  ])('has one about "%s"', (value, words) => {
    expect(doubts('ipAddress', value)).toEqual([expect.stringContaining(words)])
  })

  it.each(['203.0.113.7', '2001:db8::1', '172.32.0.1', '100.128.0.1', '11.0.0.1', '::ffff:203.0.113.7', ''])(
    'has none about "%s"',
    value => {
      expect(doubts('ipAddress', value)).toEqual([])
    },
  )

  it('has none about a local one where the gateway is one for tests', () => {
    expect(doubts('ipAddress', '::1', gateway('http://localhost:4010'))).toEqual([])
    expect(doubts('ipAddress', '::1', gateway('https://sandbox.example', 'test'))).toEqual([])
    expect(doubts('ipAddress', '1.2.3.4, ::1', gateway('http://localhost:4010'))).toHaveLength(1)
  })

  it('looks at every field with an address, and shows none of a customer', () => {
    for (const field of ['ipAddress', 'browserIp', 'customerIp']) {
      const [problem] = doubts(field, '203.0.113.7, 10.0.0.1')
      expect(problem).toContain(`"${field}" has more`)
      expect(problem).not.toContain('203')
    }
  })
})

// Names and codes of ISO 3166-1, as its maintenance agency publishes them.
describe('doubtsAbout a country, which public documents want as two letters of ISO 3166-1', () => {
  it.each([
    ['Germany', 'Write "DE".'],
    ['united states', 'Write "US".'],
    ['United Kingdom', 'Write "GB".'],
    ['DEU', 'Write two letters of ISO 3166-1'],
    ['Deutschland', 'Write two letters of ISO 3166-1'],
  ])('has one about "%s"', (value, words) => {
    expect(doubts('country', value)).toEqual([expect.stringContaining(words)])
  })

  it.each(['DE', 'de', ''])('has none about "%s"', value => {
    expect(doubts('country', value)).toEqual([])
  })
})
