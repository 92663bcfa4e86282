import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createGunzip } from 'node:zlib'
import { printable } from '../../command-line/wrap.js'
import type { Hit } from '../search/search.js'
import { type Search, shown } from '../search/search.js'

/** Something that was searched from its beginning to its end, or from a place on. */
export interface SearchedPart {
  /** Its path, or what else it is called. A card number in it is not shown. */
  readonly name: string
  /** The byte at which the search began, if not the first. */
  readonly from?: number
  readonly bytes: number
  /** The hash of these bytes. */
  readonly sha256: string
  /** Says that something in it was not looked at. It makes a problem of the place. */
  readonly note?: string
}

/** The result of searching a part. */
export interface PartResult {
  readonly part: SearchedPart
  readonly hits: readonly Hit[]
  /** True if this run's customer is in it. */
  readonly marked: boolean
  /** True if it has no bytes, or has none once it is unpacked. */
  readonly isEmpty: boolean
}

/** A part whose bytes come piece by piece. */
export interface OpenPart {
  push(bytes: Uint8Array): Promise<void>
  end(): Promise<PartResult>
}

/** How files begin that hold others in a form that hides their digits, besides gzip. */
const packings: readonly (readonly [begins: string, what: string])[] = [
  ['504b0304', 'a zip archive'],
  ['28b52ffd', 'packed by zstd'],
  ['fd377a585a00', 'packed by xz'],
  ['425a68', 'packed by bzip2'],
  ['377abcaf271c', 'a 7z archive'],
  ['526172211a07', 'a RAR archive'],
  ['04224d18', 'packed by lz4'],
  ['5047444d50', "PostgreSQL's own format, which is packed"],
]
const gzip = '1f8b'
/** Longest beginning that tells a packing, in bytes. */
const longest = 6

/** A text that may be shown: without what a terminal would obey, and without its digits if a card number is in it. */
export function safeText(text: string, search: Search): string {
  const bytes = Buffer.from(text)
  const scan = search.scan()
  scan.push(bytes)
  return scan.end().hits.length === 0 ? printable(text) : shown(bytes)
}

/** Begins to search a part: as it is, and unpacked where it is packed by gzip. */
export function openPart(name: string, search: Search, from = 0): OpenPart {
  const scan = search.scan()
  const digest = createHash('sha256')
  let bytes = 0
  let beginning: Buffer = Buffer.alloc(0)
  let unpacking: ReturnType<typeof unpack> | undefined
  return {
    async push(piece) {
      digest.update(piece)
      scan.push(piece)
      bytes += piece.byteLength
      if (unpacking !== undefined) return unpacking.push(piece)
      if (beginning.length >= longest) return
      beginning = Buffer.concat([beginning, piece])
      if (from > 0 || !beginning.toString('hex').startsWith(gzip)) return
      unpacking = unpack(search)
      await unpacking.push(beginning)
      beginning = beginning.subarray(0, longest)
    },
    async end() {
      const { hits, marked } = scan.end()
      const inner = await unpacking?.end()
      const hex = from > 0 ? '' : beginning.toString('hex')
      const packing = packings.find(([begins]) => hex.startsWith(begins))?.[1]
      const note =
        inner?.isWhole === false
          ? 'packed by gzip, and not unpacked to its end'
          : packing && `${packing}: it was not unpacked`
      const part = { name: safeText(name, search), bytes, sha256: digest.digest('hex'), ...(from > 0 ? { from } : {}) }
      return {
        part: note === undefined ? part : { ...part, note },
        hits: [...hits, ...(inner?.hits ?? [])],
        marked: marked || inner?.marked === true,
        isEmpty: (inner ?? { bytes }).bytes === 0,
      }
    },
  }
}

function unpack(search: Search) {
  const gunzip = createGunzip()
  const scan = search.scan()
  let bytes = 0
  const reading = (async () => {
    try {
      for await (const piece of gunzip) {
        bytes += (piece as Buffer).length
        scan.push(piece as Buffer)
      }
      return true
    } catch {
      return false
    }
  })()
  return {
    async push(piece: Uint8Array) {
      // After a mistake in it nothing more is taken.
      if (!gunzip.destroyed && !gunzip.write(piece))
        await Promise.race([once(gunzip, 'drain').catch(() => undefined), reading])
    },
    async end() {
      if (!gunzip.destroyed) gunzip.end()
      const isWhole = await reading
      const { hits, marked } = scan.end()
      return { isWhole, marked, bytes, hits: hits.map(hit => ({ ...hit, form: `${hit.form}, in gzip` })) }
    },
  }
}
