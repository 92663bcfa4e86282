/**
 * The world of visits, as plain values: time, the store with the payment of a customer who comes back, the gateway's and the merchant's books, and
 * processes that run the shipped intents and runner: for customers, for a callback, and for the work in the background. Moments are milliseconds;
 * time passes by ticks.
 *
 * @module
 */
import { defaultProfile } from '@tillkit/protocol'
import type { Ended, Known, Run } from '../../../../packages/till/src/engine/run.js'
import { historyOf } from '../../../../packages/till/src/history/news.js'
import type { CallbackResult } from '../../../../packages/till/src/intents/callback.js'
import type { VisitResult } from '../../../../packages/till/src/intents/customers/visit.js'
import type { Heard } from '../../../../packages/till/src/intents/next.js'
import { claimDelivery, toldOutcome } from '../../../../packages/till/src/rules/delivery/delivery.js'
import { attemptEnded, observationOf, statusSeen } from '../../../../packages/till/src/rules/orders/happened.js'
import { findOrder, type PaymentDocument } from '../../../../packages/till/src/state/document.js'
import { toDocument } from '../../../../packages/till/src/state/evolve.js'
import { type Booked, login, otherLogin, replyOf } from '../pay/gateway.js'
import { type Advance, gatewayUrl } from '../sending/world.js'
import { keeping } from '../walk/alike.js'
import type { HandlerTrouble } from '../walk/handlers.js'
import type { Broken } from '../walk/rules.js'
import type { LookedAfter } from './repeated.js'

/** As long as the intents wait before they look again, in milliseconds. */
export const tick = 250

/** How long a handler has, in milliseconds. */
export const lease = 2 * tick

/** How often each kind of trouble may strike in a scene, and what else happens. */
export interface Budget extends HandlerTrouble {
  /** Customers who come back, callbacks, and turns of the work in the background. */
  readonly visits: number
  readonly callbacks: number
  readonly turns: number
  /** Requests that something repeats on their way, so that the gateway has another order of the same id. */
  readonly repeats: number
  /** Payments that the gateway declines, and declined ones that it approves after all. */
  readonly declines: number
  readonly corrections: number
  readonly crashes: number
  /** Writes whose answer is lost: each was made, or arrives later, or never. */
  readonly lostWrites: number
  /** Questions that get no answer. */
  readonly lostQuestions: number
  /** Answers of status that do not know yet what the gateway has decided. */
  readonly lags: number
  /** Approvals of which status says only later over how much they are. */
  readonly lateAmounts: number
}

/** The beginning of a world. */
export interface Beginning {
  readonly budget: Partial<Budget>
  /** Whether the store commits the handler's own writes together with the mark that it was told. */
  readonly hasTransactions: boolean
  /** Whether an order before the visited one was declined, and whose: the same account's, or another one's, which a person has adopted. */
  readonly hasEarlier: boolean | 'of another account'
  /** Whether a callback is kept, and answered, before it is worked on. */
  readonly keepsCallbacks: boolean
}

export type Role = 'visit' | 'callback' | 'background'

/** The role of the process in each place. */
export const roles: readonly Role[] = ['visit', 'visit', 'callback', 'callback', 'background']

/** A process that lives a run. */
export interface Process {
  readonly does: Role
  readonly run: Run<unknown>
  /** The order that the callback is about, and its final word; or the one that the background looks after. */
  readonly about?: LookedAfter
  /** Until then it need not do anything. */
  readonly restsUntil: number
  /** Whether the gateway had the money already when it began, and every answer of status to it was true. */
  readonly mustShow: boolean
  /** The page that its customer was shown. */
  readonly shown?: string
  /** How many handlers it began, and how many of them count as told. */
  readonly called: number
  readonly told: number
  /** How many events it has heard. */
  readonly steps: number
}

/** A write on its way to the store that nobody hears of. */
export type LateWrite = { readonly id: string; readonly after: string | undefined; readonly document: PaymentDocument }

/** A commit on its way to the store that nobody hears of. */
export interface LateCommit {
  readonly token: string
  readonly key: string
}

