import { hash } from 'node:crypto'
import { isCardNumber } from '@tillkit/protocol'
import type { SoughtCard } from '../search/search.js'

/** The ways into a shop, with what each is called. */
export const doorNames = {
  'card-approved': 'card fields of the shop, approved',
  'form-approved': 'form of the gateway, approved',
  'card-declined': 'card fields of the shop, declined',
  'form-declined': 'form of the gateway, declined',
  'card-no-answer': 'card fields of the shop, and the gateway gave no answer',
  'form-no-answer': 'form of the gateway, after the gateway gave no answer',
  'card-given-back': 'card fields of the shop, and the money went back',
  'form-given-back': 'form of the gateway, and the money went back',
  'card-mistyped': 'card fields of the shop, one digit wrong',
  callback: 'a callback that carries a number, as a forger or a broken gateway sends it',
  return: "the customer's return with a number in the address",
} as const

/** A way into a shop. */
export type Door = keyof typeof doorNames

/** A card that nobody has, and the one way by which it comes into the shop. */
export interface Canary extends SoughtCard {
  readonly door: Door
}

/** The first eight digits of published test cards: the last eight tell the canaries apart. */
const testRange = '40120010'

/** Makes a canary for each door; no two share their last four digits or their security code. @param random From 0 to below 1. */
export function makeCanaries(random: () => number): readonly Canary[] {
  const [first, code] = [Math.floor(random() * 1e7), Math.floor(random() * 1e3)]
  return (Object.keys(doorNames) as Door[]).map((door, index) => {
    const right = withCheckDigit(`${testRange}${digits(first + index, 7)}`)
    return { door, number: door === 'card-mistyped' ? mistyped(right) : right, securityCode: digits(code + index, 3) }
  })
}

const digits = (value: number, count: number): string => String(value % 10 ** count).padStart(count, '0')

const withCheckDigit = (start: string): string =>
  [...'0123456789'].map(last => start + last).find(isCardNumber) as string

/** One digit in the middle is wrong, so that the check digit is. */
const mistyped = (number: string): string => `${number.slice(0, 9)}${(Number(number[9]) + 1) % 10}${number.slice(10)}`

/** The digits that PCI DSS 3.4.1 lets be shown of a number. */
export const masked = (number: string): string => `${number.slice(0, 6)}******${number.slice(-4)}`

/** Tells a reader who has the number that it is this one. Nobody's card is behind it: of a real one this would give the number away. */
export const digestOf = (number: string): string => hash('sha256', number, 'hex')

/** A word that stands in the customer's e-mail address, in this run and in no other. */
export const makeMark = (random: () => number): string => `ada-${Math.floor(random() * 1e13).toString(36)}`
