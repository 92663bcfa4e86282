/**
 * The world of changes, as plain values: time, the store with one order that is paid or holds money, the gateway with what is on its way to it, and
 * processes that run the shipped intent and runner. Ticks are whole numbers.
 *
 * @module
 */

import type { Event, Known, Run } from '../../../../packages/till/src/engine/run.js'
import type { AskedOrder } from '../../../../packages/till/src/intents/ask.js'
import type { CallbackResult } from '../../../../packages/till/src/intents/callback.js'
import type { ChangeResult } from '../../../../packages/till/src/intents/change.js'
import type { FollowUpResult } from '../../../../packages/till/src/intents/follow-up.js'
import type { PaymentDocument } from '../../../../packages/till/src/state/document.js'
import { evolve } from '../../../../packages/till/src/state/evolve.js'
import type { Wish as FollowUp, KnownAttempt } from '../../../../packages/till/src/state/known.js'
import { paidPayment, secondOrder } from '../../../../packages/till/test/engine/known-sale.js'
import type { Advance } from '../sending/world.js'
import { keeping } from '../walk/alike.js'
import type { Broken } from '../walk/rules.js'
import { type Booked, changes, type HandWish, type OrderName, orderOf, type Wish } from './gateway.js'

/** Within how many ticks a request must leave, how long a caller waits, and how long after its answer was due a request may still arrive. */
export const [timeout, patience, quietPeriod, apart] = [1, 1, 1, 1]

/** How often each kind of trouble may strike in a scene. */
export interface Budget {
  readonly crashes: number
  /** Writes whose answer is lost: each was made, or arrives later, or never. */
  readonly lostWrites: number
  /** Requests whose answer is lost: each was carried out, or arrives later, or never. */
  readonly lostAnswers: number
  /** Questions that get no answer. */
  readonly lostQuestions: number
  /** Answers of status that lack the latest change still. */
  readonly lags: number
  /** Requests that the gateway refuses, for whatever reason. */
  readonly refusals: number
  /** Changes that the gateway takes, and that fail. */
  readonly declines: number
  /** Ticks in which a process does nothing although it could. */
  readonly slowTicks: number
  /** Questions of the work in the background. */
  readonly asks: number
  /** Runs that carry follow-ups out. */
  readonly carries: number
  /** Times that a person gives something back at the gateway's own screens. */
  readonly byHand: number
  /** Callbacks about that. */
  readonly calls: number
  /** Times that the gateway takes back its word about that. */
  readonly corrections: number
  /** Hours that pass while nobody does anything. */
  readonly hours: number
  /** Looks of the work in the background at an order whose callback is open. */
  readonly looks: number
}

/** The beginning of a world. */
export interface Beginning {
  /** The merchant asks for these in this order, each at any time and in whatever process is idle. */
  readonly wishes: readonly Wish[]
  readonly budget: Partial<Budget>
  /** Whether the order only holds money. Default: it was paid. */
  readonly isHold?: boolean
  /** Whether the gateway says only later how a change ends. Default: no. */
  readonly endsLater?: boolean
  /** Whether the answer to a change has its serial number. Default: yes. */
  readonly isNumbered?: boolean
  /** Everything that is to be carried out, as it is written down in the payment. Default: nothing. */
  readonly followUps?: readonly Wish[]
  /** Whether a second order of the payment was paid as well. Default: no. */
  readonly hasOther?: boolean
  /** A person gives this back at the gateway's own screens: the other order, or a part of the first one. Default: the other order. */
  readonly handWish?: HandWish
  /** How many processes change orders. Default: two. */
  readonly changers?: number
}

/** A request on its way to the gateway. */
export interface Packet extends Pick<Booked, 'request' | 'wish' | 'amount'> {
  /** It does not arrive after that. */
  readonly until: number
}

/** A write on its way to the store that nobody hears of. */
export type LateWrite = { readonly id: string; readonly after: string | undefined; readonly document: PaymentDocument }

/** A process that lives a run. */
export interface Process {
  /** Absent: it carries a follow-up out, or asks status. */
  readonly wish?: Wish
  /** Whether it carries the first follow-up out. */
  readonly carries?: true
  /** The follow-up that was the first one when the run read the payment. */
  readonly follows?: Wish | undefined
  /** Whether the other order had been given back by hand when the run began. */
  readonly isAfterHand?: true
  /** The change at the gateway's own screens, by its place in the books, whose callback it answers, and what that says. */
  readonly called?: CalledAbout
  /** Whether it looks after an order whose callback is open. */
  readonly looks?: true
  /** The order that it asks about. Default: the first one. */
  readonly about?: OrderName
  readonly run: Run<unknown>
  readonly began: number
  /** The event that its effect gave, before the process has heard of it. */
  readonly answer?: Event | undefined
  /** Whether its request has left. */
  readonly hasSent?: true | undefined
  /** Whether its caller has left, and heard that nothing was sent. */
  readonly isAlone?: true
  /** How many requests it has sent, and how many events it has heard. */
  readonly sent: number
  readonly steps: number
}

