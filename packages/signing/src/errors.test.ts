import { describe, expect, it } from 'vitest'
import { quoted } from './errors.js'

describe('quoted', () => {
  it.each([
    ['', '""'],
    ['order-1', '"order-1"'],
    ['say "so"', '"say \\"so\\""'],
    ['1\nINFO payment verified', '"1\\nINFO payment verified"'],
    ['\u001b[2J\u009b2J\u2028\u007f', '"\\u001b[2J\\u009b2J\\u2028\\u007f"'],
    ['a'.repeat(64), `"${'a'.repeat(64)}"`],
    ['a'.repeat(65), `"${'a'.repeat(64)}"…`],
  ])('shows %j as %s', (text, shown) => {
    expect(quoted(text)).toBe(shown)
  })
})
