/**
 * Texts one typing mistake away.
 *
 * @module
 */

/** What names, ids and e-mail addresses are made of. */
const characters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 -_.@+'

/** Longest text that is edited, in UTF-16 units; it has some 18000 edits. */
const longestEdited = 128

/**
 * Lists the texts one edit away: a character replaced or inserted, one deleted, two neighbours swapped.
 *
 * @returns About 138 texts a character; none for text longer than 128 characters.
 */
export function* editsOf(text: string): Generator<string> {
  if (text.length > longestEdited) return
  for (let at = 0; at <= text.length; at += 1) {
    const before = text.slice(0, at)
    const after = text.slice(at + 1)
    if (at < text.length) yield before + after
    if (at + 1 < text.length) yield before + text.charAt(at + 1) + text.charAt(at) + text.slice(at + 2)
    for (const character of characters) {
      if (at < text.length) yield before + character + after
      yield before + character + text.slice(at)
    }
  }
}
