import { describe, expect, it } from 'vitest'
import { quote } from './errors.js'

describe('quote', () => {
  it.each([
    ['of 4444 4444 4444 4448', '"of 444444******4448"'],
    ['4444\u200b4444\u200b4444\u200b4448', '"444444******4448"'],
    [`${'x'.repeat(50)} 4444444444444448`, `"${'x'.repeat(50)} 444444******4…"`],
    ['a\nb', '"a\\nb"'],
  ])('makes of %j %s', (text, quoted) => {
    expect(quote(text)).toBe(quoted)
  })
})