export interface World extends Pick<Beginning, 'hasTransactions' | 'keepsCallbacks'> {
  readonly now: number
  readonly left: Budget
  readonly budget: Budget
  readonly known: Known
  readonly books: readonly Booked[]
  /** The word of the last callback that was kept; undefined: none was. */
  readonly cameWith?: string | undefined
  /** The outcomes that the merchant has booked, by their keys: each was committed, or its handler returned. */
  readonly book: readonly string[]
  /** Whether the merchant was told last that nobody knows the amount. Absent: not, or no amount comes late. */
  readonly isToldWithout?: boolean
  /** The outcomes that a handler was called for. */
  readonly called: readonly string[]
  readonly lateWrites: readonly LateWrite[]
  readonly lateCommits: readonly LateCommit[]
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

/** A visit as it is lived: the runner, and what the customer is shown. */
export interface Visiting {
  readonly advance: Advance<VisitResult>
  readonly shown: (heard: Pick<Heard, 'first' | 'answers'>) => string | undefined
}

/** The intents that run in the processes. */
export interface Cast {
  readonly visit: Visiting
  readonly callback: (about: LookedAfter) => Advance<CallbackResult>
  /** Sees how each visit ends. */
  readonly look: (ended: Ended<VisitResult>, process: Process) => void
}

export const none: Budget = {
  visits: 0,
  callbacks: 0,
  turns: 0,
  repeats: 0,
  declines: 0,
  corrections: 0,
  crashes: 0,
  lostWrites: 0,
  lostCommits: 0,
  lostQuestions: 0,
  lags: 0,
  lateAmounts: 0,
  failures: 0,
}

/** The order that customers come back for. */
export const visitedIn = ({ books }: Pick<World, 'books'>): Booked => {
  const last = books.at(-1)
  if (last === undefined) throw new TypeError('There is an order.')
  return last
}

/** All of this was before. */
const longAgo = 100 * tick

const booked = (clientOrderId: string, orderId: string, state: Booked['state'], login: string): Booked => ({
  login,
  clientOrderId,
  orderId,
  request: clientOrderId,
  amount: '10.00',
  state,
  takesAnother: false,
})

/** The payment with the request for an order, which the gateway has accepted. */
function opened(
  payment: PaymentDocument | undefined,
  { login, clientOrderId, orderId, amount }: Booked,
): PaymentDocument {
  const attempt = {
    clientOrderId,
    login,
    attemptId: clientOrderId,
    reservation: clientOrderId,
    operation: 'saleForm',
    effect: 'creates',
    stages: ['sale'],
    baseUrl: gatewayUrl,
    endpointId: '39',
    amount,
    currency: 'EUR',
    fingerprint: `of ${amount}`,
    reservedAt: 0,
    sendBy: 1,
  } as const
  return attemptEnded(payment, attempt, { kind: 'accepted', orderId, at: 1 })
}

/** The payment once status has said how an order stands, and the merchant was told. */
function seenAndTold(payment: PaymentDocument, order: Booked): PaymentDocument {
  const { login, clientOrderId } = order
  const about = { clientOrderId, login }
  const known = findOrder(payment, about)
  if (known === undefined) throw new TypeError('There is an order.')
  const observation = observationOf(known, { reply: replyOf(order), age: 0 }, 1)
  const claim = claimDelivery(statusSeen(payment, about, { observation, profile: defaultProfile }), {
    token: 'earlier',
    at: 1,
    lease,
  })
  const told = claim.kind === 'claimed' ? toldOutcome(claim.document, 'earlier', [], false) : undefined
  if (told === undefined) throw new TypeError('There is an outcome.')
  return told
}

export function firstWorld({ budget, hasEarlier, ...rest }: Beginning): World {
  const earlier = hasEarlier === 'of another account' ? otherLogin : login
  const declined = booked('basket-7', '1', 'declined', earlier)
  const open = hasEarlier ? booked('basket-7.2r', '2', 'open', login) : booked('basket-7', '1', 'open', login)
  const payment = opened(hasEarlier ? seenAndTold(opened(undefined, declined), declined) : undefined, open)
  const all = { ...none, ...budget }
  return {
    ...rest,
    now: longAgo,
    left: all,
    budget: all,
    known: { document: payment, writeId: 'opened' },
    books: hasEarlier ? [declined, open] : [open],
    book: hasEarlier ? [`${earlier}/basket-7/sale/1/1`] : [],
    called: [],
    lateWrites: [],
    lateCommits: [],
    processes: roles.map(() => undefined),
    runs: 0,
  }
}

/** The store as a write leaves it. A late write that can never be made any more is forgotten. */
export const stored = (world: World, { id, document }: Pick<LateWrite, 'id' | 'document'>): World =>
  keeping(world, { document, writeId: id })

/** The store as a decision leaves it that somebody writes at once. */
export const storedAs = (world: World, document: PaymentDocument, id: string): World =>
  stored(world, { id, document: toDocument(historyOf(document)) })

/** Whether the gateway has said how an order ends. */
export const isFinal = ({ state }: Booked): boolean => state !== 'open' && state !== 'begun'
