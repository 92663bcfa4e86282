import { Buffer } from 'node:buffer'
import type { Search, SoughtCard } from './search.js'

/** How many of the hidden numbers and codes a search found. */
export interface SelfTest {
  /** Forms that were hidden, over all cards. */
  readonly hidden: number
  readonly found: number
  readonly missed: readonly string[]
}

/** Bytes of a piece: shorter than any form, so that each of them is cut. */
const piece = 7

/** Hides each card in each form, cut into pieces, and searches: a search that finds nothing there proves nothing elsewhere. */
export function testSearch(search: Search, cards: readonly SoughtCard[]): SelfTest {
  let [hidden, found] = [0, 0]
  const missed = new Set<string>()
  cards.forEach((card, index) => {
    for (const [form, text] of hidingPlaces(card)) {
      hidden += 1
      const bytes = Buffer.concat([Buffer.from('x <'), text, Buffer.from('> y')])
      const scan = search.scan()
      for (let at = 0; at < bytes.length; at += piece) scan.push(bytes.subarray(at, at + piece))
      const { hits } = scan.end()
      if (hits.some(hit => hit.card === index && hit.form === form)) found += 1
      else missed.add(form)
    }
  })
  return { hidden, found, missed: [...missed] }
}

/** A card in every form, written by what programs write it with. */
function hidingPlaces({ number, securityCode }: SoughtCard): readonly (readonly [form: string, bytes: Buffer])[] {
  const digits = [...number]
  const hex = Buffer.from(number).toString('hex')
  const integer = Buffer.alloc(8)
  integer.writeBigInt64BE(BigInt(number))
  const float = Buffer.alloc(8)
  float.writeDoubleLE(Number(number))
  const text = (form: string, written: string) => [form, Buffer.from(written)] as const
  return [
    text('as it is', number),
    text('as it is', `%${number}%`),
    text('hexadecimal', `%${hex}%`),
    text('digits set apart', (number.match(/\d{1,4}/g) ?? []).join(' ')),
    text('digits set apart', digits.join('-')),
    text('percent-encoded', hex.replace(/../g, '%$&')),
    text('percent-encoded', hex.replace(/../g, '%25$&')),
    text('escaped as in JSON', hex.replace(/../g, '\\u00$&')),
    text('escaped as in HTML', digits.map(each => `&#${each.charCodeAt(0)};`).join('')),
    text('reversed', digits.reverse().join('')),
    text('hexadecimal', hex),
    text('hexadecimal', `\\x${hex}`),
    text('codes of its characters, digits set apart', JSON.stringify(Buffer.from(number).toJSON())),
    text('hexadecimal of UTF-16', Buffer.from(number, 'utf16le').toString('hex')),
    text('Base64 of UTF-16', Buffer.from(number, 'utf16le').toString('base64')),
    ...['', 'a', 'ab'].map(before => text('Base64', Buffer.from(`${before}${number}c`).toString('base64'))),
    ['UTF-16', Buffer.from(number, 'utf16le')],
    ['packed decimals', Buffer.from(number, 'hex')],
    ['integer of 64 bits', integer],
    ['floating point', float],
    text('beside the name of its field', `"cvv2":"${securityCode}"`),
  ]
}