/** The change that a callback is about, by its place in the books, and what it says. */
export interface CalledAbout extends Pick<Booked, 'state'> {
  readonly nth: number
}

export interface World {
  readonly now: number
  readonly left: Budget
  readonly wishes: readonly Wish[]
  readonly isHold: boolean
  readonly endsLater: boolean
  readonly isNumbered: boolean
  readonly handWish: HandWish
  /** Everything that was to be carried out at the beginning. */
  readonly followUps: readonly Wish[]
  readonly known: Known
  readonly lateWrites: readonly LateWrite[]
  /** The changes that the gateway has taken, in their order. */
  readonly books: readonly Booked[]
  /** Those among them whose latest callback was taken, by their places. */
  readonly called: readonly number[]
  readonly wire: readonly Packet[]
  /** Those that change orders, and one that asks. */
  readonly processes: readonly (Process | undefined)[]
  readonly runs: number
  /** Something was done that must not be done. */
  readonly wrong?: Broken | undefined
}

/** A step of the world, in words. */
export interface Move {
  readonly text: string
  readonly world: World
}

export type Change = Advance<ChangeResult>

export type Carrying = Advance<FollowUpResult>

/** The intents that run in the processes. */
export interface Cast {
  readonly change: (wish: Wish) => Change
  readonly followUp: Carrying
  readonly ask: (about: OrderName) => Advance<AskedOrder>
  /** Answers the callback about a change. Without one it looks after what earlier callbacks left open. */
  readonly called: (about: CalledAbout | undefined) => Advance<CallbackResult>
  /** Sees how each run ends. */
  readonly look: (end: string, world: World) => void
}

export const none: Budget = {
  crashes: 0,
  lostWrites: 0,
  lostAnswers: 0,
  lostQuestions: 0,
  lags: 0,
  refusals: 0,
  declines: 0,
  slowTicks: 0,
  asks: 0,
  carries: 0,
  byHand: 0,
  calls: 0,
  corrections: 0,
  hours: 0,
  looks: 0,
}

/** A payment whose money is held. */
export const heldPayment: PaymentDocument = {
  ...paidPayment,
  orders: paidPayment.orders.map(({ attempts, stages, ...order }) => ({
    ...order,
    attempts: attempts.map(each => ({ ...each, operation: 'preauth', stages: ['preauth'] })),
    stages: stages.map(each => ({ ...each, stage: 'preauth' })),
  })),
}

/** A follow-up, as it is written down. */
const followUpOf = (wish: Wish): FollowUp => ({
  ...changes[wish],
  clientOrderId: orderOf(wish),
  before: [],
  since: 0,
  ...(wish === 'surplus' ? { because: 'surplus' } : {}),
})

/** The wish that a follow-up is. */
export function wishOf({ part, because }: FollowUp): Wish {
  if (because === 'surplus') return 'surplus'
  return part === undefined ? 'whole' : part.key === 'cup' ? 'cup' : 'plate'
}

/** Everything that is still to be carried out of a payment. */
export const owed = (document: PaymentDocument | undefined): readonly Wish[] => (document?.wishes ?? []).map(wishOf)

/** The wish that a process lives; undefined: it asks, or has not read yet. */
export const wishIn = ({ wish, follows }: Process): Wish | undefined => follows ?? wish

const twoPaid: PaymentDocument = {
  ...paidPayment,
  orders: [...paidPayment.orders, ...paidPayment.orders.map(({ stages }) => ({ ...secondOrder, stages }))],
}

/** The order was made long ago. */
const longAgo = 10_000

export function firstWorld({
  wishes,
  budget,
  isHold = false,
  endsLater = false,
  isNumbered = true,
  followUps = [],
  hasOther = false,
  handWish = 'other',
  changers = 2,
}: Beginning): World {
  const payment = isHold ? heldPayment : hasOther ? twoPaid : paidPayment
  const document = evolve(payment, ...followUps.map(each => ({ kind: 'follow-up', wish: followUpOf(each) }) as const))
  return {
    now: longAgo,
    left: { ...none, ...budget },
    wishes,
    isHold,
    endsLater,
    isNumbered,
    handWish,
    followUps,
    known: { document, writeId: 'sale/1' },
    lateWrites: [],
    books: [],
    called: [],
    wire: [],
    processes: Array.from({ length: changers + 1 }, () => undefined),
    runs: 0,
  }
}

/** The store as a write leaves it. A late write that can never be made any more is forgotten. */
export const stored = (world: World, { id, document }: Pick<LateWrite, 'id' | 'document'>): World =>
  keeping(world, { document, writeId: id })

/** Everything of a request that may still arrive, or has. */
export const mayArrive = ({ books, wire }: World, isIt: (request: string) => boolean): boolean =>
  [...books, ...wire].some(({ request }) => isIt(request))

export const attemptsOf = (document: PaymentDocument | undefined): readonly KnownAttempt[] =>
  (document?.orders ?? []).flatMap(({ attempts }) => attempts)
