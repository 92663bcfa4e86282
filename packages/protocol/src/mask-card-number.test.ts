import { describe, expect, it } from 'vitest'
import { isCardNumber, maskCardNumber, maskCardNumbers } from './mask-card-number.js'

describe('maskCardNumber', () => {
  it.each([
    ['4444444444444448', '444444******4448'],
    ['4444 4444 4444 4448', '444444******4448'],
    ['4222222222222', '422222***2222'],
    ['6304000000000000000', '630400*********0000'],
    ['444444******4448', '444444******4448'],
    ['123', '***'],
    ['44444444', '***'],
    ['44444444444444484444', '***'],
    ['not a card', '***'],
  ])('shows %s as %s', (value, shown) => {
    expect(maskCardNumber(value)).toBe(shown)
  })
})

describe('maskCardNumbers', () => {
  it.each([
    ['paid with 4444444444444448.', 'paid with 444444******4448.'],
    ['4444-4444-4444-4448, 4222 2222 2222 2', '444444******4448, 422222***2222'],
    ['HTTP 20 4444444444444448', 'HTTP 20 444444******4448'],
    ['2026-01-02 4444 4444 4444 4448 12', '2026-01-02 444444******4448 12'],
    ['4222222222222 4222222222222', '422222***2222 422222***2222'],
    ['4222222222222 00', '422222*****2200'],
    ['order 4444444444444449', 'order 4444444444444449'],
    ['44444444444444480000 is too long', '44444444444444480000 is too long'],
    ['order 9007199254740993 of 2031', 'order 9007199254740993 of 2031'],
  ])('makes of "%s" "%s"', (text, masked) => {
    expect(maskCardNumbers(text)).toBe(masked)
  })
})

describe('maskCardNumbers of long texts', () => {
  it.each(['1 ', '1-', '12345678901234567890', '4444 '])(
    'takes no longer than the text is: "%s" again and again',
    part => {
      const text = part.repeat(100_000)
      expect(maskCardNumbers(`${text}x 4444444444444448`)).toMatch(/x 444444\*{6}4448$/)
    },
  )
})

describe('isCardNumber', () => {
  // The number of ISO/IEC 7812-1 annex B, and test numbers that card schemes and gateways publish.
  it.each(['4242424242424242', '378282246310005', '5555555555554444', '6011111111111117', '4444444444444448'])(
    'takes %s',
    number => expect(isCardNumber(number)).toBe(true),
  )

  it.each(['4242424242424241', '424242424242', '42424242424242424242', '4242 4242 4242 4242', '', 'card'])(
    'refuses "%s"',
    number => expect(isCardNumber(number)).toBe(false),
  )
})
