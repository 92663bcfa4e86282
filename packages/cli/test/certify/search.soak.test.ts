import { createCipheriv } from 'node:crypto'
import { expect, it } from 'vitest'
import { makeCanaries } from '../../src/certify/pci/canaries.js'
import { createSearch } from '../../src/certify/search/search.js'

/** Bytes that look like chance, the same in each run: AES-128 in counter mode, of zeros. */
const noise = (count: number): Buffer =>
  createCipheriv('aes-128-ctr', Buffer.alloc(16), Buffer.alloc(16)).update(Buffer.alloc(count))

const size = 10_000_000
const search = createSearch(
  makeCanaries(() => 0.5),
  'ada-7f3k9q',
)

it.each([
  ['bytes', noise(size)],
  ['digits', noise(size).map(byte => 0x30 + (byte % 10))],
  ['Base64', Buffer.from(noise((size / 4) * 3).toString('base64'))],
  ['hexadecimal', Buffer.from(noise(size / 2).toString('hex'))],
])('a search finds nothing in ten million of %s by chance', (_what, bytes) => {
  const scan = search.scan()
  for (let at = 0; at < bytes.length; at += 65_536) scan.push(bytes.subarray(at, at + 65_536))
  expect(scan.end()).toEqual({ hits: [], marked: false })
})

it('a search finds a number in each form, whatever signs of escapes stand around it, and wherever pieces meet', () => {
  const number = '4012001012345672'
  const one = createSearch([{ number, securityCode: '987' }])
  const forms = [
    Buffer.from(number),
    Buffer.from(Buffer.from(number).toString('hex')),
    Buffer.from(Buffer.from(`xx${number}yyy`).toString('base64')),
    ...['%3$&', '%253$&', '\\u003$&', '&#x003$&;'].map(each => Buffer.from(number.replace(/\d/g, each))),
    Buffer.from(number, 'utf16le'),
    Buffer.from(number, 'utf16le').swap16(),
  ]
  const signs = 'a|%|\\|&#|"| |9|%4|\\x|\\u00|\n|=|&|\\\\|%25|\0|é|%2'.split('|')
  const chances = noise(1_000_000).values()
  const below = (most: number): number => (chances.next().value ?? 0) % most
  const some = (most: number): Buffer =>
    Buffer.from(Array.from({ length: below(most) }, () => signs[below(signs.length)]).join(''))
  const missed: string[] = []
  for (let count = 0; count < 10_000; count += 1) {
    const bytes = Buffer.concat([some(5), forms[below(forms.length)] as Buffer, some(3)])
    const scan = one.scan()
    for (let at = 0; at < bytes.length; ) {
      const end = at + 1 + below(9)
      scan.push(bytes.subarray(at, end))
      at = end
    }
    if (!scan.end().hits.some(({ what }) => what === 'number')) missed.push(bytes.toString('latin1'))
  }
  expect(missed).toEqual([])
})
