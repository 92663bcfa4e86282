/**
 * The world of a payment, as plain values: time, the store, the gateway with its hosted forms and what is on its way to it, the customers who
 * were given an address, and processes that run the shipped intent and runner. Ticks are whole numbers.
 *
 * @module
 */

import { type Event, type Known, nothingKnown, type Run } from '../../../../packages/till/src/engine/run.js'
import type { AskedOrder } from '../../../../packages/till/src/intents/ask.js'
import type { Decided } from '../../../../packages/till/src/intents/decide.js'
import type { PayResult } from '../../../../packages/till/src/intents/pay.js'
import type { PaymentDocument } from '../../../../packages/till/src/state/document.js'
import type { Advance } from '../sending/world.js'
import { keeping } from '../walk/alike.js'
import type { HandlerTrouble } from '../walk/handlers.js'
import type { Broken } from '../walk/rules.js'
import type { Absence, Booked } from './gateway.js'

/** Within how many ticks a request must leave, how long a caller waits for a store that fails, and how long nothing may have been on its way. */
export const [timeout, patience, quietPeriod, apart] = [1, 1, 1, 1]

/** How many ticks a handler has. */
export const lease = 2

export const reference = 'basket-7'

/** Most orders of the payment. */
export const mostOrders = 3

/** How often each kind of trouble may strike in a scene. */
export interface Budget extends HandlerTrouble {
  /** Presses of the button, each in whatever process is idle. */
  readonly presses: number
  readonly crashes: number
  /** Writes whose answer is lost: each was made, or arrives later, or never. */
  readonly lostWrites: number
  /** Requests whose answer is lost: each was carried out, or arrives later, or never. */
  readonly lostAnswers: number
  /** Questions that get no answer. */
  readonly lostQuestions: number
  /** Ticks in which a process does nothing although it could. */
  readonly slowTicks: number
  /** Cards that are declined. */
  readonly declines: number
  /** Customers who give a card, and have to go through 3DS then. */
  readonly begins: number
  /** Final words that the gateway takes back: a declined order is approved after all. */
  readonly corrections: number
  /** A person stops new money. */
  readonly pauses: number
  /** The store is put back to an earlier state, while no process runs. */
  readonly restores: number
  /** Questions of the work in the background. */
  readonly asks: number
  /** Decisions of a person about requests of which nobody knows the end. */
  readonly decisions: number
  /** Orders that a person gives up, on whose forms nobody has paid. */
  readonly abandons: number
  /** The processes are started anew, with other settings: another form is allowed or not, and the other account comes first. */
  readonly settings: number
}

/** The beginning of a world. */
export interface Beginning {
  readonly budget: Partial<Budget>
  /** The amounts that the presses ask for, in their order; the last one counts on. Default: all the same. */
  readonly amounts?: readonly string[]
  /** Whether the merchant allows another form while one is open. Default: no. */
  readonly replaceOpenForm?: boolean
  /** For how many ticks a form counts as open. Default: for ever. */
  readonly formLifetime?: number
  /** For how many ticks a form is open. Default: for ever, whatever counts. */
  readonly formsEnd?: number
  /** Whether forms ask for another card after a decline. Default: no. */
  readonly formRetries?: boolean
  /** How the gateway says that it has never seen an order. Default: by its word. */
  readonly absence?: Absence
  /** The gateway refuses an id that was used before, or makes a second order. Default: `refused`. */
  readonly usedIds?: 'refused' | 'second-order'
  /** The accounts that the presses choose, in their order; the last one counts on. Default: all the same. */
  readonly accounts?: readonly string[]
  /** Whether a press names the account, instead of choosing it for a payment that has none. Default: no. */
  readonly namesAccount?: boolean
  /** Whether outcomes are told here, and by what store. Default: another process tells. */
  readonly tells?: 'by commits' | 'by marks' | undefined
  /** Whether a customer who presses at last has to come to a form, or to hear that it is paid. Default: no. */
  readonly goesOn?: boolean
  /** How many processes customers press in. Default: two. */
  readonly payers?: number
}

/** A request on its way to the gateway. */
export interface Packet {
  readonly request: string
  readonly login: string
  readonly clientOrderId: string
  readonly amount: string
  /** It does not arrive after that. */
  readonly until: number
}

/** A write on its way to the store that nobody hears of. */
export type LateWrite = { readonly id: string; readonly after: string | undefined; readonly document: PaymentDocument }

