import { Buffer } from 'node:buffer'
import { binaryForms, digitForms, textForms } from './forms.js'

/** A card that nobody has, to be looked for. */
export interface SoughtCard {
  readonly number: string
  readonly securityCode: string
}

/** Something that was found. */
export interface Hit {
  /** Place of the card in the list of those that are sought. */
  readonly card: number
  readonly what: 'number' | 'security code'
  readonly form: string
  /** Bytes before the first one. */
  readonly offset: number
  /** The name of the field right before the first one, where there is one. */
  readonly before: string
  readonly times: number
}

/** Everything that was found so far. */
export interface Found {
  readonly hits: readonly Hit[]
  readonly marked: boolean
}

/** A search under way. The pieces may end anywhere. */
export interface Scan {
  push(bytes: Uint8Array): void
  end(): Found
}

/** Looks for the same cards in many places. */
export interface Search {
  scan(): Scan
}

/** Stands behind a character that was an escape, so that every other one keeps its place. No byte is read as it. */
const filler = '\u0100'
const nothing = `[\\0${filler}]`
const blank = `[\\0-\\x20${filler}]`
/**
 * Between two digits: eight bytes that are neither letter nor digit. NUL, as in UTF-16, does not count, and a line may be indented by
 * any width.
 */
const gap = `${nothing}*(?:(?:\\n${blank}*(?!${blank})|[^0-9A-Za-z\\n\\0${filler}])${nothing}*){0,8}`

/** Percent-encoded, once or twice; as in JSON or a program, but not `\x3434…`, as PostgreSQL writes bytes; as in HTML. */
const escapes =
  /%(?:25)?([\da-f]{2})|\\{1,2}(?:u00([\da-f]{2})|x([\da-f]{2})(?![\da-f]{2})|([nrt]))|&#(?:x0{0,2}([\da-f]{2})|0{0,2}(\d{2,3}));/gi
const waysOfEscapes = { '%': 'percent-encoded', '\\': 'escaped as in JSON', '&': 'escaped as in HTML' } as const

/** A letter is never read from an escape: `%44` may be the sign of a percentage before a number that begins so. */
const decoded = (text: string): string =>
  text.replace(escapes, (all, percent, unicode, byte, blank, hex, decimal) => {
    const code = decimal === undefined ? Number.parseInt(percent ?? unicode ?? byte ?? hex, 16) : Number(decimal)
    const character = blank === undefined ? String.fromCharCode(code) : blank === 'n' ? '\n' : ' '
    const isWanted = blank !== undefined || (code > 0 && code < 256 && !/[a-z]/i.test(character))
    return isWanted ? character.padEnd(all.length, filler) : all
  })

/** Texts that are looked for, and what each of them is. */
type Patterns<Meaning> = ReadonlyMap<string, Meaning>

/** One pattern of all texts. The beginning that some have in common is in it once. */
function anyOf(texts: readonly string[], between: string): string {
  const branches = [...new Set(texts.map(([first]) => first as string))].map(first => {
    const rests = texts.filter(text => text.startsWith(first)).map(text => text.slice(1))
    const longer = rests.filter(rest => rest !== '')
    const goesOn = longer.length === 0 ? '' : `${between}${anyOf(longer, between)}`
    const sign = `\\x${first.charCodeAt(0).toString(16).padStart(2, '0')}`
    return `${sign}${longer.length === rests.length ? goesOn : `(?:${goesOn})?`}`
  })
  return branches.length === 1 ? (branches[0] as string) : `(?:${branches.join('|')})`
}

const expressionOf = (patterns: Patterns<unknown>, between: string): RegExp =>
  new RegExp(`${anyOf([...patterns.keys()], between)}${filler}*`, 'g')

/** Names of fields of a security code. */
const names = ['cvv2?', 'cvc2?', 'cvn', 'csc', 'security[-_]?code', 'card_code'].map(each =>
  each.replace(/(?<=[a-z])(?=[a-z])/g, '\\0?'),
)

/**
 * Prepares a search for cards in all forms of `searchedForms`.
 *
 * @param mark A word that the searched program must have met if it is the right one; undefined where there is none.
 */
export function createSearch(cards: readonly SoughtCard[], mark?: string): Search {
  const patternsOf = (formsOf: (number: string) => readonly { readonly form: string; readonly text: string }[]) =>
    new Map(cards.flatMap(({ number }, card) => formsOf(number).map(({ form, text }) => [text, { card, form }])))
  const [digits, texts, binary] = [patternsOf(digitForms), patternsOf(textForms), patternsOf(binaryForms)]
  if (mark !== undefined) texts.set(mark, { card: -1, form: '' })
  const codes = cards.map(({ securityCode }) => [...securityCode].join('\\0?')).join('|')
  const sought: Sought = {
    cards,
    digits: { patterns: digits, expression: expressionOf(digits, gap) },
    texts: { patterns: texts, expression: expressionOf(texts, `${blank}*`) },
    binary: { patterns: binary, expression: expressionOf(binary, '') },
    codes: new RegExp(
      `(?:${names.join('|')})(?:${nothing}*[^0-9A-Za-z\\0${filler}]){1,11}${nothing}*(${codes})(?!\\0?\\d)`,
      'gi',
    ),
  }
  return { scan: () => createScan(sought) }
}

