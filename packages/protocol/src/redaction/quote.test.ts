import { describe, expect, it } from 'vitest'
import { quote } from './quote.js'

describe('quote', () => {
  it.each([
    ['odd', '"odd"'],
    ['two\nlines', '"two\\nlines"'],
    ['card 4444444444444448', '"card 444444******4448"'],
    [undefined, 'none'],
  ])('makes of %j: %s', (text, quoted) => {
    expect(quote(text)).toBe(quoted)
  })

  it('cuts what is too long for a sentence', () => {
    expect(quote('x'.repeat(500))).toBe(JSON.stringify('x'.repeat(128)))
  })
})
