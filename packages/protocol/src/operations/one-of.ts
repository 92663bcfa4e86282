/**
 * Alternatives: sets of fields of which a request has one, such as a card or a reference to one.
 *
 * @module
 */

/** One way to fill in what `required` of an operation leaves open. */
export interface Alternative<Field extends string = string> {
  /** Fields that it needs, all of them. */
  readonly needs: readonly Field[]
  /** Fields that have no place beside them. */
  readonly without?: readonly Field[]
}

/** An operation whose requests have alternatives, or none. */
export interface WithAlternatives {
  readonly oneOf?: readonly Alternative[]
}

/** What is wrong: `field` is missing, or has no place beside `beside`. */
export interface AlternativeProblem {
  readonly field: string
  readonly beside?: string
}

/**
 * Why a request has none of the alternatives of its operation; `undefined` where it has one, or the operation has none.
 *
 * @param has Whether the request has a field.
 */
export function alternativeProblem(
  { oneOf = [] }: WithAlternatives,
  has: (field: string) => boolean,
): AlternativeProblem | undefined {
  const [first] = oneOf
  if (first === undefined) return undefined
  const whole = oneOf.filter(({ needs }) => needs.every(has))
  const strays = whole.map(({ without = [] }) => without.find(has))
  if (strays.includes(undefined)) return undefined
  const [stray] = strays
  const beside = whole[0]?.needs[0]
  if (stray !== undefined && beside !== undefined) return { field: stray, beside }
  // The alternative of which most is there is the one that was meant.
  const counts = oneOf.map(({ needs }) => needs.filter(has).length)
  const meant = oneOf[counts.indexOf(Math.max(...counts))] ?? first
  return { field: meant.needs.find(field => !has(field)) ?? '' }
}

/**
 * The alternatives of an operation in words: `either a, b and c, or d`.
 *
 * @param nameOf What a field is called where the words are read. Default: its name in the request record.
 */
export function alternativesInWords(
  { oneOf = [] }: WithAlternatives,
  nameOf: (field: string) => string = field => field,
): string {
  return `either ${oneOf.map(({ needs }) => inWords(needs.map(nameOf))).join(', or ')}`
}

const inWords = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
