/** Common mistakes that make another control value, each tried once. To add one, add a row. */
import { createHash, createHmac, hash } from 'node:crypto'
import { controlItems, currencyCodes, percentEncode } from '../index.js'
import { withoutUnseen } from '../keys/unseen.js'
import type { Mistake } from './lines.js'

/** What a control value covers, in order. */
export type Items = readonly { readonly name: string; readonly value: string }[]

/** A control value as we made it. */
export interface ControlMade {
  readonly items: Items
  readonly controlKey: string
  /** Other values an item may have had, and values of items that this operation does not have. */
  readonly candidates: { readonly [item: string]: readonly string[] | undefined }
}

/** What the other side may have digested. */
interface Candidate {
  /** The text that was digested, with the key. */
  readonly text: string
  /** What the mistake is, without the key. Default: that the value of `item` is another one. */
  readonly says?: string
  /** The item at fault, when it is one. */
  readonly item?: string
  /** The items of the other side, where they are others. */
  readonly theirs?: Items
  /** Digests the text, to lower-case hexadecimal. Default: SHA-1 of its UTF-8 bytes. */
  readonly digest?: (text: string) => string
}

interface Row {
  readonly mistake: string
  readonly fix: string
  readonly candidates: (made: ControlMade) => Iterable<Candidate>
}

/** Every mistake that is tried, likelier ones first. */
export const controlMistakes: readonly Row[] = [
  {
    mistake: 'another-value',
    fix: 'Make the control value from the values that are sent, after the last change to them.',
    candidates: made => replaced(made, ({ name }) => known(made, name)),
  },
  {
    mistake: 'item-left-out',
    fix: 'Cover every item, also one that is the same for all requests; only what is not sent is empty.',
    candidates: made => replaced(made, () => ['']),
  },
  {
    mistake: 'amount-and-currency',
    fix: 'Cover amount and currency if they are sent, and send them if they are covered.',
    candidates: amountAndCurrency,
  },
  {
    mistake: 'another-operation',
    fix: 'Take the items of this operation: each operation has its own list (section 5.1).',
    candidates: otherOperations,
  },
  {
    mistake: 'amount-form',
    fix: 'Cover the amount in minor units, without a point, such as 1042 for 10.42 EUR: toMinorUnits(amount, currency) makes it.',
    candidates: made => replaced(made, ({ name, value }) => (name === 'amount' && value ? amountForms(value) : [])),
  },
  {
    mistake: 'white-space-or-case',
    fix: 'Cover each value exactly as it is sent, with the same white space and letter case.',
    candidates: made =>
      replaced(made, ({ value }) => [
        value.trim(),
        `${value} `,
        ` ${value}`,
        `${value}\n`,
        value.toLowerCase(),
        value.toUpperCase(),
      ]),
  },
  {
    mistake: 'key',
    fix: 'Take the control key of this endpoint, as the gateway shows it, without anything around it, and put it last.',
    candidates: otherKeys,
  },
  {
    mistake: 'order',
    fix: 'Join the items in the order of section 5.1.',
    candidates: ({ items, controlKey }) =>
      permutations(items.length > mostPermuted ? [] : items).map(theirs => ({
        text: joined(theirs) + controlKey,
        says: `the items were joined as ${namesOf(theirs)}; the order is ${namesOf(items)}`,
        theirs,
      })),
  },
  {
    mistake: 'separator',
    fix: 'Join the items and the key without anything between them.',
    candidates: ({ items, controlKey }) =>
      ['|', ',', ';', ':', '&', '-', '_', '.', ' ', '\n'].flatMap(separator => {
        const says = `the items were joined with ${JSON.stringify(separator)}; items are joined without a separator`
        const text = items.map(({ value }) => value).join(separator)
        const named = items.map(({ name, value }) => `${name}=${value}`).join(separator)
        return [text + separator, text, named + separator, named].map(each => ({ text: each + controlKey, says }))
      }),
  },
  {
    mistake: 'empty-as-word',
    fix: 'Cover a value that is not there as an empty text.',
    candidates: made => replaced(made, ({ value }) => (value === '' ? ['null', 'undefined', 'None', '0'] : [])),
  },
  {
    mistake: 'item-encoding',
    fix: 'Cover the value before it is encoded for the form.',
    candidates: made =>
      replaced(made, ({ value }) => [
        encodeURIComponent(value),
        percentEncode(value).replaceAll('%20', '+'),
        value.replaceAll(' ', '+'),
        value.replaceAll('+', ' '),
      ]),
  },
  {
    mistake: 'digest',
    fix: 'Take SHA-1 over the UTF-8 bytes of the items and the key, once.',
    candidates: otherDigests,
  },
]

