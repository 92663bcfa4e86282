/**
 * The world of deliveries, as plain values: the store with one payment, the merchant's book, and processes that run the shipped intent and runner.
 * Everything else a process does as the driver and the handler's effect do it. Moments are milliseconds; time passes by ticks.
 *
 * @module
 */

import { defaultProfile, type StatusResponse } from '@tillkit/protocol'
import type { Ended, Event, Known, Run } from '../../../../packages/till/src/engine/run.js'
import { historyOf } from '../../../../packages/till/src/history/news.js'
import { attemptEnded, observationOf, statusSeen } from '../../../../packages/till/src/rules/orders/happened.js'
import { findOrder, type PaymentDocument } from '../../../../packages/till/src/state/document.js'
import { toDocument } from '../../../../packages/till/src/state/evolve.js'
import { replyAt } from '../sending/gateway.js'
import { plan } from '../sending/sending.js'
import { type Advance, about } from '../sending/world.js'
import type { Broken } from '../walk/rules.js'

/** As long as the intent waits before it looks again, in milliseconds. */
export const tick = 250

/** How long a handler has, in milliseconds. The caller waits as long, anew after each word that comes. */
export const lease = 2 * tick

/** How often each kind of trouble may strike in a scene. */
export interface Budget {
  readonly crashes: number
  /** Answers of the store to a read or a write. The write was made, or it was not. */
  readonly lostAnswers: number
  /** Writes that the store refuses for good. */
  readonly refusals: number
  /** Answers of the store to a commit. It arrives then or later, while its lease is there, or never. */
  readonly lostCommits: number
  /** Handlers that throw. */
  readonly failures: number
  /** Handlers that are still running when their lease is over. */
  readonly overstays: number
  /** Ticks in which a process does nothing although it could. */
  readonly slowTicks: number
  /** Callers who leave. */
  readonly leavers: number
  /** Further status words, which somebody else writes down. */
  readonly others: number
}

/** A call of the merchant's handler. */
export interface Call {
  readonly token: string
  /** The idempotency key of the outcome. */
  readonly key: string
  /** When its lease is over. */
  readonly until: number
  /** Whether its run waits for it. */
  readonly isAwaited: boolean
}

/** A run, and what its driver knows. */
export interface Life {
  readonly does: 'deliver' | 'write down'
  readonly run: Run<unknown>
  /** When it last heard anything. */
  readonly heardAt: number
  /** When it began its effect. */
  readonly askedAt: number
  /** By how much the store's clock may be later, and earlier, than it thinks. */
  readonly behind: number
  readonly ahead: number
  /** The end of its effect, before it has heard of that. `word`: the time that the store's clock said then. */
  readonly answer?: { readonly event: Event; readonly word?: number } | undefined
  /** Until then it need not do anything. */
  readonly restsUntil: number
  /** How many handlers it began, and how many of them count as told. */
  readonly called: number
  readonly told: number
  /** Whether its caller has left. */
  readonly isAlone?: true
  /** How many events it has heard. */
  readonly steps: number
}

export interface Process {
  readonly lives: readonly Life[]
  readonly calls: readonly Call[]
}

/** The beginning of a world. */
export interface Beginning {
  readonly budget: Budget
  /** Whether the store commits the handler's own writes together with the mark that it was told. */
  readonly hasTransactions: boolean
  /** How many outcomes nobody was told of. */
  readonly outcomes: 1 | 2
  readonly processes: 1 | 2 | 3
  /** How many runs of a process deliver at one time. */
  readonly runsEach: 1 | 2
}

export interface World extends Pick<Beginning, 'budget' | 'hasTransactions' | 'runsEach'> {
  readonly now: number
  readonly left: Budget
  readonly known: Known
  /** How many words the gateway has said of each stage. */
  readonly words: readonly number[]
  /** How many leases were written. */
  readonly leases: number
  /** The outcomes that the merchant has booked, by their keys: each was committed, or its handler returned. */
  readonly book: readonly string[]
  /** The outcomes that a handler was called for. */
  readonly called: readonly string[]
  /** Commits on their way to the store that nobody waits for. */
  readonly wire: readonly Call[]
  readonly processes: readonly Process[]
  /** How many runs have begun. */
  readonly runs: number
  /** Something was done that must not be done. */
  readonly wrong?: Broken | undefined
}

/** A step of the world, in words. */
export interface Move {
  readonly text: string
  readonly world: World
}

/** The runners of the processes, and the judge of what they say. */
export interface Cast<Result> {
  readonly deliver: Advance<Result>
  /** Writes down what became of a handler that has outstayed its lease. */
  readonly writeDown: Advance<unknown>
  /** Names the rule that this end of a run breaks; undefined: none. */
  readonly judge: (world: World, life: Life, ended: Ended<Result>) => Broken | undefined
}

export const see = (document: PaymentDocument, reply: StatusResponse, at: number): PaymentDocument => {
  const order = findOrder(document, about)
  if (order === undefined) throw new TypeError('There is an order.')
  const observation = observationOf(order, { reply, age: 0 }, at)
  return statusSeen(document, about, { observation, profile: defaultProfile })
}

export const after = (document: PaymentDocument, writeId: string): Known => ({
  document: toDocument(historyOf(document)),
  writeId,
})

/** An approved sale, and perhaps that the bank took its money back. */
export function firstWorld({ outcomes, processes, ...rest }: Beginning): World {
  const attempt = { ...plan.attempt, reservation: 'request', reservedAt: 0, sendBy: 1 }
  const sold = see(attemptEnded(undefined, attempt, { kind: 'accepted', orderId: '77', at: 1 }), replyAt(2), 2)
  const back = { ...replyAt(3), transactionType: 'chargeback', processorRrn: '2', approvalCode: '2' }
  const document = outcomes === 1 ? sold : see(sold, back, 3)
  return {
    ...rest,
    now: 100 * tick,
    left: rest.budget,
    known: after(document, 'first'),
    words: Array.from({ length: outcomes }, () => 1),
    leases: 0,
    book: [],
    called: [],
    wire: [],
    processes: Array.from({ length: processes }, () => idle),
    runs: 0,
  }
}

export const idle: Process = { lives: [], calls: [] }

/** How many words of each stage the store says were told. */
export const toldIn = ({ known }: World): readonly number[] =>
  known.document?.orders.flatMap(({ stages }) => stages.map(({ told = 0 }) => told)) ?? []

export const isAllTold = (world: World): boolean => `${toldIn(world)}` === `${world.words}`

/** How much of that trouble there was. */
export const spent = ({ budget, left }: World, what: keyof Budget): number => budget[what] - left[what]

export const spend = (world: World, what: keyof Budget): World => ({
  ...world,
  left: { ...world.left, [what]: world.left[what] - 1 },
})

export const changed = <T>(list: readonly T[], place: number, value: T): readonly T[] =>
  list.map((each, at) => (at === place ? value : each))

export const withProcess = (world: World, place: number, change: Partial<Process>): World => ({
  ...world,
  processes: world.processes.map((each, at) => (at === place ? { ...each, ...change } : each)),
})
