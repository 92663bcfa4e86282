/**
 * Cutting of text that others wrote, so that no cut runs through a secret: half of one is not recognized any more.
 *
 * @module
 */

/**
 * A text that breaks off, without its last word and without words before it that hold digits or no letter: they may be the
 * beginning of a card number.
 */
export function withoutEnd(text: string): string {
  let end = wordStart(text, text.length)
  for (;;) {
    const before = endOfWord(text, end)
    const start = wordStart(text, before)
    if (start === before || !/\d|^\P{L}*$/u.test(text.slice(start, before))) return text.slice(0, before)
    end = start
  }
}

/**
 * A text without an ending that only begins one of the secrets, however often: of `… John Smi` and the secret
 * `John Smith` nothing of the name is left.
 */
export function withoutBegun(text: string, secrets: readonly string[]): string {
  let left = text.trimEnd()
  for (;;) {
    const begun = Math.max(0, ...secrets.map(secret => begunLength(left, secret)))
    if (begun === 0) return left
    left = left.slice(0, left.length - begun).trimEnd()
  }
}

/** The fewest characters that count as the beginning of a secret. */
const fewest = 4

function begunLength(text: string, secret: string): number {
  for (let length = Math.min(text.length, secret.length); length >= fewest; length -= 1) {
    if (text.endsWith(secret.slice(0, length))) return length
  }
  return 0
}

const isSpace = (character: string | undefined): boolean => character !== undefined && /\s/.test(character)

/** Where the word starts that ends at `end`. */
function wordStart(text: string, end: number): number {
  let start = end
  while (start > 0 && !isSpace(text[start - 1])) start -= 1
  return start
}

/** Where the last word before `end` ends. */
function endOfWord(text: string, end: number): number {
  let before = end
  while (before > 0 && isSpace(text[before - 1])) before -= 1
  return before
}