/** Longest control string whose mistakes are tried, in characters. */
const longestTried = 4096

/** What is found of the control value of the other side. */
export interface FoundControlMistake extends Mistake {
  /** The items of the other side, where they are others. */
  readonly theirs?: Items
}

/** Finds the mistake that makes the control value of the other side; `same` when it is right. */
export function findControlMistake(made: ControlMade, expected: unknown): FoundControlMistake | 'same' | undefined {
  const right = joined(made.items) + made.controlKey
  const ours = hash('sha1', right)
  if (expected === ours) return 'same'
  const digest = readDigest(expected)
  if (digest === ours) {
    const text = 'the items agree; the other side writes the digest differently (letter case, Base64 or white space)'
    const fix =
      'Write the digest as 40 hexadecimal digits in lower case, where the other side compares letter by letter.'
    return { mistake: 'digest-encoding', text, fix }
  }
  if (digest !== undefined && right.length <= longestTried) {
    for (const { mistake, fix, candidates } of controlMistakes) {
      for (const { text, says, item, theirs, digest: digested } of candidates(made)) {
        if ((digested?.(text) ?? hash('sha1', text)) !== digest) continue
        const about = { ...(item === undefined ? {} : { item }), ...(theirs === undefined ? {} : { theirs }) }
        return { mistake, ...about, text: says ?? otherValue(made.items, theirs ?? [], item ?? ''), fix }
      }
    }
  }
  if (digest?.length === 40) return undefined
  const what = typeof expected === 'string' ? `${expected.length} characters long` : 'no text'
  const text = `what the other side has is ${what} and no SHA-1 digest (40 hexadecimal digits)`
  return { mistake: 'no-digest', text, fix: 'Send the whole SHA-1 digest: 40 hexadecimal digits.' }
}

/** Reads a digest in hexadecimal, or a SHA-1 digest in Base64. */
function readDigest(expected: unknown): string | undefined {
  const text = typeof expected === 'string' && expected.length <= 256 ? expected.trim() : ''
  if (/^[0-9a-f]{32,}$/i.test(text)) return text.toLowerCase()
  return /^[A-Za-z0-9+/]{27}=?$/.test(text) ? Buffer.from(text, 'base64').toString('hex') : undefined
}

const joined = (items: Items): string => items.map(({ value }) => value).join('')
const namesOf = (items: Items): string => items.map(({ name }) => name).join(', ')

function otherValue(ours: Items, theirs: Items, item: string): string {
  const [right = '', wrong = ''] = [ours, theirs].map(items => items.find(({ name }) => name === item)?.value)
  const hint = item === 'endpointId' && wrong === '' ? '; take the endpoint, or the endpoint group, of the path' : ''
  return `${item}: the value was made over ${JSON.stringify(wrong)}; it must be made over ${JSON.stringify(right)}${hint}`
}

const known = ({ candidates }: ControlMade, name: string): readonly string[] =>
  (Object.hasOwn(candidates, name) ? candidates[name] : undefined) ?? []

/** Puts other values in place of each item's, one item at a time. */
function* replaced(made: ControlMade, valuesOf: (item: Items[number]) => readonly string[]): Generator<Candidate> {
  for (const [place, item] of made.items.entries()) {
    for (const value of valuesOf(item)) {
      const theirs = made.items.with(place, { name: item.name, value })
      yield { text: joined(theirs) + made.controlKey, item: item.name, theirs }
    }
  }
}

/** How many candidates of an item are tried together with those of the others. */
const mostTogether = 8

function* amountAndCurrency(made: ControlMade): Generator<Candidate> {
  const values = new Map(made.items.map(({ name, value }) => [name, value]))
  const has = [values.get('amount'), values.get('currency')]
  const candidate = (amount: string, currency: string, says: string): Candidate => {
    const other: Readonly<Record<string, string>> = { amount, currency }
    const theirs = made.items.map(({ name, value }) => ({ name, value: other[name] ?? value }))
    return { text: joined(theirs) + made.controlKey, says, item: 'amount', theirs }
  }
  if (has.every(value => value))
    yield candidate(
      '',
      '',
      'amount, currency: the value was made without them, and the request has both; what is sent is covered',
    )
  if (has.some(value => value !== '')) return
  for (const amount of known(made, 'amount').slice(0, mostTogether)) {
    for (const currency of [...known(made, 'currency'), ...currencyCodes]) {
      const over = `${JSON.stringify(amount)} and ${JSON.stringify(currency)}`
      yield candidate(
        amount,
        currency,
        `amount, currency: the value was made over ${over}, and the request has neither; send both, or leave both out of the value`,
      )
    }
  }
}

