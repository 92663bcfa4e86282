import { createHash } from 'node:crypto'
import { type Entry, largestBody, longestKey } from '../store/store.js'
import { check, noWork, type StoreCheck } from './context.js'
import {
  entry,
  everyPage,
  keysOn,
  must,
  mustBeWritten,
  mustRead,
  mustRefuse,
  same,
  sameDocument,
  show,
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

/** Checks of the texts that a store keeps byte for byte, and of those that it refuses. */
export const textChecks: readonly StoreCheck[] = [
  check('keeps bodies byte for byte', async ({ store, everywhere }) => {
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
  }),
  check(`keeps a body of ${largestBody} bytes, and refuses one more`, async ({ store, another }) => {
    // The first can be compressed to little, the second to nothing, the third has fewer characters than bytes.
    const noise = upTo(8192)
      .map(index => createHash('sha256').update(`${index}`).digest('base64'))
      .join('')
    const large = ['x'.repeat(largestBody - 2), noise.slice(0, largestBody - 2), `${'日'.repeat(87_380)}é`]
    for (const [index, text] of large.entries()) {
      const [key, body] = [`large ${index}`, `"${text}"`]
      same('The test itself: bytes', Buffer.byteLength(body), largestBody)
      mustBeWritten('A large body', await store.write(key, entry(body), { id: `w${index}` }), 1)
      const { stored } = await (await another()).read(key)
      must(stored?.body === body, `A body of ${largestBody} bytes came back with ${stored?.body.length} characters.`)
      const options = { after: `w${index}`, id: `x${index}` }
      await mustRefuse('A body that is too large', () => store.write(key, entry(`${body} `), options))
      await mustRead('"read" after it', store, { key, version: 1, writeId: `w${index}`, body })
    }
  }),
  check('keeps keys apart, and every character of them', async ({ store, another }) => {
    const other = await another()
    for (const [index, key] of keys.entries()) {
      const written = await store.write(key, entry(`${index}`), { id: `w${index}` })
      mustBeWritten(`The first write under ${show(key)}`, written, 1)
    }
    for (const [index, key] of keys.entries()) {
      const there = { key, version: 1, writeId: `w${index}`, body: `${index}` }
      await mustRead(`"read" of ${show(key)}`, other, there)
    }
    const listed = keysOn(await everyPage(store, { limit: 20 }))
    same('"list" of all', [...listed].sort(), [...keys].sort())
  }),
  check('refuses keys that cannot be kept, in every method', async ({ store, commit }) => {
    for (const key of notKept) {
      const shown = JSON.stringify(key).slice(0, 20)
      await mustRefuse(`"read" of ${shown}`, () => store.read(key))
      await mustRefuse(`"write" of ${shown}`, () => store.write(key, entry('1'), { id: 'w' }))
      await mustRefuse(`"postpone" of ${shown}`, () => store.postpone(key, 'w', 1))
      if (commit !== undefined) await mustRefuse(`"commit" of ${shown}`, () => commit(key, noWork, () => entry('1')))
    }
    same('The list of all', (await store.list({ limit: 9 })).items, [])
  }),
  check('refuses entries that cannot be kept, and writes nothing', async ({ store }) => {
    await store.write('b', entry('1'), { id: 'w1' })
    for (const [what, own] of wrongEntries) {
      await mustRefuse(`A new document with ${what}`, () => store.write('a', entry('1', own), { id: 'w' }))
      await mustRefuse(what, () => store.write('b', entry('1', own), { after: 'w1', id: 'w' }))
    }
    for (const [what, id] of wrongIds) {
      await mustRefuse(`A write with ${what}`, () => store.write('b', entry('1'), { after: 'w1', id }))
      await mustRefuse(`A write after ${what}`, () => store.write('b', entry('1'), { after: id, id: 'w' }))
      await mustRefuse(`"postpone" after ${what}`, () => store.postpone('b', id, 1))
    }
    for (const due of [Number.NaN, 1.5]) await mustRefuse('"postpone" to no date', () => store.postpone('b', 'w1', due))
    const { items } = await store.list({ limit: 9 })
    sameDocument('The only document', items[0], { key: 'b', version: 1, writeId: 'w1', body: '1' })
    same('How many documents there are', items.length, 1)
  }),
  check('refuses numbers that ask for nothing', async ({ store }) => {
    for (const wrong of [0, -1, 1.5, Number.NaN]) {
      await mustRefuse(`"take" with limit ${wrong}`, () => store.take({ limit: wrong, hold: 1 }))
      await mustRefuse(`"take" with hold ${wrong}`, () => store.take({ limit: 1, hold: wrong }))
      await mustRefuse(`"list" with limit ${wrong}`, () => store.list({ limit: wrong }))
    }
    for (const prefixes of [[], ['']])
      await mustRefuse(`"take" with prefixes ${show(prefixes)}`, () => store.take({ limit: 1, hold: 1, prefixes }))
    await mustRefuse('"list" with limit 1001', () => store.list({ limit: 1001 }))
  }),
]
