/**
 * The world of changes, as plain values: time, the store with one order that is paid or holds money, the gateway with what is on its way to it, and
 * processes that run the shipped intent and runner. Ticks are whole numbers.
 *
 * @module
 */
import { historyAfter, type KnownAttempt, type PaymentDocument } from '@tillkit/protocol'
import { toDocument } from '../../../protocol/src/history/to-document.js'
import type { Event, History, Known, Run } from '../../src/engine/run.js'
import type { AskedOrder } from '../../src/intents/ask.js'
import type { ChangeResult } from '../../src/intents/change.js'
import { paidPayment } from '../engine/known-sale.js'
import type { Booked, Wish } from './change-gateway.js'
import type { Advance } from './world.js'

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
}

/** The beginning of a world. */
export interface Beginning {
  /** What is asked for, in this order, each at any time and in whatever process is idle. */
  readonly wishes: readonly Wish[]
  readonly budget: Partial<Budget>
  /** Whether the order only holds money. Default: it was paid. */
  readonly isHold?: boolean
  /** Whether the gateway says only later how a change ends. Default: no. */
  readonly endsLater?: boolean
  /** Whether the answer to a change has its serial number. Default: yes. */
  readonly isNumbered?: boolean
}

/** A request on its way to the gateway. */
export interface Packet extends Pick<Booked, 'request' | 'wish' | 'amount'> {
  /** It does not arrive after that. */
  readonly until: number
}

/** A write on its way to the store that nobody hears of. */
export type LateWrite = { readonly id: string; readonly after: string | undefined; readonly history: History }

/** A process that lives a run. */
export interface Process {
  /** Absent: it asks status. */
  readonly wish?: Wish
  readonly run: Run<unknown>
  readonly began: number
  /** What came of its effect, before it has heard of it. */
  readonly answer?: Event | undefined
  /** Whether its request has left. */
  readonly hasSent?: true | undefined
  /** Whether its caller has left, and heard that nothing was sent. */
  readonly isAlone?: true
  /** How many requests it has sent, and how many events it has heard. */
  readonly sent: number
  readonly steps: number
}

export interface World {
  readonly now: number
  readonly left: Budget
  readonly wishes: readonly Wish[]
  readonly isHold: boolean
  readonly endsLater: boolean
  readonly isNumbered: boolean
  readonly known: Known
  readonly lateWrites: readonly LateWrite[]
  /** The changes that the gateway has taken, in their order. */
  readonly books: readonly Booked[]
  readonly wire: readonly Packet[]
  /** Two that change the order, and one that asks. */
  readonly processes: readonly (Process | undefined)[]
  readonly runs: number
  /** Something was done that must not be done. */
  readonly wrong?: string | undefined
}

/** A step of the world, in words. */
export interface Move {
  readonly text: string
  readonly world: World
}

export type Change = Advance<ChangeResult>

/** What lives in the processes. */
export interface Cast {
  readonly change: (wish: Wish) => Change
  readonly ask: Advance<AskedOrder>
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

const historyOf = (after: PaymentDocument): History => historyAfter(undefined, { before: undefined, after })

/** The order was made long ago. */
const longAgo = 10_000

export function firstWorld({ wishes, budget, isHold = false, endsLater = false, isNumbered = true }: Beginning): World {
  const history = historyOf(isHold ? heldPayment : paidPayment)
  return {
    now: longAgo,
    left: { ...none, ...budget },
    wishes,
    isHold,
    endsLater,
    isNumbered,
    known: { history, document: toDocument(history), writeId: 'sale/1' },
    lateWrites: [],
    books: [],
    wire: [],
    processes: [undefined, undefined, undefined],
    runs: 0,
  }
}

/** The store as a write leaves it. A late write that can never be made any more is forgotten. */
export const stored = (world: World, { id, history }: Pick<LateWrite, 'id' | 'history'>): World => ({
  ...world,
  known: { history, document: toDocument(history), writeId: id },
  lateWrites: world.lateWrites.filter(({ after }) => after === id),
})

/** Everything of a request that may still arrive, or has. */
export const mayArrive = ({ books, wire }: World, isIt: (request: string) => boolean): boolean =>
  [...books, ...wire].some(({ request }) => isIt(request))

export const attemptsOf = (document: PaymentDocument | undefined): readonly KnownAttempt[] =>
  (document?.orders ?? []).flatMap(({ attempts }) => attempts)
