/**
 * Replies of hosts that ignore `Accept`: a form, with a line feed after each value.
 *
 * @module
 */
import type { RawReply } from '@tillkit/protocol'
import { decodeForm, type Parameter } from '@tillkit/signing'

/** A form, or why it is not read. `problem` completes "the answer …". */
export type FlatForm =
  /** `undecoded`: names whose value is no UTF-8 in percent-encoding. It is read as the URL Standard has it. */
  | { readonly kind: 'form'; readonly raw: RawReply; readonly undecoded: readonly string[] }
  | { readonly kind: 'broken'; readonly problem: string }

/** A name and its value as they are written in a form, with nothing in them that would have to be encoded. */
const piecePattern = /^[\w.~%+-]+=[^=<>"\s]*\s*$/

/**
 * Reads a form. Values keep their digits, and lose white space at their end. It refuses a form that repeats a name or has one that
 * cannot be decoded, that has no `type`, or no line feed at its end: it may have been cut off within a value.
 *
 * @param text Decoded from UTF-8; U+FFFD stands for other bytes.
 * @returns undefined where the text is no form, such as a page.
 */
export function readFlatForm(text: string): FlatForm | undefined {
  const pieces = text.split('&')
  if (!pieces.every(piece => piecePattern.test(piece))) return undefined
  if (!text.endsWith('\n')) return broken('has no line feed at its end, so its last value may be cut off')
  const values = new Map<string, string>()
  const undecoded: string[] = []
  for (const piece of pieces) {
    const name = decodePair(piece.slice(0, piece.indexOf('=')))?.[0]
    if (name === undefined) return broken('has a name that is not UTF-8 in percent-encoding')
    if (values.has(name)) return broken('has a name twice')
    const pair = decodePair(piece)
    if (pair === undefined) undecoded.push(name)
    const [, value] = pair ?? [...new URLSearchParams(piece)][0] ?? []
    values.set(name, value?.trimEnd() ?? '')
  }
  if ((values.get('type') ?? '') === '') return broken('has no "type"')
  return { kind: 'form', raw: Object.fromEntries(values), undecoded }
}

const broken = (problem: string): FlatForm => ({ kind: 'broken', problem: `is a form that ${problem}` })

function decodePair(piece: string): Parameter | undefined {
  try {
    const [pair] = decodeForm(piece)
    return pair?.some(part => part.includes('\uFFFD')) === true ? undefined : pair
  } catch {
    return undefined
  }
}

/** The word of `type`, also of a form that is broken. */
export const typeOfForm = (text: string): string | undefined => /(?:^|&)type=([\w-]+)\s*(?:&|$)/.exec(text)?.[1]
