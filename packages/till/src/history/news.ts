/**
 * Keeps a history small: a fact goes once later facts say all that it said. The history amounts to the same document without it.
 *
 * @module
 */

import type { AttemptEnd } from '@tillkit/protocol'
import { laterEnd } from '../state/attempt-rules.js'
import { isSameDecision, type KnownDecision } from '../state/decision.js'
import type { PaymentDocument } from '../state/document.js'
import {
  type Answered,
  type CallbackCame,
  type Delivery,
  type Fact,
  type FollowUp,
  type History,
  historyVersion,
  type NotShown,
  nameOf,
  type OrderName,
  type StatusSaid,
  textOf,
} from '../state/facts.js'
import { isSameWish } from '../state/known.js'
import { mostDeliveries } from '../state/room.js'
import { isSame, present } from '../state/values.js'
import { withFewReplies } from './replies.js'

/** The history of a payment, small. */
export function historyOf(payment: PaymentDocument): History {
  const { reference, facts, later } = payment
  const delivery = deliveryOf(payment)
  return {
    ...later,
    v: historyVersion,
    reference,
    facts: factsWorthKeeping(facts, payment),
    ...(delivery === undefined ? {} : { delivery }),
  }
}

/** The lease of a payment, as a history keeps it. */
function deliveryOf({ telling, orders }: PaymentDocument): Delivery | undefined {
  const { [telling?.order ?? -1]: order } = orders
  return telling === undefined || order === undefined
    ? undefined
    : { ...telling, order: nameOf(order), stage: telling.stage + 1 }
}

/** How many deliveries of one stage stay at its beginning, and as many at its end. */
const deliveriesAtEachEnd = mostDeliveries / 2

/**
 * The facts that still say something, oldest first. Orders and stages are counted, so the first fact of each stays:
 * that of an order at least as `begun`.
 *
 * @param document What all facts amount to.
 */
export function factsWorthKeeping(facts: readonly Fact[], document: PaymentDocument): readonly Fact[] {
  const purged = facts.find(each => each.kind === 'purged')
  if (purged !== undefined) return [purged]
  const firsts = firstFacts(facts)
  const [later, answers] = [emptyLater(facts), answersThatCount(facts)]
  const requests = new Set(document.orders.flatMap(each => each.attempts.map(({ reservation }) => reservation)))
  const { decisions = [] } = document
  const kept: Fact[] = []
  for (const fact of facts.toReversed()) {
    const left = whatIsLeft(fact, { later, answers, requests, decisions }) ?? firsts.get(fact)
    note(fact, later)
    if (left !== undefined) kept.push(left)
  }
  return withFewReplies(kept.reverse())
}

/** The first fact of each order, and what it leaves at least. */
function firstFacts(facts: readonly Fact[]): ReadonlyMap<Fact, Fact> {
  const [orders, firsts] = [new Set<string>(), new Map<Fact, Fact>()]
  for (const fact of facts) {
    if (!('order' in fact)) continue
    const order = textOf(fact.order)
    if (!orders.has(order)) firsts.set(fact, { kind: 'begun', order: idsIn(fact) })
    orders.add(order)
  }
  return firsts
}

/**
 * The answers that say how each request ended: the last one, what was accepted, and that it was unknown at first.
 * So a request is open until one of them says more, and an open request makes way for no other one.
 * If the answers that go have a say in the last one, all stay.
 */
function answersThatCount(facts: readonly Fact[]): ReadonlySet<Fact> {
  const answers = new Map<string, readonly Answered[]>()
  for (const fact of facts)
    if (fact.kind === 'answered') answers.set(fact.request, [...(answers.get(fact.request) ?? []), fact])
  return new Set([...answers.values()].flatMap(fewAnswers))
}

function fewAnswers(all: readonly Answered[]): readonly Answered[] {
  const few = all.filter(
    ({ end }, nth) => nth === all.length - 1 || end.kind === 'accepted' || (nth === 0 && end.kind === 'unknown'),
  )
  return isSame(endOf(few), endOf(all)) ? few : all
}

const endOf = (answers: readonly Answered[]): AttemptEnd | undefined =>
  answers.reduce<AttemptEnd | undefined>((before, { end }) => laterEnd(before, end), undefined)

/** All ids with which a fact begins its order. */
function idsIn(fact: Extract<Fact, { readonly order: OrderName }>): OrderName {
  if (fact.kind !== 'requested') return fact.order
  const { login, clientOrderId, orderId } = fact.attempt
  return { login, ...present({ clientOrderId, orderId }) }
}

