import { hash } from 'node:crypto'
import { isCardNumber } from '@tillkit/protocol'
import { refuse } from '../replies/refusal.js'

export interface StoredCard {
  /** First six digits. */
  readonly bin: string
  readonly lastFourDigits: string
  readonly brand: string
  readonly holder: string | undefined
  /** `01` to `12`. */
  readonly expireMonth: string | undefined
  /** Four digits. */
  readonly expireYear: string | undefined
  /** Tells equal numbers from different ones within one gateway, and nothing else. */
  readonly fingerprint: string
}

/** Reads a month, `1` to `12` with or without a zero, into two digits. */
export const readMonth = (text: string): string | undefined =>
  /^(0?[1-9]|1[0-2])$/.test(text) ? text.padStart(2, '0') : undefined

/**
 * Reads a year of four or two digits into four digits. Public samples write four; the vendor's PHP library checks for one or
 * two, so no document decides which of them a gateway takes.
 */
export const readYear = (text: string): string | undefined =>
  /^\d{4}$/.test(text) ? text : /^\d{2}$/.test(text) ? `20${text}` : undefined

/**
 * Checks a card and keeps what may be kept of it. A refusal holds neither the number nor the expiry.
 *
 * @param names What the fields are called where they came from, for messages. Default: their wire names.
 */
export function storeCard(
  input: Partial<Pick<StoredCard, 'holder' | 'expireMonth' | 'expireYear'>> & { readonly number: string },
  names = { number: 'credit_card_number', expireMonth: 'expire_month', expireYear: 'expire_year' },
): StoredCard {
  const number = input.number.replace(/[ -]/g, '')
  if (!isCardNumber(number)) {
    refuse('invalid-field', `"${names.number}" is no card number: 13 to 19 digits with a right check digit are needed.`)
  }
  const expireMonth = input.expireMonth === undefined ? undefined : readMonth(input.expireMonth)
  const expireYear = input.expireYear === undefined ? undefined : readYear(input.expireYear)
  if (input.expireMonth !== undefined && expireMonth === undefined) {
    refuse('invalid-field', `"${names.expireMonth}" is no month: 1 to 12 is needed.`)
  }
  if (input.expireYear !== undefined && expireYear === undefined) {
    refuse('invalid-field', `"${names.expireYear}" is no year: four digits are needed.`)
  }
  return {
    bin: number.slice(0, 6),
    lastFourDigits: number.slice(-4),
    brand: cardBrand(number),
    holder: input.holder,
    expireMonth,
    expireYear,
    fingerprint: fingerprintOf(number),
  }
}

/** Whether a stored card is the one of a number, written without spaces. */
export const isCard = ({ bin, lastFourDigits, fingerprint }: StoredCard, number: string): boolean =>
  number.startsWith(bin) && number.endsWith(lastFourDigits) && fingerprint === fingerprintOf(number)

const fingerprintOf = (number: string): string => hash('sha256', `tillkit fake card ${number}`, 'hex').slice(0, 12)

/** Whether a card's month is over at `now`, in milliseconds since the epoch. A card without an expiry never is. */
export function isExpired({ expireMonth, expireYear }: StoredCard, now: number): boolean {
  if (expireMonth === undefined || expireYear === undefined) return false
  const today = new Date(now)
  return Number(expireYear) * 12 + Number(expireMonth) < today.getUTCFullYear() * 12 + today.getUTCMonth() + 1
}

const brands: readonly (readonly [pattern: RegExp, brand: string])[] = [
  [/^220[0-4]/, 'MIR'],
  [/^4/, 'VISA'],
  [/^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, 'MASTERCARD'],
  [/^3[47]/, 'AMEX'],
  [/^35(2[89]|[3-8])/, 'JCB'],
  [/^(36|38|39|30[0-5])/, 'DINERS_CLUB'],
  [/^(6011|65|64[4-9])/, 'DISCOVER'],
  [/^(62|81)/, 'UNIONPAY'],
  [/^(5[0678]|6)/, 'MAESTRO'],
]

/** A word such as `VISA`, or `UNKNOWN`. The interface shows no list of them. */
export const cardBrand = (pan: string): string => brands.find(([pattern]) => pattern.test(pan))?.[1] ?? 'UNKNOWN'
