/**
 * Reads the form with which some hosts answer in place of JSON: `name=value`, a line feed after each value, `&` between them.
 *
 * @module
 */
import type { RawReply } from '@tillkit/protocol'
import { decodeForm } from '@tillkit/signing'

/** A name and its value as they are written in a form, with nothing in them that would have to be encoded. */
const piecePattern = /^[\w.~%+-]+=[^=<>"\s]*\s*$/

/**
 * Reads a form. Values keep their digits, and lose white space at their end.
 *
 * @returns undefined where the text is no form, such as a page; where it has no `type`, a name twice, or no line feed at its
 * end: it may have been cut off within a value.
 */
export function readFlatForm(text: string): RawReply | undefined {
  if (!text.endsWith('\n') || !text.split('&').every(piece => piecePattern.test(piece))) return undefined
  const pairs = decodePairs(text)?.map(([name, value]) => [name, value.trimEnd()] as const)
  if (pairs === undefined) return undefined
  const raw = Object.fromEntries(pairs)
  const { type = '' } = raw
  return type !== '' && Object.keys(raw).length === pairs.length ? raw : undefined
}

function decodePairs(text: string) {
  try {
    return decodeForm(text)
  } catch {
    // Half an escape, or no UTF-8.
    return undefined
  }
}
