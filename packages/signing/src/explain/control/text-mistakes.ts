/**
 * What people do to the items as a whole, and to their encoding, before a control value is made.
 *
 * @module
 */
import { createHash, createHmac } from 'node:crypto'
import { percentEncode } from '../../index.js'
import type { ControlCandidate, ControlMade } from './types.js'

/** What languages write for a value that is not there. */
export const wordsForNothing: readonly string[] = ['null', 'undefined', 'None', 'nil', 'NULL', 'false', '0', '-']

/** Lists other spellings of a value: encoded as in a form, decoded once too often. */
export function encodedForms(value: string): string[] {
  const encoded = encodeURIComponent(value)
  const forms = [
    encoded,
    encoded.replaceAll('%20', '+'),
    value.replaceAll('+', ' '),
    value.replaceAll(' ', '+'),
    decodeOnce(value),
    value.normalize('NFC'),
    value.normalize('NFD'),
    value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  ]
  return [...new Set(forms)].filter(form => form !== value)
}

function decodeOnce(value: string): string {
  try {
    return decodeURIComponent(value.replaceAll('+', ' '))
  } catch {
    return value
  }
}

const separators = ['|', ',', ';', ':', '&', '-', '_', '.', '+', '/', '#', ' ', '\n', ', ']

/** Lists control strings whose items have something between them; section 5.1 joins them without a separator. */
export function* separatorCandidates({ items, controlKey }: ControlMade): Generator<ControlCandidate> {
  const values = items.map(({ value }) => value)
  const pairs = items.map(({ name, value }) => `${name}=${value}`)
  const rule = 'items are joined without a separator'
  for (const separator of separators) {
    const text = `the items were joined with ${JSON.stringify(separator)}; ${rule}`
    yield { controlString: [...values, controlKey].join(separator), text }
    yield { controlString: values.join(separator) + controlKey, text }
    yield { controlString: values.filter(value => value !== '').join(separator) + separator + controlKey, text }
  }
  const text = `the items were joined with their names; ${rule}`
  yield { controlString: pairs.join('&') + controlKey, text }
  yield { controlString: `${pairs.join('&')}&${controlKey}`, text }
}

/** Lists control strings in which every item, or the whole text, was changed in the same way. */
export function* wholeTextCandidates({ items, controlKey }: ControlMade): Generator<ControlCandidate> {
  const values = items.map(({ value }) => value)
  const joined = values.join('')
  const controlString = joined + controlKey
  yield {
    controlString: values.map(value => value.trim()).join('') + controlKey,
    text: 'white space was removed around several items',
  }
  yield { controlString: joined.toLowerCase() + controlKey, text: 'several items were put in lower case' }
  yield { controlString: controlString.toLowerCase(), text: 'the items and the key were put in lower case' }
  yield { controlString: joined.toUpperCase() + controlKey, text: 'several items were put in upper case' }
  yield { controlString: controlString.toUpperCase(), text: 'the items and the key were put in upper case' }
  yield { controlString: ` ${controlString}`, text: 'a space was put before the items' }
  yield { controlString: `"${controlString}"`, text: 'the joined text was put in quotation marks' }
  const encoded = encodeURIComponent(joined)
  yield {
    controlString: encoded + controlKey,
    text: 'the joined items were percent-encoded; they are digested as they are',
  }
  yield { controlString: encoded.replaceAll('%20', '+') + controlKey, text: 'the joined items were encoded as a form' }
}

/** Lists other digests of the right text. */
export function* digestCandidates({ items, controlKey }: ControlMade): Generator<ControlCandidate> {
  const joined = items.map(({ value }) => value).join('')
  const controlString = joined + controlKey
  yield {
    controlString,
    text: 'the text was turned into bytes as Latin-1; it must be UTF-8',
    digest: text => createHash('sha1').update(text, 'latin1').digest('hex'),
  }
  yield {
    controlString,
    text: 'the text was turned into bytes as UTF-16; it must be UTF-8',
    digest: text => createHash('sha1').update(text, 'utf16le').digest('hex'),
  }
  for (const [covered, what] of [
    [joined, 'the items'],
    [controlString, 'the items and the key'],
  ] as const) {
    yield {
      controlString: covered,
      text: `the control key was used for an HMAC over ${what}; it is digested like an item, the last one`,
      digest: text => createHmac('sha1', controlKey).update(text, 'utf8').digest('hex'),
    }
  }
  yield {
    controlString,
    text: 'the digest was digested once more',
    digest: text => sha1Hex(sha1Hex(text)),
  }
}

const sha1Hex = (text: string): string => createHash('sha1').update(text, 'utf8').digest('hex')

/** Lists the control strings that differ in the key: left out, misplaced, with something around it, another one. */
export function* keyCandidates({ items, controlKey, otherKeys }: ControlMade): Generator<ControlCandidate> {
  const joined = items.map(({ value }) => value).join('')
  yield { controlString: joined, text: 'control key: it was left out' }
  yield { controlString: controlKey + joined, text: 'control key: it was put first; it belongs last' }
  for (const { key, text } of spoiledKeys(controlKey)) {
    yield { controlString: joined + key, text: `control key: ${text}` }
  }
  for (const [index, key] of otherKeys.entries()) {
    yield { controlString: joined + key, text: `control key: the other side has otherKeys[${index}]` }
    yield {
      controlString: `${joined}${key}\n`,
      text: `control key: the other side has otherKeys[${index}] and a line feed`,
    }
  }
  let before = 0
  for (const [index, { value }] of items.entries()) {
    before += value.length
    const next = items[index + 1]
    if (next === undefined) return
    const controlString = joined.slice(0, before) + controlKey + joined.slice(before)
    yield { controlString, text: `control key: it was put before ${next.name}; it belongs last` }
  }
}

function spoiledKeys(key: string): readonly { readonly key: string; readonly text: string }[] {
  return [
    { key: `${key}\n`, text: 'the other side has a line feed after it' },
    { key: `${key}\r\n`, text: 'the other side has a line break after it' },
    { key: `${key}\r`, text: 'the other side has a carriage return after it' },
    { key: `${key} `, text: 'the other side has a space after it' },
    { key: ` ${key}`, text: 'the other side has a space before it' },
    { key: key.trim(), text: 'ours has white space around it' },
    { key: key.replace(/^(["'])(.*)\1$/s, '$2'), text: 'ours has quotation marks around it' },
    { key: `"${key}"`, text: 'the other side has quotation marks around it' },
    { key: `'${key}'`, text: 'the other side has quotation marks around it' },
    { key: key.toLowerCase(), text: 'the other side has it in lower case' },
    { key: key.toUpperCase(), text: 'the other side has it in upper case' },
    { key: key.replaceAll('-', ''), text: 'the other side has it without its hyphens' },
    {
      key: percentEncode(Buffer.from(key).toString()),
      text: 'the other side percent-encodes it; it is digested as it is',
    },
    { key: `${key}&`, text: 'the other side has "&" after it; that is the key of HMAC-SHA1, section 5.2' },
    { key: key + key, text: 'the other side has it twice' },
  ]
}
