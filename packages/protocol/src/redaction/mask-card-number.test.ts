import { describe, expect, it } from 'vitest'
import { rows } from '../../test/soak.js'
import { isCardNumber, maskCardNumber, maskCardNumbers, maskNumber, quote, shortMasked } from './mask-card-number.js'

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
    // 8 4444 4444 4444 and 16 4444 4444 4444 have a right check digit too: what overlaps is hidden as a whole.
    ['8 4444 4444 4444 4448', '***'],
    ['16 4444 4444 4444 4448', '***'],
    ['2026-01-02 4444 4444 4444 4448 12', '2026-01-02 ***'],
    ['4222222222222 4222222222222', '422222***2222 422222***2222'],
    ['4222222222222 00', '422222*****2200'],
    ['order 4444444444444449', 'order 4444444444444449'],
    ['44444444444444480000 is too long', '44444444444444480000 is too long'],
    ['order 9007199254740993 of 2031', 'order 9007199254740993 of 2031'],
  ])('makes of "%s" "%s"', (text, masked) => {
    expect(maskCardNumbers(text)).toBe(masked)
  })
})

describe('maskCardNumbers of numbers that are hidden', () => {
  const groups = ['4444', '4444', '4444', '4448']
  // Encoded by `encodeURIComponent`, once and twice, in either case: no code of ours.
  const encoded = (text: string) => [text, encodeURIComponent(text), encodeURIComponent(encodeURIComponent(text))]
  const invisible = [
    '\u200b',
    '\u200c',
    '\u200d',
    '\u2060',
    '\ufeff',
    '\u00ad',
    '\u0000',
    '\u007f',
    '\u0085',
    '\u200b\u200b\u200b\u200b\u200b',
  ]
  const gaps = [...invisible, ' ', '-', '\u00a0', '\u2013', ' \u200b', '\u200b-\u2060', ' - '].flatMap(encoded)

  it.each([...gaps, ...gaps.map(gap => gap.toLowerCase()), '%2D', '%20\u200b'])('shows none that has %j in it', gap => {
    expect(maskCardNumbers(`card ${groups.join(gap)}.`)).toBe('card 444444******4448.')
    expect(maskCardNumbers(`card ${[...groups.join('')].join(gap)}, 12`)).toBe('card 444444******4448, 12')
  })

  const escaped = (text: string, sign = '%') => text.replace(/\d/g, digit => `${sign}3${digit}`)

  it.each([
    escaped('4444444444444448'),
    escaped('4444444444444448', '%25'),
    escaped('4444 4444 4444 4448'),
    `4444${escaped('4444')}4444${escaped('4448', '%25')}`,
    `%34444%2D%34444%2520444%34%E2%80%8B4448`,
  ])('shows no number whose digits are escaped: %s', text => {
    expect(maskCardNumbers(`card ${text}.`)).toBe('card 444444******4448.')
  })

  it.each([
    ['sent%204444444444444448', 'sent%20444444******4448'],
    ['a=b%3D4444444444444448', 'a=b%3D444444******4448'],
    ['100%4444444444444448', '100%444444******4448'],
    ['100%254444444444444448', '100%25444444******4448'],
    ['a%25204444444444444448', 'a%2520444444******4448'],
    ['12\u200b4444444444444448\u200b12', '12\u200b444444******4448\u200b12'],
  ])('finds one beside what is none: of "%s" it makes "%s"', (text, masked) => {
    expect(maskCardNumbers(text)).toBe(masked)
  })

  it.each([
    'order 9007199254740993',
    'order%209007199254740993',
    '9007\u200b1992\u200b5474\u200b0993',
    escaped('9007199254740993'),
    '4444 %20 - 4444 %20 - 4444 %20 - 4448',
    '4444%3A%2C%3A%2C4444%3A%2C%3A%2C4444%3A%2C%3A%2C4448',
  ])('shows what is no card number: %s', text => {
    expect(maskCardNumbers(text)).toBe(text)
  })
})

describe('maskNumber', () => {
  it.each([
    ['id-4444444444444448-12', 'id-444444******4448-12'],
    ['9999444444444444444899', '9999444444******444899'],
    ['4\u200b44%34444%20444444448', '444444******4448'],
    ['4444444444444448 4444-4444-4444-4448', '444444******4448 444444******4448'],
    ['4444444444444449', '4444444444444449'],
  ])('makes of "%s" "%s"', (text, masked) => {
    expect(maskNumber(text, '4444444444444448')).toBe(masked)
  })

  it('leaves a text alone where there is no number', () => {
    expect(maskNumber('4444', '')).toBe('4444')
  })
})

describe('maskCardNumbers of long texts', () => {
  // Work in proportion to the square of the text takes hours, and the test runs into its time limit.
  it.each(
    rows({
      daily: ['4444 ', '%2', '\u200b'],
      soak: ['1 ', '1-', '%31', '12345678901234567890', '1%20', '%2531', '%25', '%', '1\u200b', ' '],
    }),
  )('takes no longer than the text is: a quarter of a million characters of "%s"', part => {
    const text = part.repeat(250_000 / part.length)
    expect(maskCardNumbers(`${text}x 4444444444444448`)).toMatch(/x 444444\*{6}4448$/)
  })
})

describe('isCardNumber', () => {
  // The number of ISO/IEC 7812-1 annex B, and test numbers that card schemes and gateways publish.
  it.each([
    '4242424242424242',
    '378282246310005',
    '371449635398431',
    '5555555555554444',
    '6011111111111117',
    '6011000990139424',
    '4444444444444448',
  ])('takes %s', number => expect(isCardNumber(number)).toBe(true))

  it.each(['4242424242424241', '424242424242', '42424242424242424242', '4242 4242 4242 4242', '', 'card'])(
    'refuses "%s"',
    number => expect(isCardNumber(number)).toBe(false),
  )
})

describe('quote', () => {
  it.each([
    ['odd', '"odd"'],
    ['two\nlines', '"two\\nlines"'],
    ['two\u2028lines\u2029and\u0085more', '"two\\u2028lines\\u2029and\\u0085more"'],
    ['a terminal\u009b2J\u007f', '"a terminal\\u009b2J\\u007f"'],
    ['card 4444444444444448', '"card 444444******4448"'],
    [undefined, 'none'],
  ])('makes of %j: %s', (text, quoted) => {
    expect(quote(text)).toBe(quoted)
  })

  it('shows no card number where the cut makes one of longer digits', () => {
    // Found by fuzzing. 4444555566661111 has a right check digit, and 44445555666611115 has none: ISO/IEC 7812-1.
    const long = `${'x'.repeat(4)}44445555666611115${'x'.repeat(100)}`
    expect(shortMasked(long, 21)).toBe('xxxx444455******1111…')
    expect(quote(`${'x'.repeat(111)}${long.slice(4)}`)).toBe(`"${'x'.repeat(111)}444455******1111…"`)
  })

  it('cuts what is too long for a sentence', () => {
    expect(quote('x'.repeat(500))).toBe(JSON.stringify(`${'x'.repeat(127)}…`))
  })
})
