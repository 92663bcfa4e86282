import { createHash } from 'node:crypto'
import { type Entry, largestBody, longestKey, type WriteOptions } from '../store/store.js'
import type { StoreCheck } from './context.js'
import {
  entry,
  everyPage,
  keysOn,
  must,
  mustBeWritten,
  mustRead,
  mustReject,
  same,
  sameDocument,
  upTo,
} from './expectations.js'

/** JSON that engines cut, decode, round or write anew. */
const bodies = [
  '"\\u0000 between"',
  '"\\ud83d\\ude00 escaped, \\ud83d alone"',
  '"line\u2028paragraph\u2029next\u0085"',
  '9223372036854775807',
  '{"amount":12345678901234567890.10,"e":1e400,"minus":-0,"zero":1.00}',
  '"🛒👩‍👩‍👧 日本 ﷽ \u202eright to left"',
  '"\u00e9 e\u0301 \uac00 \u1100\u1161 \ufb01"',
  '"\ufeffmark \uffff \ufffd \u{10ffff}"',
  '{"b":1,"a":2,"b":3,"__proto__":{"x":1}}',
  ' {\r\n\t"blanks" : [ 1 , 2 ]\n}\n ',
  '"\'\'; drop table documents; -- $1 ? :a %s \\\\ \\" / \\/"',
  '""',
] as const

/** Keys that engines and file systems take for one another, or for something else. */
// biome-ignore format: one long list
const keys = [
  'a', 'A', 'a ', 'a  ', ' a', 'a\t', 'a\n', 'a.', 'a/', 'a/b', 'a//b', 'a/./b', '../a', '.', '..', '/', '\\', 'a\\b', 'ä', 'a\u0308',
  'Ä', 'ß', 'ss', 'SS', 'İ', 'ı', 'i', 'I', '%', '_', 'a%', "'", '"', '`', '$1', '?', ':a', '-- a', 'null', 'NULL', '0', '00', '1e0',
  '1', 'true', '__proto__', 'constructor', 'toString', '日本', '🛒', '\ufffd', '\u200b', '\ufeff', '\u007f', 'con', 'a:b', '*', '~',
  'x'.repeat(longestKey), `${'x'.repeat(longestKey - 1)}y`, '日'.repeat(170), `${'x'.repeat(longestKey - 1)} `,
]

const notKept = ['', 'x'.repeat(longestKey + 1), '日'.repeat(171), 'a\0b', '\0', '\ud83d', 'a\udc00'] as const

const wrongEntries: readonly (readonly [what: string, Partial<Entry>])[] = [
  ['a raw NUL in the body', { body: '"\0"' }],
  ['half of a surrogate pair in the body', { body: '"\ud83d"' }],
  ['a date of NaN', { due: Number.NaN }],
  ['a date of half a millisecond', { due: 1.5 }],
  ['a date without end', { due: Number.POSITIVE_INFINITY }],
  ['an empty list', { list: '' }],
  ['a blank in the list', { list: 'a b' }],
  ['a list of 65 characters', { list: 'l'.repeat(65) }],
  ['a list that is not ASCII', { list: 'é' }],
]

const wrongIds = [
  ['an empty id', ''],
  ['a blank in the id', 'a b'],
  ['an id of 129 characters', 'i'.repeat(129)],
  ['an id that is not ASCII', 'é'],
] as const

const wrongOptions: readonly (readonly [what: string, Partial<WriteOptions>])[] = [
  ...wrongIds.map(([what, id]) => [`${what} of its own`, { id }] as const),
  ...wrongIds.map(([what, after]) => [`${what} of the write before`, { after }] as const),
]

