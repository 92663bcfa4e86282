/**
 * A parser of bytes from outside, and the promises that every parser makes.
 *
 * @module
 */
import { inspect } from 'node:util'
import type fc from 'fast-check'

/** A parser, how its inputs are written, and what it may do with them. */
export interface Parser {
  readonly name: string
  /** Inputs by the grammar: right ones, and such as are almost right. */
  readonly written: fc.Arbitrary<Buffer>
  /** Pieces that mean something to the parser. They are put into inputs at any place. */
  readonly tokens: readonly string[]
  /** Gives an input to the parser. @throws an error that says which promise was broken. */
  readonly examine: (input: Buffer) => void | Promise<void>
  /** Inputs that grow, by their names: each gives one of about so many bytes. */
  readonly growing: Readonly<Record<string, (length: number) => Buffer>>
}

/** A card number that inputs hold. Nothing that a person or a log is told may hold it. */
export const cardNumber = '4444555566661111'

/** A secret: the parser is given it as a key. Inputs hold it where a person may write a key. */
export const secret = 'canary-7e1d0a36-3f11-4c0e-9c3b'

/** A broken promise, with what broke it. */
export class Broken extends Error {
  override readonly name = 'Broken'
}

/** @throws {Broken} unless it is so. */
export function promise(isKept: boolean, what: string, found?: unknown): asserts isKept {
  if (isKept) return
  throw new Broken(found === undefined ? what : `${what}: ${inspect(found, { depth: 6 }).slice(0, 2000)}`)
}

/** The same JSON, whatever order its members have. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(sorted)
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(members.map(([name, each]) => [name, sorted(each)]))
}

/** @throws {Broken} unless both have the same JSON, in whatever order members are. */
export function promiseSame(one: unknown, other: unknown, what: string): void {
  const [first, second] = [JSON.stringify(sorted(one)), JSON.stringify(sorted(other))]
  promise(first === second, what, { first, second })
}

/** The card number, also in groups. Digits before or after it make it another number. */
const number = /(?<!\d)4444[ -]?5555[ -]?6666[ -]?1111(?!\d)/

const shows = (text: string): boolean => text.includes(secret) || number.test(text)

/** An error or a verdict as a log prints it, its causes too, but for where in our code it was made. */
export function printed(said: unknown): string {
  if (!(said instanceof Error)) return inspect(said, { depth: 6 })
  const { name, message, cause, stack: _stack, ...fields } = said
  const own = `${name}: ${message} ${Object.keys(fields).length === 0 ? '' : inspect(fields, { depth: 6 })}`
  return cause === undefined ? own : `${own} because ${printed(cause)}`
}

/** A verdict, which quotes what came: no secret, and no character that would steer a terminal or begin a line of its own. */
export function promiseQuiet(said: unknown, { lines = false }: { readonly lines?: boolean } = {}): void {
  promise(!shows(printed(said)), 'shows a secret or a card number', said)
  const text = typeof said === 'string' ? said : said instanceof Error ? said.message : ''
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  const found = (lines ? text.replaceAll('\n', '') : text).match(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/)
  promise(found === null, 'has a control character', said)
}

/** Runs a parser. @returns its result; undefined where it threw the error that its documentation names, and quietly. */
export async function attempt<Result>(
  read: () => Result | Promise<Result>,
  isDocumented: (error: unknown) => boolean,
  options: { readonly lines?: boolean } = {},
): Promise<Result | undefined> {
  try {
    return await read()
  } catch (error) {
    promise(isDocumented(error), 'throws another error than it documents', error)
    promiseQuiet(error, options)
    return undefined
  }
}