interface Kind {
  readonly patterns: Patterns<{ readonly card: number; readonly form: string }>
  readonly expression: RegExp
}

interface Sought {
  readonly cards: readonly SoughtCard[]
  readonly digits: Kind
  readonly texts: Kind
  readonly binary: Kind
  readonly codes: RegExp
}

/** Bytes that are searched at a time. */
const piece = 1 << 16
/**
 * Bytes that are searched once more with those behind them: more than a number takes up with all its gaps, but for NULs and indentations.
 */
const kept = 8_192
/** Bytes at the end that are searched once more is known: those of an escape, with those behind it that decide whether it is one. */
const undecided = 8
/** Bytes before a hit that are looked at for the name of its field. */
const mostBefore = 48

type FormOf = (form: string, match: string, offset: number) => string
type PlacedHit = Omit<Hit, 'before' | 'times'> & { readonly end: number; readonly isText: boolean }

/** Searches a text. A `%` may begin an escape or stand before a number, so it is read in both ways. */
function hitsIn(text: string, { cards, digits, texts, binary, codes }: Sought): readonly PlacedHit[] {
  const hits: PlacedHit[] = []
  const isSame = (one: PlacedHit, other: PlacedHit): boolean =>
    one.card === other.card && one.what === other.what && one.offset < other.end && other.offset < one.end
  const add = (hit: PlacedHit): void => {
    if (!hits.some(each => isSame(each, hit))) hits.push(hit)
  }
  const find = (
    reading: string,
    { patterns, expression }: Kind,
    sign: RegExp | undefined,
    formOf: FormOf = form => form,
  ): void => {
    for (const { 0: match, index: offset } of reading.matchAll(expression)) {
      const found = patterns.get(sign === undefined ? match : match.replace(sign, ''))
      if (found === undefined) continue
      const form = formOf(found.form, match, offset)
      add({ card: found.card, what: 'number', form, offset, end: offset + match.length, isText: sign !== undefined })
    }
  }
  const formOfDigits: FormOf = (form, match, offset) => {
    const ways = [...match.matchAll(new RegExp(`\\d(?=${filler})`, 'g'))].map(({ index }) => text[offset + index])
    const words = [
      form,
      new RegExp(`[^\\d\\0${filler}]`).test(match) ? 'digits set apart' : '',
      match.includes('\0') ? 'UTF-16' : '',
      ...Object.entries(waysOfEscapes).map(([sign, words]) => (ways.includes(sign) ? words : '')),
    ].filter(Boolean)
    return words.join(', ') || 'as it is'
  }
  const other = decoded(text)
  for (const reading of other === text ? [text] : [other, text]) {
    find(reading, digits, /\D/g, formOfDigits)
    find(reading, texts, new RegExp(blank, 'g'))
    for (const { 0: match, 1: code = '', index } of reading.matchAll(codes)) {
      const card = cards.findIndex(({ securityCode }) => securityCode === code.replaceAll('\0', ''))
      const end = index + match.length
      const form = 'beside the name of its field'
      add({ card, what: 'security code', form, offset: end - code.length, end, isText: true })
    }
  }
  find(text, binary, undefined)
  return hits.sort((one, other) => one.end - other.end)
}

function createScan(sought: Sought): Scan {
  const hits = new Map<string, Hit>()
  let marked = false
  /** The bytes that are not searched to their end; the offset of the first; and the offset up to which hits are known. */
  let window: Buffer = Buffer.alloc(0)
  let base = 0
  let known = 0

  const read = (end: number): void => {
    const text = window.toString('latin1')
    for (const { card, what, form, offset, end: hitEnd, isText } of hitsIn(text, sought)) {
      if (base + hitEnd <= known || hitEnd > end) continue
      const key = `${card} ${what} ${form}`
      const earlier = hits.get(key)
      // Bytes before a binary form may be text or a number: nothing tells which.
      const before = isText ? fieldName(text.slice(Math.max(0, offset - mostBefore), offset)) : ''
      const first = { card, what, form, offset: base + offset, before, times: 0 }
      if (card < 0) marked = true
      else hits.set(key, { ...(earlier ?? first), times: (earlier?.times ?? 0) + 1 })
    }
    known = base + end
    const done = Math.max(0, end - kept)
    window = window.subarray(done)
    base += done
  }

  return {
    push(bytes) {
      window = Buffer.concat([window, bytes])
      if (base + window.length - known > piece) read(window.length - undecided)
    },
    end() {
      read(window.length)
      return { hits: [...hits.values()], marked }
    },
  }
}

/** The name of a field that stands right before its value. All else there may be a secret: a password, or another key. */
const fieldName = (before: string): string =>
  /(?<![\w.+/:=@-])([A-Za-z_-]{1,24}\d?)(?:["'\\\]]|%22|%5D)*\s*(?:[:=>]|%3[ad])(?:["'\\\s[({]|%22|%20)*$/i.exec(
    before,
  )?.[1] ?? ''

/** The words of a text, which may be shown. A digit could belong to a number, and a long word could be a number in another form. */
export const shown = (bytes: Buffer): string =>
  bytes
    .toString('latin1')
    .replace(/[^ -~]+/g, ' ')
    .replace(/\d/g, '#')
    .replace(/[A-Za-z#+/=]{20,}/g, '…')
