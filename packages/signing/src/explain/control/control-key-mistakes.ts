/**
 * What people do to the control key before a control value is made.
 *
 * @module
 */

import { percentEncode } from '../../index.js'
import type { ControlCandidate, ControlMade } from './control-mistakes.js'

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
