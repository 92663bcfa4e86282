import { InvalidKeyError } from '../errors.js'

/**
 * Control and format characters, and what fonts show nothing for.
 *
 * @see Unicode Standard Annex 44, General_Category and Default_Ignorable_Code_Point
 */
const unseen = /[\p{Cc}\p{Cf}\p{DI}]/gu

export const withoutUnseen = (text: string): string => text.replace(unseen, '')

/**
 * What is wrong with a key or a login that has a character in it which nobody sees: it came along when the text was copied.
 *
 * @returns A predicate and the cure, such as `has U+200B in it …`; undefined where every character can be seen.
 */
export function unseenProblem(text: string): string | undefined {
  const [found] = text.match(unseen) ?? []
  if (found === undefined) return undefined
  const code = (found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  return `has U+${code} in it, a character that nobody sees and that came along when it was copied. Delete it from the setting.`
}

/** @throws {@link InvalidKeyError} naming the key as `name` does. */
export function refuseUnseen(name: string, key: string): void {
  const problem = unseenProblem(key)
  if (problem !== undefined) throw new InvalidKeyError(`${name} ${problem}`)
}