/** Checks of the texts that a store keeps byte for byte, and of those that it refuses. */
export const textChecks: readonly StoreCheck[] = [
  {
    name: 'keeps bodies byte for byte',
    async run({ store, everywhere }) {
      for (const [index, body] of bodies.entries()) {
        const key = `body ${index}`
        mustBeWritten(`Writing ${body}`, await store.write(key, entry(body, { due: 1 }), { id: `w${index}` }), 1)
        const there = { key, version: 1, writeId: `w${index}`, body }
        for (const each of await everywhere()) await mustRead(`"read" of ${body}`, each, there)
        const lost = await store.write(key, entry('0'), { id: `x${index}` })
        same('The body in a conflict', lost.kind === 'conflict' && lost.current?.body, body)
      }
      const { items } = await store.take({ limit: 100, hold: 1 })
      for (const [index, body] of bodies.entries())
        same('A body in "take"', items.find(({ key }) => key === `body ${index}`)?.body, body)
      for (const { key, body } of (await store.list({ limit: 100 })).items)
        same('A body in "list"', body, bodies[Number(key.slice(5))])
      return undefined
    },
  },
  {
    name: `keeps a body of ${largestBody} bytes, and refuses one more`,
    async run({ store, another }) {
      // The first can be compressed to little, the second to nothing, the third has fewer characters than bytes.
      const noise = upTo(8192)
        .map(index => createHash('sha256').update(`${index}`).digest('base64'))
        .join('')
      const large = ['x'.repeat(largestBody - 2), noise.slice(0, largestBody - 2), `${'日'.repeat(87_380)}é`].map(
        text => `"${text}"`,
      )
      for (const [index, body] of large.entries()) {
        const key = `large ${index}`
        same('The test itself: bytes', Buffer.byteLength(body), largestBody)
        mustBeWritten('A large body', await store.write(key, entry(body), { id: `w${index}` }), 1)
        const { stored } = await (await another()).read(key)
        must(stored?.body === body, `A body of ${largestBody} bytes came back with ${stored?.body.length} characters.`)
        const longer = entry(`${body} `)
        await mustReject(
          'A body that is too large',
          () => store.write(key, longer, { after: `w${index}`, id: `x${index}` }),
          refused,
        )
        await mustRead('"read" after it', store, { key, version: 1, writeId: `w${index}`, body })
      }
      return undefined
    },
  },
  {
    name: 'keeps keys apart, and every character of them',
    async run({ store, another }) {
      const other = await another()
      for (const [index, key] of keys.entries()) {
        const options = { id: `w${index}` }
        mustBeWritten(
          `The first write under ${JSON.stringify(key)}`,
          await store.write(key, entry(`${index}`), options),
          1,
        )
      }
      for (const [index, key] of keys.entries())
        await mustRead(`"read" of ${JSON.stringify(key)}`, other, {
          key,
          version: 1,
          writeId: `w${index}`,
          body: `${index}`,
        })
      const listed = keysOn(await everyPage(store, { limit: 20 }))
      same('"list" of all', [...listed].sort(), [...keys].sort())
      return undefined
    },
  },
  {
    name: 'refuses keys that cannot be kept, in every method',
    async run({ store, commit }) {
      for (const key of notKept) {
        const shown = JSON.stringify(key).slice(0, 20)
        await mustReject(`"read" of ${shown}`, () => store.read(key), refused)
        await mustReject(`"write" of ${shown}`, () => store.write(key, entry('1'), { id: 'w' }), refused)
        await mustReject(`"postpone" of ${shown}`, () => store.postpone(key, 'w', 1), refused)
        if (commit !== undefined)
          await mustReject(
            `"commit" of ${shown}`,
            () =>
              commit(
                key,
                async () => {},
                () => entry('1'),
              ),
            refused,
          )
      }
      return nothingThere(await store.list({ limit: 9 }))
    },
  },
  {
    name: 'refuses entries that cannot be kept, and writes nothing',
    async run({ store }) {
      await store.write('b', entry('1'), { id: 'w1' })
      for (const [what, own] of wrongEntries) {
        await mustReject(`A new document with ${what}`, () => store.write('a', entry('1', own), { id: 'w' }), refused)
        await mustReject(what, () => store.write('b', entry('1', own), { after: 'w1', id: 'w' }), refused)
      }
      for (const [what, own] of wrongOptions)
        await mustReject(
          `A write with ${what}`,
          () => store.write('b', entry('1'), { after: 'w1', id: 'w', ...own }),
          refused,
        )
      for (const due of [Number.NaN, 1.5])
        await mustReject('"postpone" to no date', () => store.postpone('b', 'w1', due), refused)
      for (const [what, after] of wrongIds)
        await mustReject(`"postpone" after ${what}`, () => store.postpone('b', after, 1), refused)
      const { items } = await store.list({ limit: 9 })
      sameDocument('The only document', items[0], { key: 'b', version: 1, writeId: 'w1', body: '1' })
      return items.length === 1 ? undefined : `There are ${items.length} documents; expected 1.`
    },
  },
  {
    name: 'refuses numbers that ask for nothing',
    async run({ store }) {
      for (const wrong of [0, -1, 1.5, Number.NaN]) {
        await mustReject(`"take" with limit ${wrong}`, () => store.take({ limit: wrong, hold: 1 }), refused)
        await mustReject(`"take" with hold ${wrong}`, () => store.take({ limit: 1, hold: wrong }), refused)
        await mustReject(`"list" with limit ${wrong}`, () => store.list({ limit: wrong }), refused)
      }
      for (const prefixes of [[], ['']])
        await mustReject(
          `"take" with prefixes ${JSON.stringify(prefixes)}`,
          () => store.take({ limit: 1, hold: 1, prefixes }),
          refused,
        )
      await mustReject('"list" with limit 1001', () => store.list({ limit: 1001 }), refused)
      return undefined
    },
  },
]

const refused = 'ERR_STORE_REFUSED'

const nothingThere = ({ items }: { readonly items: readonly unknown[] }): string | undefined =>
  items.length === 0 ? undefined : `There are ${items.length} documents; expected none.`
