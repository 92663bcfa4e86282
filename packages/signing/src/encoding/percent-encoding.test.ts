import { describe, expect, it } from 'vitest'
import { percentEncode } from './percent-encoding.js'

// RFC 3986 section 2.3.
const unreserved = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~'

describe('percentEncode', () => {
  it('encodes each ASCII character that is reserved, whether it stands alone or with others', () => {
    for (let code = 0; code < 128; code++) {
      const character = String.fromCharCode(code)
      const expected = unreserved.includes(character)
        ? character
        : `%${Buffer.from(character).toString('hex').toUpperCase()}`
      expect([percentEncode(character), percentEncode(`${character} a`)]).toEqual([expected, `${expected}%20a`])
    }
  })

  it('encodes a percent sign, so that encoding twice differs from encoding once', () => {
    expect(percentEncode(percentEncode(' '))).toBe('%2520')
  })

  it.each(['\ud83d', '\udeb2', 'a\ud83db'])('refuses half of a surrogate pair in %j', text => {
    expect(() => percentEncode(text)).toThrow(expect.objectContaining({ code: 'ERR_INVALID_INPUT' }))
  })
})