/** The news of later facts. It is filled from the last fact to the first one. */
interface Later {
  /** Orders whose callback was answered, or followed by another one. */
  readonly callbacks: Set<string>
  /** Orders whose callbacks were answered. */
  readonly answered: Set<string>
  /** Facts with what a callback said. */
  readonly said: (CallbackCame | NotShown)[]
  /** Requests that were written down once more: nothing that was said of them before counts. */
  readonly requested: Set<string>
  /** Requests that were answered, and those that status did not know. */
  readonly ended: Set<string>
  readonly neverSeen: Set<string>
  /** Orders of which a 3DS method is known. */
  readonly methods: Set<string>
  readonly dropped: FollowUp['wish'][]
  /** How many deliveries of a stage come after the fact, and how many the stage has. */
  readonly deliveries: Map<string, { after: number; all: number }>
}

function emptyLater(facts: readonly Fact[]): Later {
  const deliveries = new Map<string, { after: number; all: number }>()
  for (const fact of facts) {
    if (fact.kind !== 'delivered') continue
    const stage = textOf(fact.order, fact.stage)
    deliveries.set(stage, { after: 0, all: (deliveries.get(stage)?.all ?? 0) + 1 })
  }
  const sets = () => new Set<string>()
  return {
    callbacks: sets(),
    answered: sets(),
    said: [],
    requested: sets(),
    ended: sets(),
    neverSeen: sets(),
    methods: sets(),
    dropped: [],
    deliveries,
  }
}

function note(fact: Fact, later: Later): void {
  switch (fact.kind) {
    case 'requested':
      later.requested.add(fact.attempt.reservation)
      return
    case 'answered':
      later.ended.add(fact.request)
      return
    case 'never-seen':
      later.neverSeen.add(fact.request)
      return
    case 'callback':
      later.callbacks.add(textOf(fact.order))
      if (fact.said !== undefined) later.said.push(fact)
      return
    case 'not-shown':
      later.said.push(fact)
      return
    case 'status':
      if (!fact.answersCallback) return
      later.callbacks.add(textOf(fact.order))
      later.answered.add(textOf(fact.order))
      return
    case 'delivered': {
      const count = later.deliveries.get(textOf(fact.order, fact.stage))
      if (count !== undefined) count.after += 1
      return
    }
    case 'follow-up-dropped':
      later.dropped.push(fact.wish)
      return
    case 'three-d-secure':
      if (fact.method !== undefined) later.methods.add(textOf(fact.order))
  }
}

interface View {
  readonly later: Later
  readonly answers: ReadonlySet<Fact>
  /** Reservations of the requests that the document has. */
  readonly requests: ReadonlySet<string>
  readonly decisions: readonly KnownDecision[]
}

/** A fact without what later ones say; undefined: nothing is left of it. */
function whatIsLeft(fact: Fact, { later, answers, requests, decisions }: View): Fact | undefined {
  const isKept = (request: string): boolean => requests.has(request) && !later.requested.has(request)
  switch (fact.kind) {
    case 'requested':
      return isKept(fact.attempt.reservation) ? fact : undefined
    case 'answered': {
      const isNews = answers.has(fact) && isKept(fact.request)
      return isNews || fact.orderId !== undefined ? fact : undefined
    }
    case 'overdue':
      return isKept(fact.request) ? fact : undefined
    case 'never-seen': {
      const isOver = later.ended.has(fact.request) || later.neverSeen.has(fact.request)
      return !isOver && isKept(fact.request) ? fact : undefined
    }
    case 'callback': {
      const { said, ...came } = fact
      const order = textOf(fact.order)
      const isOver = later.said.some(each => textOf(each.order) === order && isSame(each.said, said))
      if (!later.callbacks.has(order)) return isOver ? came : fact
      return said === undefined || later.answered.has(order) || isOver ? undefined : fact
    }
    case 'status':
      return fact.stage === undefined ? idOnly(fact) : fact
    case 'delivered': {
      const { after = 0, all = 0 } = later.deliveries.get(textOf(fact.order, fact.stage)) ?? {}
      return after < deliveriesAtEachEnd || all - after <= deliveriesAtEachEnd ? fact : undefined
    }
    case 'follow-up':
      return later.dropped.some(each => isSameWish(each, fact.wish)) ? undefined : fact
    case 'follow-up-dropped':
      return undefined
    case 'decided':
      return decisions.some(each => isSameDecision(each, fact.decision)) ? fact : undefined
    case 'three-d-secure': {
      if (!later.methods.has(textOf(fact.order))) return fact
      const { method: _over, ...rest } = fact
      return fact.done === undefined ? undefined : rest
    }
    default:
      return fact
  }
}

/** A reply about no stage, for its id alone: its answer to a callback went with the callback. */
function idOnly({ answersCallback: _answered, ...reply }: StatusSaid): StatusSaid | undefined {
  return reply.orderId === undefined ? undefined : reply
}
