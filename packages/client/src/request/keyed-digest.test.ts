import { createHash, createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { keyedDigest } from './keyed-digest.js'

const key = '0123456789abcdef'.repeat(4)

describe('keyedDigest', () => {
  // python3 -c "import hmac; print(hmac.new(b'0123456789abcdef'*4, text.encode(), 'sha256').hexdigest())"
  it.each([
    ['', '081247dc68bb7fafbf13220013a0ab71db8b628d679161f87b5e5bd9e19b1494'],
    ['abc', '4094e954bda3fa079826b9a1353886ed680ee45577c7405a18ad4004562f2e33'],
    ['Größe 9 €', 'f28563cb8a85a1ddfb915a47543715a8f5c96c8fe875843cd713d007a6bc91ba'],
    ['x'.repeat(1000), '8ac2b192789d43f10bccf304e02038ae55c3cfce3a38e899346c81e8c82324ac'],
  ])('is the HMAC-SHA256 of the UTF-8 bytes of %j', (text, expected) => {
    expect(keyedDigest(key)(text)).toBe(expected)
  })

  it('is that of Node.js for any text and key', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (text, from) => {
        const hex = createHash('sha256').update(from).digest('hex')
        expect(keyedDigest(hex)(text)).toBe(createHmac('sha256', hex).update(text).digest('hex'))
      }),
    )
  })

  it('takes no key of another length or form', () => {
    for (const wrong of ['', key.slice(1), key.toUpperCase(), `${key}00`]) {
      expect(() => keyedDigest(wrong)).toThrow('64 hex digits')
    }
  })
})
