/**
 * The plan of a payment's life, drawn before it begins: plain data, of which each item can be left out. Moments are milliseconds since its birth.
 *
 * @module
 */
import type { ToldApartBy } from './gateway/books.js'

/** Each kind of effect, and of request from the gateway, in which something may go wrong. */
export type Place = 'read' | 'write' | 'request' | 'ask' | 'handle' | 'callback'

/** The trouble that may strike at each of them. All of it is of the kind that a lawful world has. */
export const troubles = {
  /** `unanswered`: the store does not say. `slow`: its answer comes late. */
  read: ['unanswered', 'slow', 'dies'],
  /** `unheard`: it is made, and nobody hears of it. `lost`: it is not made, and nobody hears of that. `late`: it is made later. */
  write: ['unheard', 'lost', 'late', 'refused', 'slow', 'dies', 'dies-after'],
  /** `unheard`: it is carried out, and its answer is lost. `late`: it arrives once its caller has given up. `refused`: by the gateway. */
  request: ['unheard', 'lost', 'late', 'refused', 'slow', 'dies', 'dies-after'],
  ask: ['unanswered', 'slow', 'dies'],
  /** `unheard`: it is committed, and nobody hears of it. `lost`: it is not committed, and nobody hears of that. */
  handle: ['throws', 'overstays', 'unheard', 'lost', 'dies', 'dies-after'],
  /** `early`: status does not show yet what it says. `stray`: it names another order of the gateway. */
  callback: ['lost', 'late', 'twice', 'early', 'stray'],
} as const satisfies { readonly [At in Place]: readonly string[] }

export type Trouble = (typeof troubles)[Place][number]

/** One thing that goes wrong: at the so manieth effect of a kind. `by`: how much, from 0 to 1. */
export interface Fault {
  readonly kind: 'fault'
  readonly on: Place
  readonly nth: number
  readonly what: Trouble
  readonly by: number
}

type ChangeName = 'return' | 'capture' | 'void'

/** One item of a plan. */
export type Item =
  | Fault
  /** The customer, or the shop, asks for the payment in a process. */
  | { readonly kind: 'press'; readonly at: number; readonly process: number }
  /** The so manieth card that is given on forms of this payment is not approved at once. */
  | { readonly kind: 'card'; readonly nth: number; readonly does: 'declined' | 'slow' | 'left' }
  /** The customer does not come back from the so manieth form. */
  | { readonly kind: 'stays-away'; readonly nth: number }
  /** The merchant asks for a change: of a part of a tenth of the amount each, or of the whole. */
  | {
      readonly kind: 'change'
      readonly at: number
      readonly name: ChangeName
      readonly tenths?: number
      readonly key?: string
    }
  /** The handler wants a change once it is told of that. */
  | { readonly kind: 'wants'; readonly when: 'paid' | 'held'; readonly name: ChangeName; readonly tenths?: number }
  /** The gateway's people, the bank or a reconciliation do something to the order. */
  | {
      readonly kind: 'gateway'
      readonly at: number
      readonly does: 'correct' | 'charge-back' | 'reverse' | 'reverse-declined'
      readonly tenths?: number
      readonly toldApartBy: ToldApartBy
    }
  /** A person looks at the payment, and decides what is open. */
  | { readonly kind: 'decides'; readonly at: number }
  | { readonly kind: 'death'; readonly process: number; readonly at: number; readonly lasts: number }
  /** A process does nothing for a while; `suspended`: its monotonic clock stands still meanwhile. */
  | {
      readonly kind: 'stall'
      readonly process: number
      readonly at: number
      readonly lasts: number
      readonly suspended: boolean
    }
  /** The system's clock of a process is set. */
  | { readonly kind: 'jump'; readonly process: number; readonly at: number; readonly by: number }
  /** Status shows what was so when this began. */
  | { readonly kind: 'lag'; readonly at: number; readonly lasts: number }
  /** Status does not answer. */
  | { readonly kind: 'outage'; readonly at: number; readonly lasts: number }
  /** A person stops new money for a while. */
  | { readonly kind: 'pause'; readonly at: number; readonly lasts: number }
  /** A store that breaks its contract: what it took in the time before is gone, and nobody says so. */
  | { readonly kind: 'loses'; readonly at: number; readonly since: number }
  /** A store that breaks its contract: for a while each read shows what was so before that time. */
  | { readonly kind: 'stale'; readonly at: number; readonly lasts: number; readonly by: number }
  /** The store is put back to an earlier state, while every process is stopped. */
  | { readonly kind: 'restore'; readonly backup: number; readonly at: number }

/** The manners of the merchant and of the gateway, which no trouble changes. */
export interface Manners {
  readonly purpose: 'sale' | 'preauth'
  /** In minor units; ten parts of it are whole ones. */
  readonly amount: number
  /** Whether the store commits the handler's own writes together with the mark that it was told. */
  readonly hasTransactions: boolean
  /** A surplus order goes back by itself, or by a person. */
  readonly surplus: 'return' | 'person'
  readonly replaceOpenForm: boolean
  /** The gateway has a word for an order that it has never seen, or refuses the question as any other. */
  readonly absence: 'by its word' | 'as it refuses'
  /** The gateway refuses an id that was used before, or makes a second order of it. */
  readonly usedIds: 'refused' | 'second-order'
  /** Whether the answer to a change has its serial number. */
  readonly isNumbered: boolean
}

/** A payment's life before it is lived. */
export interface Plan {
  readonly seed: number
  readonly payment: number
  readonly manners: Manners
  readonly items: readonly Item[]
}
