import { Buffer } from 'node:buffer'

/** A card number as bytes, in a form that hides its digits from a search for them. */
export interface HiddenForm {
  readonly form: string
  readonly bytes: Uint8Array
}

const inFours = (number: string, between: string): string => number.replace(/\d{4}(?=\d)/g, `$&${between}`)

/** A number as a person writes it: in one piece, and in groups of four. */
const writtenOut = (number: string): readonly string[] => [number, inFours(number, ' '), inFours(number, '-')]

/** The digits that a number in another form consists of: turned round, as codes, and in hexadecimal, which has no letter in a digit's byte. */
export function digitForms(number: string): readonly { readonly form: string; readonly digits: string }[] {
  const hex = Buffer.from(number, 'latin1').toString('hex')
  return [
    { form: '', digits: number },
    { form: 'reversed', digits: [...number].reverse().join('') },
    { form: 'hexadecimal', digits: hex },
    { form: 'codes of its characters', digits: [...number].map(each => each.charCodeAt(0)).join('') },
    { form: 'hexadecimal of UTF-16', digits: hex.replace(/..(?=.)/g, '$&00') },
  ]
}

/** Forms with letters in them. The alphabets of Base64 differ in two characters, and digits have neither. */
export function textForms(number: string): readonly HiddenForm[] {
  const hexOf = (text: string): readonly string[] => {
    const hex = Buffer.from(text, 'latin1').toString('hex')
    return [...new Set([hex, hex.toUpperCase()])]
  }
  return [
    ...writtenOut(number).flatMap(text => [0, 1, 2].map(before => formOf('Base64', base64Piece(text, before)))),
    ...[0, 1, 2].map(before => formOf('Base64 of UTF-16', base64Piece(utf16(number), before))),
    ...writtenOut(number)
      .slice(1)
      .flatMap(hexOf)
      .map(text => formOf('hexadecimal', text)),
  ]
}

const formOf = (form: string, text: string): HiddenForm => ({ form, bytes: Buffer.from(text, 'latin1') })

/** Without the last NUL, so that it is the same in either order of bytes. */
const utf16 = (text: string): string => Buffer.from(text, 'utf16le').toString('latin1').slice(0, -1)

/** The characters of Base64 that depend on nothing else than a text, where so many bytes stand before it. */
export function base64Piece(text: string, before: number): string {
  const bytes = Buffer.from('\0'.repeat(before) + text, 'latin1')
  return bytes.toString('base64').slice(Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6))
}

/** A number as programs and databases keep one: packed decimals, integers of 64 bits, floating point. */
export function binaryForms(number: string): readonly HiddenForm[] {
  const integers = [Buffer.alloc(8), Buffer.alloc(8), Buffer.alloc(8), Buffer.alloc(8)] as const
  integers[0].writeBigInt64BE(BigInt(number))
  integers[1].writeBigInt64LE(BigInt(number))
  integers[2].writeDoubleBE(Number(number))
  integers[3].writeDoubleLE(Number(number))
  return [
    { form: 'packed decimals', bytes: Buffer.from(number, 'hex') },
    // The first byte of a card number's integer is 0, and 128 where MySQL keeps it.
    { form: 'integer of 64 bits', bytes: integers[0].subarray(1) },
    { form: 'integer of 64 bits', bytes: integers[1].subarray(0, 7) },
    { form: 'floating point', bytes: integers[2] },
    { form: 'floating point', bytes: integers[3] },
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
