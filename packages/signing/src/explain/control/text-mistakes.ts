import { createHash, createHmac } from 'node:crypto'
import { percentEncode } from '../../index.js'
import { withoutUnseen } from '../../keys/unseen.js'
import { type ControlCandidate, type ControlMade, sha1 } from './candidate.js'

/** What languages write for a value that is not there. */
export const wordsForNothing: readonly string[] = ['null', 'undefined', 'None', 'nil', 'NULL', 'false', '0', '-']

/** Lists a value with other white space around it, and in another letter case. */
export const spacedForms = (value: string): readonly string[] => [
  value.trim(),
  `${value} `,
  ` ${value}`,
  `${value}\n`,
  value.toLowerCase(),
  value.toUpperCase(),
]

/** Lists other spellings of a value: encoded as in a form, decoded once too often. */
export function encodedForms(value: string): string[] {
  const encoded = encodeURIComponent(value)
  const forms = [
    encoded,
    encoded.replaceAll('%20', '+'),
    value.replaceAll('+', ' '),
    value.replaceAll(' ', '+'),
    decodeOnce(value.replaceAll('+', ' ')),
    value.normalize('NFC'),
    value.normalize('NFD'),
    value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  ]
  return [...new Set(forms)].filter(form => form !== value)
}

/** Decodes escapes; text with a malformed one stays as it is. */
export function decodeOnce(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const joinedOf = ({ items }: ControlMade): string => items.map(({ value }) => value).join('')

const separators = ['|', ',', ';', ':', '&', '-', '_', '.', '+', '/', '#', ' ', '\n', ', ']

/** Lists control strings whose items have something between them; section 5.1 joins them without a separator. */
export function separatorCandidates({ items, controlKey }: ControlMade): ControlCandidate[] {
  const values = items.map(({ value }) => value)
  const pairs = items.map(({ name, value }) => `${name}=${value}`).join('&')
  const withNames = 'the items were joined with their names; items are joined without a separator'
  const separated = separators.flatMap((separator): ControlCandidate[] => {
    const text = `the items were joined with ${JSON.stringify(separator)}; items are joined without a separator`
    return [
      [[...values, controlKey].join(separator), text],
      [values.join(separator) + controlKey, text],
      [values.filter(value => value !== '').join(separator) + separator + controlKey, text],
    ]
  })
  return [...separated, [pairs + controlKey, withNames], [`${pairs}&${controlKey}`, withNames]]
}

/** Lists control strings in which every item, or the whole text, was changed in the same way. */
export function wholeTextCandidates(made: ControlMade): ControlCandidate[] {
  const { items, controlKey } = made
  const joined = joinedOf(made)
  const controlString = joined + controlKey
  const trimmed = items.map(({ value }) => value.trim()).join('')
  const encoded = encodeURIComponent(joined)
  return [
    [trimmed + controlKey, 'white space was removed around several items'],
    [joined.toLowerCase() + controlKey, 'several items were put in lower case'],
    [controlString.toLowerCase(), 'the items and the key were put in lower case'],
    [joined.toUpperCase() + controlKey, 'several items were put in upper case'],
    [controlString.toUpperCase(), 'the items and the key were put in upper case'],
    [` ${controlString}`, 'a space was put before the items'],
    [`"${controlString}"`, 'the joined text was put in quotation marks'],
    [encoded + controlKey, 'the joined items were percent-encoded; they are digested as they are'],
    [encoded.replaceAll('%20', '+') + controlKey, 'the joined items were encoded as a form'],
  ]
}

/** Lists other digests of the right text. */
export function digestCandidates(made: ControlMade): ControlCandidate[] {
  const { controlKey } = made
  const joined = joinedOf(made)
  const right = joined + controlKey
  const byHmac = (text: string): string => createHmac('sha1', controlKey).update(text, 'utf8').digest('hex')
  const sha1As = (encoding: 'latin1' | 'utf16le') => (text: string) =>
    createHash('sha1').update(text, encoding).digest('hex')
  const hmacText = (what: string): string =>
    `the control key was used for an HMAC over ${what}; it is digested like an item, the last one`
  const bytesText = (encoding: string): string => `the text was turned into bytes as ${encoding}; it must be UTF-8`
  return [
    [right, bytesText('Latin-1'), { digest: sha1As('latin1') }],
    [right, bytesText('UTF-16'), { digest: sha1As('utf16le') }],
    [joined, hmacText('the items'), { digest: byHmac }],
    [right, hmacText('the items and the key'), { digest: byHmac }],
    [right, 'the digest was digested once more', { digest: text => sha1(sha1(text)) }],
  ]
}

/** Lists the control strings that differ in the key: left out, misplaced, with something around it, another one. */
export function* keyCandidates(made: ControlMade): Generator<ControlCandidate> {
  const { items, controlKey, otherKeys } = made
  const joined = joinedOf(made)
  const say = (controlString: string, text: string): ControlCandidate => [controlString, `control key: ${text}`]
  yield say(joined, 'it was left out')
  yield say(controlKey + joined, 'it was put first; it belongs last')
  for (const [key, text] of spoiledKeys(controlKey)) yield say(joined + key, text)
  for (const [index, key] of otherKeys.entries()) {
    yield say(joined + key, `the other side has otherKeys[${index}]`)
    yield say(`${joined}${key}\n`, `the other side has otherKeys[${index}] and a line feed`)
  }
  let before = items[0]?.value.length ?? 0
  for (const { name, value } of items.slice(1)) {
    yield say(joined.slice(0, before) + controlKey + joined.slice(before), `it was put before ${name}; it belongs last`)
    before += value.length
  }
}

const spoiledKeys = (key: string): readonly (readonly [key: string, text: string])[] => [
  [`${key}\n`, 'the other side has a line feed after it'],
  [`${key}\r\n`, 'the other side has a line break after it'],
  [`${key}\r`, 'the other side has a carriage return after it'],
  [`${key} `, 'the other side has a space after it'],
  [` ${key}`, 'the other side has a space before it'],
  [`\ufeff${key}`, 'the other side has a byte order mark before it'],
  [`${key}\u200b`, 'the other side has a zero width space after it'],
  [key.trim(), 'ours has white space around it'],
  [withoutUnseen(key), 'ours has a character in it that nobody sees'],
  [key.replace(/^(["'])(.*)\1$/s, '$2'), 'ours has quotation marks around it'],
  [`"${key}"`, 'the other side has quotation marks around it'],
  [`'${key}'`, 'the other side has quotation marks around it'],
  [key.toLowerCase(), 'the other side has it in lower case'],
  [key.toUpperCase(), 'the other side has it in upper case'],
  [key.replaceAll('-', ''), 'the other side has it without its hyphens'],
  [percentEncode(Buffer.from(key).toString()), 'the other side percent-encodes it; it is digested as it is'],
  [`${key}&`, 'the other side has "&" after it; that is the key of HMAC-SHA1, section 5.2'],
  [key + key, 'the other side has it twice'],
]
