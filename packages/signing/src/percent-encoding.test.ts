import { describe, expect, it } from 'vitest'
import { percentEncode } from './percent-encoding.js'

describe('percentEncode', () => {
  it('encodes a percent sign, so that encoding twice differs from encoding once', () => {
    expect(percentEncode(percentEncode(' '))).toBe('%2520')
  })

  it.each(['\ud83d', '\udeb2', 'a\ud83db'])('refuses half of a surrogate pair in %j', text => {
    expect(() => percentEncode(text)).toThrow(expect.objectContaining({ code: 'ERR_INVALID_INPUT' }))
  })
})
