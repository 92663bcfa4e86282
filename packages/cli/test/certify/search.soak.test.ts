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
