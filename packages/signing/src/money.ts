/** Amounts: decimal strings in major units, whole strings in minor units. No floating point. */
import { InvalidInputError, quoted, shown } from './errors.js'
import type { MinorUnits } from './profile.js'

/** Most digits an amount may have; gateways take fewer. */
const mostDigits = 15

/**
 * Converts an amount to minor units by shifting the decimal point of the text.
 *
 * @example
 * ```ts
 * toMinorUnits('10.42', 'EUR') // '1042'
 * toMinorUnits('1000', 'JPY') // '1000', or '100000' when counted in hundredths
 * ```
 *
 * @param amount Major units with exactly the currency's digits: `'10.00'` EUR, `'1000'` JPY, `'1.250'` KWD.
 * @param counting How minor units are counted. Default: `iso-4217`; the specification only says cents.
 * @param own Digits that count before those of ISO 4217: `{ IDR: 0 }` for an acquirer that counts rupiah without decimals.
 * @returns A whole number without leading zeros.
 * @throws {@link InvalidInputError} when the amount is not a string, is written in any other way, or does not fit into
 * hundredths; or the currency is neither in ISO 4217 nor in `own`.
 * @see Interface specification, section 5.1
 */
export function toMinorUnits(
  amount: string,
  currency: string,
  counting: MinorUnits = 'iso-4217',
  own?: CurrencyDigits,
): string {
  const digits = digitsOf(currency, own)
  if (typeof amount !== 'string') {
    throw new InvalidInputError(
      'amount',
      `"amount" is ${shown(amount)}. Write it as a string, ${rightAmount(currency, digits)}: a number loses digits (0.29 * 100 is not 29).`,
    )
  }
  const [whole = '', fraction = ''] = amount.split('.')
  if (!decimal.test(amount) || fraction.length !== digits || whole.length + digits > mostDigits) {
    throw new InvalidInputError(
      'amount',
      `"amount" is ${quoted(amount)}; it must look like ${rightAmount(currency, digits)}: exactly ` +
        `${digits} digits after the point, at most ${mostDigits} in all, no sign, leading zeros or other separators.` +
        (calculated.test(amount) ? ` ${ofFloats}` : ''),
    )
  }
  const counted = counting === 'hundredths' ? 2 : digits
  if (!/^0*$/.test(fraction.slice(counted))) {
    throw new InvalidInputError(
      'amount',
      `"amount" is ${quoted(amount)} ${currency}; this profile counts hundredths, so digits after the second must be zeros.`,
    )
  }
  return (whole + fraction.slice(0, counted).padEnd(counted, '0')).replace(/^0+(?=\d)/, '')
}

const decimal = /^(?:0|[1-9]\d*)(?:\.\d+)?$/

/** What `String` makes of a number that was calculated, such as 19.99 * 100. */
const calculated = /^-?\d+(?:\.\d{7,}|(?:\.\d+)?e[+-]\d+)$/

const ofFloats =
  'It was calculated with floating point, which loses digits: ' +
  "calculate in whole minor units, and write them with fromMinorUnits('1999', 'EUR')."

/**
 * Converts minor units to an amount with exactly the currency's digits.
 *
 * @example
 * ```ts
 * fromMinorUnits('1042', 'EUR') // '10.42'
 * fromMinorUnits(1250n, 'KWD') // '1.250'
 * ```
 *
 * @param minor A whole number, not negative.
 * @param counting How minor units are counted. Default: `iso-4217`.
 * @param own Digits that count before those of ISO 4217.
 * @returns Major units.
 * @throws {@link InvalidInputError} when `minor` is not a whole number, or in hundredths that the currency does not have.
 */
export function fromMinorUnits(
  minor: string | bigint,
  currency: string,
  counting: MinorUnits = 'iso-4217',
  own?: CurrencyDigits,
): string {
  const digits = digitsOf(currency, own)
  const text = typeof minor === 'bigint' ? minor.toString() : minor
  if (typeof text !== 'string' || !/^(0|[1-9]\d*)$/.test(text) || text.length > mostDigits) {
    throw new InvalidInputError(
      'minor',
      `"minor" is ${shown(text)}; it must be a whole ` +
        `number of minor units as a string or bigint, at most ${mostDigits} digits: 10.42 EUR is "1042".`,
    )
  }
  const counted = counting === 'hundredths' ? 2 : digits
  const padded = text.padStart(counted + 1, '0')
  const whole = padded.slice(0, padded.length - counted)
  const fraction = padded.slice(padded.length - counted).padEnd(digits, '0')
  if (!/^0*$/.test(fraction.slice(digits))) {
    throw new InvalidInputError('minor', `"minor" is ${quoted(text)} hundredths, and ${currency} has no such fraction.`)
  }
  return digits === 0 ? whole : `${whole}.${fraction.slice(0, digits)}`
}

