import { isDeepStrictEqual } from 'node:util'
import type { Entry, Page, Store, Stored, WriteOptions, Written } from '../store/store.js'

/** A store without its transactions, whose type differs between engines. */
export type Documents = Omit<Store, 'commit'>

/** Thrown by a check: what a store does not keep. Any other error is the store's own. */
export class Unmet extends Error {
  override readonly name = 'Unmet'
}

/** @throws {Unmet} where the condition does not hold. */
export function must(condition: boolean, problem: string): asserts condition {
  if (!condition) throw new Unmet(problem)
}

/** A document as a check expects it. Without `writeId`: a `commit` left it so, which makes an id of its own. */
export type Expected = Omit<Stored, 'writeId'> & Partial<Pick<Stored, 'writeId'>>

/** An entry that is never due and on no list, except as given. */
export const entry = (body: string, more: Partial<Entry> = {}): Entry => ({ body, due: null, list: null, ...more })

/** The options of a document's first write, its second one, and so on. @param prefix Of the ids of these writes. Default: `w`. */
export const nth = (version: number, prefix = 'w'): WriteOptions => ({
  after: version === 1 ? undefined : `${prefix}${version - 1}`,
  id: `${prefix}${version}`,
})

/** The text of anything that was thrown. */
export const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** A value as a store returns it: without undefined fields, in plain objects. */
const plain = (value: unknown): unknown => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)))

/** A value as a problem shows it: bodies are long. */
export function show(value: unknown): string {
  const text = value instanceof Error ? String(value) : (JSON.stringify(value) ?? 'nothing')
  return text.length > 300 ? `${text.slice(0, 300)}… (${text.length} characters)` : text
}

/** @throws {Unmet} where a call gave something else. Values of another realm may have other classes: jest has a realm of its own. */
export function same(what: string, found: unknown, expected: unknown): void {
  must(isDeepStrictEqual(plain(found), plain(expected)), `${what} gave ${show(found)}; expected ${show(expected)}.`)
}

/** @throws {Unmet} where a document is another one, or anything but text at a whole version, left so by a write with an id. */
export function sameDocument(what: string, found: Stored | undefined, expected: Expected | undefined): void {
  const writeId = typeof found?.writeId === 'string' ? found.writeId : 'the id of a write'
  same(what, found && pick(found), expected && pick({ writeId, ...expected }))
}

const pick = ({ key, version, writeId, body }: Stored): Stored => ({ key, version, writeId, body })

/** @throws {Unmet} where a write was not written as that version. */
export function mustBeWritten(what: string, answer: Written, version: number): void {
  const isDated = Number.isSafeInteger(answer?.at)
  must(
    answer?.kind === 'written' && answer.version === version && isDated,
    `${what} gave ${show(answer)}; expected kind "written", version ${version} and "at" in whole milliseconds.`,
  )
}

/** @throws {Unmet} where a write was no conflict with that document. */
export function mustConflict(what: string, answer: Written, current: Expected | undefined): void {
  must(answer?.kind === 'conflict', `${what} gave ${show(answer)}; expected kind "conflict".`)
  sameDocument(`The conflict of ${what}`, answer.current, current)
  must(Number.isSafeInteger(answer.at), `${what} gave "at" ${show(answer.at)}; expected whole milliseconds.`)
}

/** @throws {Unmet} where a store reads something else. `version` 0: nothing. */
export async function mustRead(what: string, store: Documents, expected: Expected): Promise<void> {
  const { stored } = await store.read(expected.key)
  sameDocument(what, stored, expected.version === 0 ? undefined : expected)
}

/** @throws {Unmet} where a call does not reject with that code. */
export async function mustReject(what: string, call: () => Promise<unknown>, code: string): Promise<void> {
  const { error, value } = await callAndCatch(call)
  must(error !== undefined, `${what} gave ${show(value)}; expected a rejection with ${code}.`)
  const found = codeOf(error)
  must(found === code, `${what} rejected with ${found ?? 'no code'} (${textOf(error)}); expected ${code}.`)
}

/** @throws {Unmet} where a call is not refused. */
export const mustRefuse = (what: string, call: () => Promise<unknown>): Promise<void> =>
  mustReject(what, call, 'ERR_STORE_REFUSED')

/** Calls, and catches; what is thrown at once counts as well, although a method of a store rejects. */
export async function callAndCatch(
  call: () => Promise<unknown>,
): Promise<{ readonly error?: unknown; readonly value?: unknown }> {
  try {
    return { value: await call() }
  } catch (error) {
    return { error: error ?? new Error('It rejected with nothing.') }
  }
}

/** The code of an error; undefined: it has none. */
export const codeOf = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined

/** Reads every page. `between` runs after each page but the last. @throws {Unmet} for pages without end. */
export async function everyPage(
  store: Documents,
  options: { readonly list?: string; readonly limit: number },
  between?: () => Promise<void>,
): Promise<readonly Page[]> {
  const pages: Page[] = []
  let after: string | undefined
  do {
    if (pages.length > 0) await between?.()
    const page = await store.list(after === undefined ? options : { ...options, after })
    must(page.items.length <= options.limit, `A page of at most ${options.limit} had ${page.items.length} documents.`)
    must(
      page.next === undefined || (typeof page.next === 'string' && page.next !== after),
      `"next" of a page was ${show(page.next)}, after ${show(after)}.`,
    )
    pages.push(page)
    after = page.next
    must(pages.length < 10_000, 'The list had 10,000 pages, and no end.')
  } while (after !== undefined)
  return pages
}

/** The keys of documents, in order. */
export const keysOf = (items: readonly Stored[]): readonly string[] => items.map(({ key }) => key)

/** The keys on pages, in order. */
export const keysOn = (pages: readonly Page[]): readonly string[] => pages.flatMap(({ items }) => keysOf(items))

/** Whole numbers from 0 to below `count`. */
export const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index)
