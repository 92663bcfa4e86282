import { Buffer } from 'node:buffer'

/** A card number in a form that hides its digits from a search for them, one character a byte. */
export interface HiddenForm {
  readonly form: string
  readonly text: string
}

const inFours = (number: string, between: string): string => number.replace(/\d{4}(?=\d)/g, `$&${between}`)

const hexOf = (text: string): string => Buffer.from(text, 'latin1').toString('hex')

/**
 * The digits that a number in another form consists of: turned round, as codes, and in hexadecimal, which has no letter in a digit's byte.
 */
export const digitForms = (number: string): readonly HiddenForm[] => [
  { form: '', text: number },
  { form: 'reversed', text: [...number].reverse().join('') },
  { form: 'hexadecimal', text: hexOf(number) },
  { form: 'codes of its characters', text: [...number].map(each => each.charCodeAt(0)).join('') },
  { form: 'hexadecimal of UTF-16', text: hexOf(number).replace(/..(?=.)/g, '$&00') },
]

/** Forms with letters in them. The alphabets of Base64 differ in two characters, and digits have neither. */
export function textForms(number: string): readonly HiddenForm[] {
  const apart = [inFours(number, ' '), inFours(number, '-')]
  const inBase64 = (form: string, text: string) => [0, 1, 2].map(before => ({ form, text: base64Piece(text, before) }))
  return [
    ...[number, ...apart].flatMap(text => inBase64('Base64', text)),
    ...inBase64('Base64 of UTF-16', utf16(number)),
    ...apart.map(hexOf).flatMap(hex => [hex, hex.toUpperCase()].map(text => ({ form: 'hexadecimal', text }))),
  ]
}

/** Without the last NUL, so that it is the same in either order of bytes. */
const utf16 = (text: string): string => Buffer.from(text, 'utf16le').toString('latin1').slice(0, -1)

/** The characters of Base64 that depend on nothing else than a text, where so many bytes stand before it. */
export function base64Piece(text: string, before: number): string {
  const bytes = Buffer.from('\0'.repeat(before) + text, 'latin1')
  return bytes.toString('base64').slice(Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6))
}

/** A number as programs and databases keep one: packed decimals, integers of 64 bits, floating point. */
export function binaryForms(number: string): readonly HiddenForm[] {
  const [integer, float] = [Buffer.alloc(8), Buffer.alloc(8)]
  integer.writeBigInt64BE(BigInt(number))
  float.writeDoubleBE(Number(number))
  const eitherWay = (form: string, bytes: Buffer) =>
    [bytes, Buffer.from(bytes).reverse()].map(each => ({ form, text: each.toString('latin1') }))
  return [
    { form: 'packed decimals', text: Buffer.from(number, 'hex').toString('latin1') },
    // The first byte of a card number's integer is 0, and 128 where MySQL keeps it.
    ...eitherWay('integer of 64 bits', integer.subarray(1)),
    ...eitherWay('floating point', float),
  ]
}

/** Every form that is looked for, in words. */
export const searchedForms: readonly string[] = [
  'its digits as they are, in UTF-8 and in UTF-16',
  'digits set apart: by spaces, dashes, dots, line ends, or up to eight characters that are neither letter nor digit',
  'digits percent-encoded, once or twice',
  'digits escaped as in JSON, a program or HTML',
  'reversed',
  'the codes of its characters as decimals, as JSON has bytes',
  'hexadecimal, in either case, also of UTF-16 and of groups of four',
  'Base64 and its form for addresses, at each of the three places within more, also of UTF-16 and of groups of four',
  'packed decimals, an integer of 64 bits and floating point, in either order of bytes where there are two',
  'any of these in a file that is packed by gzip',
  'a security code: three digits beside the name of its field',
]
