import fc from 'fast-check'
import type { PaymentDocument } from '../../../src/state/document.js'
import type { KnownAttempt, KnownOrder } from '../../../src/state/known.js'

/** One thing that happens in a random life of a payment. Its numbers are dice: each says which of several, by its remainder. */
export interface Step {
  readonly act: string
  readonly order: number
  readonly request: number
  readonly stage: number
  readonly word: number
  readonly money: number
  readonly way: number
  /** How much later it happens, in milliseconds. */
  readonly wait: number
}

/** A rule's knowledge besides the document. */
export interface Scene {
  /** The store's clock, in milliseconds. */
  readonly at: number
  /** Which step of the life it is. */
  readonly nth: number
  /** Every request that the payment has had, those that the document has forgotten too. */
  readonly sent: readonly KnownAttempt[]
  /** Every token that a telling was claimed with. */
  readonly tokens: readonly string[]
}

/** Changes a document: a rule of the store, whose choices are made by the step. */
export type Act = (document: PaymentDocument | undefined, step: Step, scene: Scene) => PaymentDocument | undefined

/** One of several, by a die. */
export const pick = <Of>(list: readonly Of[], die: number): Of => list[die % list.length] as Of

/** One of several, or undefined where there is none. */
export const pickAny = <Of>(list: readonly Of[], die: number): Of | undefined =>
  list.length === 0 ? undefined : pick(list, die)

/** One of the orders of a document that status can be asked about: a card reference has no id to ask by. */
export const orderOf = (document: PaymentDocument | undefined, { order }: Step): KnownOrder | undefined =>
  pickAny(document?.orders.filter(each => (each.clientOrderId ?? each.orderId) !== undefined) ?? [], order)

const die = fc.nat(999)

/** Steps of these acts; one that is listed twice comes twice as often. */
export const stepsOf = (acts: readonly string[], most: number): fc.Arbitrary<readonly Step[]> =>
  fc.array(
    fc.record({
      act: fc.constantFrom(...acts),
      order: die,
      request: die,
      stage: die,
      word: die,
      money: die,
      way: die,
      wait: fc.constantFrom(0, 1, 1_000, 1_000, 40_000, 61_000, 61_000, 86_400_000),
    }),
    { maxLength: most, size: 'max' },
  )
