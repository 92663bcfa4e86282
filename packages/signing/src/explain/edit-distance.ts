/**
 * Texts one typing mistake away.
 *
 * @module
 */

const printable = /* @__PURE__ */ Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index))

/** Longest text that is edited, in UTF-16 units; it has some 24000 edits. */
const longestEdited = 128

/**
 * Lists the texts one edit away: a character of printable ASCII replaced or inserted, one deleted, two neighbours swapped.
 *
 * @returns About 192 texts a character; none for text longer than 128 characters.
 */
export function* editsOf(text: string): Generator<string> {
  if (text.length > longestEdited) return
  for (let at = 0; at <= text.length; at += 1) {
    const before = text.slice(0, at)
    const after = text.slice(at + 1)
    if (at < text.length) yield before + after
    if (at + 1 < text.length) yield before + text.charAt(at + 1) + text.charAt(at) + text.slice(at + 2)
    for (const character of printable) {
      if (at < text.length) yield before + character + after
      yield before + character + text.slice(at)
    }
  }
}
