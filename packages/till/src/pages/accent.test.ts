import { describe, expect, it } from 'vitest'
import { accentStyle, checkPages, textOn } from './options.js'

describe('textOn', () => {
  it.each([
    ['#000000', '#ffffff'],
    ['#23527c', '#ffffff'],
    ['#ffe14d', '#000000'],
    // The contrast of black is 4.69 to 1 here, and that of white 4.48.
    ['#777777', '#000000'],
    ['#757575', '#ffffff'],
  ])('is readable on %s', (colour, text) => {
    expect(textOn(colour)).toBe(text)
  })
})

describe('accentStyle', () => {
  it('has a rule for light and one for dark', () => {
    expect(accentStyle({ light: '#23527c', dark: '#ffe14d' })).toBe(
      ':root { --accent: #23527c; --on-accent: #ffffff; }\n' +
        '@media (prefers-color-scheme: dark) { :root { --accent: #ffe14d; --on-accent: #000000; } }\n',
    )
  })
})

describe('checkPages', () => {
  it.each(['red', '#abc', '#23527c; } body { display: none', '#23527c\n', 7])('refuses the colour %j', colour => {
    expect(() => checkPages({ accent: { light: colour as string, dark: '#ffffff' } })).toThrow(
      /"pages.accent.light" is .*; it must be a colour with six digits, such as #23527c.$/s,
    )
  })
})