/** Covers the items of another operation. What the request does not have is taken from the candidates, or is empty. */
function* otherOperations(made: ControlMade): Generator<Candidate> {
  const values = new Map(made.items.map(({ name, value }) => [name, value]))
  const formulas = Object.entries(controlItems).map(([operation, row]) => ({ operation, formula: row.join(', ') }))
  const right = namesOf(made.items)
  for (const formula of new Set(formulas.map(({ formula }) => formula))) {
    if (formula === right) continue
    const operations = formulas.filter(other => other.formula === formula).map(({ operation }) => operation)
    const says = `the value was made over the items of ${operations.join(', ')}: ${formula}; this operation has ${right}`
    const combined = formula.split(', ').reduce<Items[]>(
      (starts, name) => {
        const own = values.get(name)
        const texts = own ? [own] : [...known(made, name).slice(0, mostTogether), '']
        return starts.flatMap(start => texts.map(value => [...start, { name, value }]))
      },
      [[]],
    )
    for (const theirs of combined) yield { text: joined(theirs) + made.controlKey, says, theirs }
  }
}

/** Lists the usual wrong forms of an amount in minor units: with a point or a comma, a hundred times too much. */
function amountForms(minor: string): string[] {
  const inMajorUnits = [2, 3].flatMap(digits => {
    const padded = minor.padStart(digits + 1, '0')
    const [whole, fraction] = [padded.slice(0, -digits), padded.slice(-digits)]
    return [`${whole}.${fraction}`, `${whole},${fraction}`, whole, `${whole}.${fraction.replace(/0+$/, '') || '0'}`]
  })
  return [...inMajorUnits, `${minor}00`, `${minor}.00`]
}

function otherKeys({ items, controlKey: key }: ControlMade): Candidate[] {
  const rows: readonly (readonly [text: string, says: string])[] = [
    ['', 'it was left out'],
    ...spoiledKeys(key),
    [`${key}&`, 'the other side has "&" after it; that is the key of HMAC-SHA1, section 5.2'],
  ]
  const text = joined(items)
  return [
    ...rows.map(([other, says]) => ({ text: text + other, says: `control key: ${says}` })),
    { text: key + text, says: 'control key: it was put first; it belongs last' },
  ]
}

/** Spellings of a key that are not it, as settings and copies make them, and what each is. The text never holds the key. */
export const spoiledKeys = (key: string): readonly (readonly [key: string, says: string])[] => [
  ...['\n', '\r\n', '\r', ' '].map(end => [`${key}${end}`, 'the other side has white space after it'] as const),
  [` ${key}`, 'the other side has white space before it'],
  [`\ufeff${key}`, 'the other side has a byte order mark before it'],
  [key.trim(), 'ours has white space around it'],
  [withoutUnseen(key), 'ours has a character in it that nobody sees'],
  [key.replace(/^(["'])(.*)\1$/s, '$2'), 'ours has quotation marks around it'],
  [`"${key}"`, 'the other side has quotation marks around it'],
  [key.toLowerCase(), 'the other side has it in lower case'],
  [key.toUpperCase(), 'the other side has it in upper case'],
  [key.replaceAll('-', ''), 'the other side has it without its hyphens'],
]

/** Most items whose orders are all tried: five items have 120. */
const mostPermuted = 5

const permutations = (items: Items): readonly Items[] =>
  items.length <= 1
    ? [items]
    : items.flatMap((first, index) => permutations(items.toSpliced(index, 1)).map(rest => [first, ...rest]))

function otherDigests({ items, controlKey }: ControlMade): Candidate[] {
  const [text, right] = [joined(items), joined(items) + controlKey]
  const byHmac = (data: string) => createHmac('sha1', controlKey).update(data).digest('hex')
  const latin1 = (data: string) => createHash('sha1').update(data, 'latin1').digest('hex')
  const hmac = 'the control key was used for an HMAC; it is digested like an item, the last one'
  return [
    ...['md5', 'sha256', 'sha384', 'sha512'].map(name => ({
      text: right,
      says: `the items agree; the other side digests them with ${name}, it must be SHA-1`,
      digest: (data: string) => hash(name, data),
    })),
    { text, says: hmac, digest: byHmac },
    { text: right, says: hmac, digest: byHmac },
    { text: right, says: 'the text was turned into bytes as Latin-1; it must be UTF-8', digest: latin1 },
    { text: right, says: 'the digest was digested once more', digest: data => hash('sha1', hash('sha1', data)) },
  ]
}
