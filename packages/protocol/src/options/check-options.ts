import { inQuotes, maskCardNumbers } from '../redaction/mask-card-number.js'

/** Says what is wrong with the value of an option, as a whole sentence that calls it by `name`; or nothing. */
export type OptionCheck = (value: unknown, name: string) => string | undefined

/** A check for each option. Typed by the options, so that none is forgotten. */
export type OptionTable<Options> = { readonly [Option in keyof Required<Options>]: OptionCheck }

/**
 * Finds the first mistake in an options object: a name that does not exist, or the value of an option that does. A misspelt
 * option would otherwise be left out in silence, and with it perhaps the protection against sending an order twice.
 *
 * @param owner What has the options, as the message names it: `createClient`, `a call`.
 * @param prefix Of the option's name in messages, such as `polling.`. Default: none.
 * @returns What is wrong, and what to write. Keys and other long texts are not shown.
 */
export function optionProblem<Options extends object>(
  owner: string,
  options: Options,
  table: OptionTable<Options>,
  prefix = '',
): { readonly option: string; readonly problem: string } | undefined {
  const known = Object.keys(table)
  if (typeof options !== 'object' || options === null) {
    return { option: owner, problem: `${owner} needs an object with options. It has: ${known.join(', ')}.` }
  }
  const unknown = Object.keys(options).find(option => !Object.hasOwn(table, option))
  if (unknown !== undefined) {
    const near = nearName(unknown, known)
    const hint = near === undefined ? `It has: ${known.join(', ')}.` : `Did you mean "${near}"?`
    return { option: unknown, problem: `${owner} has no option "${unknown.slice(0, 60)}". ${hint}` }
  }
  for (const [option, check] of Object.entries<OptionCheck>(table)) {
    const problem = check(Reflect.get(options, option), `${prefix}${option}`)
    if (problem !== undefined) return { option, problem }
  }
  return undefined
}

/** @throws {TypeError} that says what {@link optionProblem} found. */
export function checkOptions<Options extends object>(
  owner: string,
  options: Options,
  table: OptionTable<Options>,
): void {
  const found = optionProblem(owner, options, table)
  if (found !== undefined) throw new TypeError(found.problem)
}

/** A check that lets undefined pass: the option may be left out. */
export function mustBe(is: (value: unknown) => boolean, what: string): OptionCheck {
  return (value, name) =>
    value === undefined || is(value) ? undefined : `"${name}" is ${describeValue(value)}; it must be ${what}.`
}

/** The option must be there. */
export function required(check: OptionCheck): OptionCheck {
  return (value, name) => (value === undefined ? `"${name}" is missing.` : check(value, name))
}

/** For an option that is checked where it is read. */
export const checkedLater: OptionCheck = () => undefined

export const aFunction = mustBe(value => typeof value === 'function', 'a function')

export const aFlag = mustBe(value => typeof value === 'boolean', 'true or false')

export const aText = mustBe(value => typeof value === 'string' && value !== '', 'a text that is not empty')

/** Longest delay a timer takes, in milliseconds. */
export const longestDelay = 2_147_483_647

/** A whole number. @param unit What it counts, in the plural. Default: nothing is named. */
export function aCount(
  limits: { readonly unit?: string; readonly least?: number; readonly most?: number } = {},
): OptionCheck {
  const { unit, least = 1, most = longestDelay } = limits
  const counted = unit === undefined ? '' : ` of ${unit}`
  return mustBe(
    value => Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most,
    `a whole number${counted} from ${least} to ${most}`,
  )
}

/** One of a few words. */
export function oneOfWords(...words: readonly string[]): OptionCheck {
  return mustBe(
    value => words.some(word => word === value),
    words.map(word => JSON.stringify(word)).join(words.length === 2 ? ' or ' : ', '),
  )
}

/** An object with methods. @param source What makes such an object, for the message. */
export function anObjectWith(methods: readonly string[], source: string): OptionCheck {
  return (value, name) => {
    if (value === undefined) return undefined
    const has = (method: string) =>
      typeof value === 'object' && value !== null && typeof Reflect.get(value, method) === 'function'
    const missing = methods.find(method => !has(method))
    return missing === undefined ? undefined : `"${name}" has no method "${missing}". Pass ${source}.`
  }
}

/** An object with options of its own, named `outer.inner` in messages. */
export function nested<Options extends object>(table: OptionTable<Options>): OptionCheck {
  return (options, name) =>
    options === undefined ? undefined : optionProblem(`"${name}"`, options as Options, table, `${name}.`)?.problem
}

/** Longest text that is shown. A key that was put in the wrong place is longer. */
const mostCharacters = 24

/** Short text in quotes, numbers as they are but for card numbers, of everything else the kind only. */
export function describeValue(value: unknown): string {
  if (typeof value === 'string') {
    return value.length > mostCharacters ? `a text of ${value.length} characters` : inQuotes(maskCardNumbers(value))
  }
  if (typeof value === 'number' || typeof value === 'bigint') return maskCardNumbers(String(value).slice(0, 40))
  if (value === null || value === undefined) return String(value)
  return `of type ${Array.isArray(value) ? 'array' : typeof value}`
}

/**
 * The one of `names` nearest to `name`: equal but for letter case and separators, or at most two edits away, one for every three
 * letters or fewer.
 */
export function nearName(name: string, names: readonly string[]): string | undefined {
  const plain = normalize(name)
  const same = names.find(each => normalize(each) === plain)
  if (same !== undefined || name.length > 40) return same
  const [nearest] = names
    .map(each => ({ each, distance: editDistance(plain, normalize(each)) }))
    .filter(({ distance }) => distance <= Math.min(2, Math.ceil(plain.length / 3)))
    .sort((a, b) => a.distance - b.distance)
  return nearest?.each
}

const normalize = (name: string): string => name.replace(/[-_]/g, '').toLowerCase()

/** Levenshtein distance. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1]
    for (const [j, other] of [...b].entries()) {
      const replaced = (row[j] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
