import { Buffer } from 'node:buffer'
import { type Automaton, automatonOf } from './automaton.js'
import { binaryForms, digitForms, textForms } from './forms.js'

/** A card that nobody has, to be looked for. */
export interface SoughtCard {
  readonly number: string
  /** Three digits. */
  readonly securityCode: string
}

const names = [
  'cvv2',
  'cvv',
  'cvc2',
  'cvc',
  'cvn',
  'csc',
  'security-code',
  'security_code',
  'securityCode',
  'card_code',
]

/** A name as programs write it: `securityCode`, `securitycode`, `SecurityCode`, `SECURITYCODE`. */
const spellings = (name: string): readonly string[] => [
  ...new Set([name, name.toLowerCase(), name.toUpperCase(), name.slice(0, 1).toUpperCase() + name.slice(1)]),
]

type TextPattern =
  | { readonly kind: 'number'; readonly card: number; readonly form: string }
  | { readonly kind: 'name' }
  | { readonly kind: 'mark' }

/** A number in one form. */
export type NumberPattern = { readonly card: number; readonly form: string; readonly length: number }

/** All that is looked for, as automata: of digits, of text without blanks, of bytes. */
export interface Machines {
  readonly cards: readonly SoughtCard[]
  readonly digits: Automaton
  readonly digitPatterns: readonly NumberPattern[]
  readonly text: Automaton
  readonly textPatterns: readonly (TextPattern & { readonly length: number })[]
  readonly binary: Automaton
  readonly binaryPatterns: readonly NumberPattern[]
}

/** @param mark A word that a search must have met if it is the right place; undefined where there is none. */
export function machinesFor(cards: readonly SoughtCard[], mark: string | undefined): Machines {
  const ascii = (text: string) => Buffer.from(text, 'latin1')
  const ofDigits = cards.flatMap(({ number }, card) => digitForms(number).map(each => ({ card, ...each })))
  const ofText: readonly (TextPattern & { readonly bytes: Uint8Array })[] = [
    ...cards.flatMap(({ number }, card) => textForms(number).map(each => ({ kind: 'number' as const, card, ...each }))),
    ...names.flatMap(spellings).map(name => ({ kind: 'name' as const, bytes: ascii(name) })),
    ...(mark === undefined ? [] : [{ kind: 'mark' as const, bytes: ascii(mark) }]),
  ]
  const ofBytes = cards.flatMap(({ number }, card) => binaryForms(number).map(each => ({ card, ...each })))
  return {
    cards,
    digits: automatonOf(
      ofDigits.map(({ digits }) => Uint8Array.from(digits, Number)),
      10,
    ),
    digitPatterns: ofDigits.map(({ card, form, digits }) => ({ card, form, length: digits.length })),
    text: automatonOf(
      ofText.map(({ bytes }) => bytes),
      256,
    ),
    textPatterns: ofText.map(({ bytes, ...each }) => ({ ...each, length: bytes.length })),
    binary: automatonOf(
      ofBytes.map(({ bytes }) => bytes),
      256,
    ),
    binaryPatterns: ofBytes.map(({ card, form, bytes }) => ({ card, form, length: bytes.length })),
  }
}