function digitsOf(currency: string, own?: CurrencyDigits): number {
  const digits = currencyDigits(currency, own)
  if (digits !== undefined) return digits
  const upper = typeof currency === 'string' ? currency.trim().toUpperCase() : ''
  const advice =
    currencyDigits(upper, own) === undefined
      ? 'Write an ISO 4217 code, such as "EUR", or declare its digits: defineProfile({ currencyDigits }).'
      : `Write "${upper}".`
  throw new InvalidInputError('currency', `"currency" is ${shown(currency)}, no known code. ${advice}`)
}

const rightAmount = (currency: string, digits: number): string =>
  `${digits === 0 ? "'1000'" : `'10.${'0'.repeat(digits)}'`} (${currency})`

/**
 * Compares two amounts as decimals: `10.5`, `10.50` and `010.500` are the same. No floating point, no currency.
 *
 * @returns Negative, zero or positive, as for `Array.prototype.sort`.
 * @throws {@link InvalidInputError} when one of them is not a decimal number in plain digits.
 */
export function compareAmounts(a: string, b: string): -1 | 0 | 1 {
  const [left, right] = [readDecimal(a), readDecimal(b)]
  if (left === undefined || right === undefined) {
    const wrong = left === undefined ? a : b
    throw new InvalidInputError('amount', `"amount" is ${shown(wrong)} and not an amount: write digits, as in "10.50".`)
  }
  if (left === right) return 0
  return left < right ? -1 : 1
}

/** Says whether two amounts are the same decimal number. Text that is not an amount equals nothing, not even itself. */
export function sameAmount(a: string, b: string): boolean {
  const left = readDecimal(a)
  return left !== undefined && left === readDecimal(b)
}

/** Longest decimal that is read, because it may be a reply's: a million digits are not an amount. */
const longestDecimal = 64

/** Reads a decimal as a whole number of 10^-64. */
function readDecimal(text: string): bigint | undefined {
  if (typeof text !== 'string' || text.length > longestDecimal) return undefined
  const match = /^(-?)(\d+)(?:\.(\d*))?$/.exec(text.trim())
  if (match === null) return undefined
  const [, sign = '', whole = '', fraction = ''] = match
  return BigInt(`${sign}${whole}${fraction.padEnd(longestDecimal, '0')}`)
}

/**
 * Currencies and how many digits their minor unit has: list one of ISO 4217 as published on 25 June 2024, with the later
 * amendments (XCG for ANG in March 2025, the end of BGN in January 2026). Funds are included; metals, units of account and test
 * codes have no minor unit and are not. Currencies that ended lately are readable in replies, see adr/0027. Three letters each,
 * without separators: a bundle gains by it.
 */
const codesByDigits: readonly (readonly [digits: number, codes: string])[] = [
  [0, 'BIFCLPDJFGNFISKJPYKMFKRWPYGRWFUGXUYIVNDVUVXAFXOFXPF'],
  [
    2,
    'AEDAFNALLAMDAOAARSAUDAWGAZNBAMBBDBDTBMDBNDBOBBOVBRLBSDBTNBWPBYNBZDCADCDFCHECHFCHWCNYCOPCOUCRCCUC' +
      'CUPCVECZKDKKDOPDZDEGPERNETBEURFJDFKPGBPGELGHSGIPGMDGTQGYDHKDHNLHTGHUFIDRILSINRIRRJMDKESKGSKHRKPW' +
      'KYDKZTLAKLBPLKRLRDLSLMADMDLMGAMKDMMKMNTMOPMRUMURMVRMWKMXNMXVMYRMZNNADNGNNIONOKNPRNZDPABPENPGKPHP' +
      'PKRPLNQARRONRSDRUBSARSBDSCRSDGSEKSGDSHPSLESOSSRDSSPSTNSVCSYPSZLTHBTJSTMTTOPTRYTTDTWDTZSUAHUSDUSN' +
      'UYUUZSVEDVESWSTXCDXCGYERZARZMWZWG',
  ],
  [3, 'BHDIQDJODKWDLYDOMRTND'],
  [4, 'CLFUYW'],
]

const digitsByCode: ReadonlyMap<string, number> = /* @__PURE__ */ (() =>
  new Map(
    codesByDigits.flatMap(([digits, codes]) => (codes.match(/.../g) ?? []).map(code => [code, digits] as const)),
  ))()

/** Every currency code this package knows, in no particular order. */
export const currencyCodes: readonly string[] = /* @__PURE__ */ (() => Object.freeze([...digitsByCode.keys()]))()

/** Digits of currencies by code, which count before ISO 4217: `{ IDR: 0 }` for an acquirer that counts rupiah whole. */
export interface CurrencyDigits {
  readonly [code: string]: number
}

/**
 * Says how many digits a currency's minor unit has: 2 for `EUR`, 0 for `JPY`, 3 for `KWD`.
 *
 * @param code Upper-case letters, three in ISO 4217.
 * @param own Digits that count before ISO 4217. Default: none.
 * @returns `undefined` for a code that is in neither.
 */
export const currencyDigits = (code: string, own?: CurrencyDigits): number | undefined =>
  own && Object.hasOwn(own, code) ? own[code] : digitsByCode.get(code)
