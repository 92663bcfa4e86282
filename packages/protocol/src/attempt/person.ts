import { maskCardNumbers } from '../redaction/mask-card-number.js'

/** Who decided something, and why. */
export interface Person {
  /** Who: the name or login of a person, as your session has it. Two that differ in case or white space only are one. */
  readonly who: string
  /** Why, such as the number of a ticket and what the gateway said. No card data. */
  readonly why: string
}

/** The longest of both, in characters. */
const longest = { who: 100, why: 500 } as const

/**
 * Reads who decides, and why. What looks like a card number is masked.
 *
 * @param caller Name of the function that was called, for the message.
 * @throws {TypeError} where one of them is no text, empty, too long, or has characters that control or turn around what is shown.
 */
export function readPerson(caller: string, given: Person): Person {
  const read = (field: keyof Person): string => {
    const value: unknown = given?.[field]
    if (typeof value !== 'string') throw wrong(field, 'is no text')
    // What is far too long is not even looked at.
    if (value.length > 2 * longest[field]) throw wrong(field, `has ${value.length} characters`)
    const text = value.trim()
    if (/^[\s\p{Cf}]*$/u.test(text)) throw wrong(field, 'is empty')
    if (text.length > longest[field]) throw wrong(field, `has ${text.length} characters`)
    if (/\p{Cc}/u.test(text)) throw wrong(field, 'has a line break or another control character')
    if (/[\u202a-\u202e\u2066-\u2069]/.test(text)) throw wrong(field, 'has characters that turn text around')
    return maskCardNumbers(text)
  }
  const wrong = (field: keyof Person, problem: string) =>
    new TypeError(
      `${caller}: "${field}" ${problem}. ` +
        `Say ${field === 'who' ? 'who decides, by the login of your session' : 'why, such as a ticket'}, ` +
        `in one line of at most ${longest[field]} characters.`,
    )
  return { who: read('who'), why: read('why') }
}

/** The same where a person may be named, and need not be. @returns undefined where neither is given. */
export const readPersonIfGiven = (
  caller: string,
  { who, why }: { readonly [Field in keyof Person]?: string | undefined },
): Person | undefined =>
  who === undefined && why === undefined ? undefined : readPerson(caller, { who, why } as Person)

/** Whether two names are of one person. */
export const isSamePerson = (one: Pick<Person, 'who'>, other: Pick<Person, 'who'>): boolean =>
  plain(one.who) === plain(other.who)

/** Look-alikes of another script stay two: names come from a session, and nobody chooses them to pass for somebody else. */
const plain = (who: string): string =>
  who
    .normalize('NFKC')
    .replace(/[\s\p{Cf}]+/gu, '')
    .toLowerCase()