/** A process that lives a run. */
export interface Process {
  readonly does: 'pay' | 'ask' | 'decide'
  /** The order that is asked about, the amount that is to be paid, or the decision, as JSON. */
  readonly about: string
  /** The account of the order, or the one that the press has chosen. */
  readonly login: string
  /** Set where it pays, and another form is allowed. */
  readonly mayReplace?: true
  readonly run: Run<unknown>
  /** When a person spoke whose decision it takes. */
  readonly spokenAt?: number
  /** When it last heard anything but that the store failed, and when it began its effect. */
  readonly heardAt: number
  readonly askedAt: number
  /** By how much the store's clock may be later, and earlier, than it thinks. */
  readonly behind: number
  readonly ahead: number
  /** The event that its effect gave, if the process hears of it late: not before `until`. `word`: the store's clock at that moment. */
  readonly answer?: { readonly event: Event; readonly word?: number; readonly until: number } | undefined
  /** Whether its request has left. */
  readonly hasSent?: true | undefined
  /** Until then it sleeps. */
  readonly wakesAt?: number | undefined
  /** Whether its caller has left, and heard that nothing was sent. */
  readonly isAlone?: true
  /** How many requests it has sent, and how many events it has heard. */
  readonly sent: number
  readonly steps: number
  /** Whether it read the marks or heard an answer of status after new money was stopped. */
  readonly mayKnowPause?: true
  /** Whether the gateway had the money already when it began. */
  readonly wasPaid: boolean
  /** The orders that were not replaced then, and whose customer had given a card. */
  readonly begun: readonly string[]
}

export interface World {
  readonly now: number
  readonly left: Budget
  /** Whether the merchant allows another form while one is open. */
  readonly mayReplace: boolean
  /** Whether that was another way before. */
  readonly hasChanged?: true
  readonly known: Known
  /** Everything that the store has kept before, while it may be put back. */
  readonly earlier: readonly Known[]
  readonly lateWrites: readonly LateWrite[]
  readonly isPaused: boolean
  readonly isRestored: boolean
  readonly books: readonly Booked[]
  readonly wire: readonly Packet[]
  /** The outcomes that the merchant has booked, and those that a handler was called for, by their keys. */
  readonly book: readonly string[]
  readonly called: readonly string[]
  /** The addresses that a customer was given. */
  readonly given: readonly string[]
  /** Those for customers; the last one asks status, or takes a person's decision. */
  readonly processes: readonly (Process | undefined)[]
  /** How many runs have begun, and how many of them to pay. */
  readonly runs: number
  readonly pressed: number
  /** Something was done that must not be done. */
  readonly wrong?: Broken | undefined
}

/** A step of the world, in words. */
export interface Move {
  readonly text: string
  readonly world: World
}

/** The amount that a press asks for, the account that it has chosen, and whether another form is allowed while one is open. */
export interface Press {
  readonly amount: string
  readonly login: string
  readonly mayReplace: boolean
}

/** The runners of the processes, and what the world is like besides. */
export interface Cast {
  readonly pay: (press: Press) => Advance<PayResult>
  readonly ask: (about: Pick<Booked, 'clientOrderId' | 'login'>) => Advance<AskedOrder>
  /** @param decision As JSON. */
  readonly decide: (decision: string) => Advance<Decided>
  readonly amounts: readonly string[]
  readonly accounts: readonly string[]
  readonly absence: Absence
  readonly usedIds: 'refused' | 'second-order'
  readonly formsEnd: number | undefined
  readonly formRetries: boolean
  readonly tells: Beginning['tells']
  /** Sees how each run ends. */
  readonly look: (kind: PayResult['kind'] | 'not done') => void
}

export const none: Budget = {
  presses: 0,
  crashes: 0,
  lostWrites: 0,
  lostAnswers: 0,
  lostQuestions: 0,
  slowTicks: 0,
  declines: 0,
  begins: 0,
  corrections: 0,
  pauses: 0,
  restores: 0,
  asks: 0,
  decisions: 0,
  abandons: 0,
  settings: 0,
  lostCommits: 0,
  failures: 0,
}

export const firstWorld = ({ budget, replaceOpenForm = false, payers = 2 }: Beginning): World => ({
  now: 0,
  left: { ...none, ...budget },
  mayReplace: replaceOpenForm,
  known: nothingKnown,
  earlier: [],
  lateWrites: [],
  isPaused: false,
  isRestored: false,
  books: [],
  wire: [],
  book: [],
  called: [],
  given: [],
  processes: Array.from({ length: payers + 1 }, () => undefined),
  runs: 0,
  pressed: 0,
})

/** The store as a write leaves it. A late write that can never be made any more is forgotten. */
export function stored(world: World, known: Known): World {
  const { earlier, left } = world
  return keeping({ ...world, earlier: left.restores > 0 ? [...earlier, world.known] : [] }, known)
}

export const attemptsOf = (document: PaymentDocument | undefined) =>
  (document?.orders ?? []).flatMap(({ attempts }) => attempts)
