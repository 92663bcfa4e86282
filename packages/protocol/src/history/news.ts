/**
 * Keeps a history small: a fact goes once later ones say all that it said. The document of a payment is the same with it and without it.
 *
 * @module
 */
import { isSameMatter, type KnownDecision } from '../store/decision.js'
import type { PaymentDocument } from '../store/document.js'
import { isSameWish } from '../store/told/wishes.js'
import type { Fact, FollowUp, OrderName, StatusSaid } from './facts.js'

/** How many deliveries of one stage are kept: so many of the first ones, and as many of the last ones. */
const mostDeliveries = 10

/**
 * The facts that still say something, oldest first. The first fact of an order stays, and so does the first one of a stage: they say which
 * one of the payment it is.
 *
 * @param document All facts amount to it.
 */
export function factsWorthKeeping(facts: readonly Fact[], document: PaymentDocument): readonly Fact[] {
  const purged = facts.find(each => each.kind === 'purged')
  if (purged !== undefined) return [purged]
  const firsts = firstFacts(facts)
  const later = emptyLater(facts)
  const kept: Fact[] = []
  for (const fact of facts.toReversed()) {
    const left = firsts.facts.has(fact) ? fact : whatIsLeft(fact, { later, firsts, document })
    note(fact, later)
    if (left !== undefined) kept.push(left)
  }
  return kept.reverse()
}

/** Orders, requests and stages have one text each, however facts name the order. */
const textOf = ({ login, clientOrderId, orderId }: OrderName, of?: string | number): string =>
  JSON.stringify([login, clientOrderId === undefined ? [orderId] : clientOrderId, of])

interface Firsts {
  readonly facts: ReadonlySet<Fact>
  /** Requests that began an order. */
  readonly requests: ReadonlySet<string>
  /** Orders that a callback began. */
  readonly called: ReadonlySet<string>
  readonly stages: ReadonlyMap<string, StatusSaid>
  /** The first end of each request. */
  readonly ends: ReadonlySet<Fact>
}

function firstFacts(all: readonly Fact[]): Firsts {
  const orders = new Set<string>()
  const [facts, requests, called, stages] = [new Set<Fact>(), new Set<string>(), new Set<string>(), new Map()]
  const ends = new Map<string, Fact>()
  for (const fact of all) {
    if (!('order' in fact)) continue
    const order = textOf(fact.order)
    if (!orders.has(order)) {
      facts.add(fact)
      if (fact.kind === 'requested') requests.add(fact.attempt.reservation)
      if (fact.kind === 'callback') called.add(order)
    }
    orders.add(order)
    if (fact.kind === 'answered' && !ends.has(fact.request)) ends.set(fact.request, fact)
    if (fact.kind !== 'status' || fact.stage === undefined) continue
    const stage = textOf(fact.order, fact.stage)
    if (!stages.has(stage)) facts.add(fact)
    if (!stages.has(stage)) stages.set(stage, fact)
  }
  return { facts, requests, called, stages, ends: new Set(ends.values()) }
}

/** What the facts say that come after one. */
interface Later {
  /** Orders of which a later callback came, or a later reply answers it. */
  readonly callbacks: Set<string>
  readonly answeredCallbacks: Set<string>
  readonly ended: Set<string>
  readonly neverSeen: Set<string>
  /** Stages that a later reply is about, and those of which a later fact says all. */
  readonly asked: Set<string>
  readonly said: Set<string>
  readonly restated: Set<string>
  /** Corrections that made way, by their stage. */
  readonly forgotten: Map<string, readonly number[]>
  readonly methods: Set<string>
  readonly dropped: FollowUp['wish'][]
  /** How many deliveries of a stage come after, and how many there are. */
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
    answeredCallbacks: sets(),
    ended: sets(),
    neverSeen: sets(),
    asked: sets(),
    said: sets(),
    restated: sets(),
    forgotten: new Map(),
    methods: sets(),
    dropped: [],
    deliveries,
  }
}

function note(fact: Fact, later: Later): void {
  switch (fact.kind) {
    case 'answered':
      later.ended.add(fact.request)
      return
    case 'never-seen':
      later.neverSeen.add(fact.request)
      return
    case 'callback':
      later.callbacks.add(textOf(fact.order))
      return
    case 'status': {
      if (fact.answersCallback) later.answeredCallbacks.add(textOf(fact.order))
      const stage = textOf(fact.order, fact.stage)
      later.asked.add(stage)
      if (fact.said !== undefined) later.said.add(stage)
      if (fact.restated !== undefined) later.restated.add(stage)
      later.forgotten.set(stage, [...(later.forgotten.get(stage) ?? []), ...(fact.forgotten ?? [])])
      return
    }
    case 'settled': {
      const stage = textOf(fact.order, fact.stage)
      later.said.add(stage)
      later.restated.delete(stage)
      // Corrections are counted from the beginning again after it.
      later.forgotten.delete(stage)
      return
    }
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
  readonly firsts: Firsts
  readonly document: PaymentDocument
}

/** A fact without what later ones say; undefined: nothing is left of it. */
function whatIsLeft(fact: Fact, { later, firsts, document }: View): Fact | undefined {
  const isKept = (request: string): boolean =>
    firsts.requests.has(request) ||
    document.orders.some(({ attempts }) => attempts.some(each => each.reservation === request))
  switch (fact.kind) {
    case 'requested':
      return isKept(fact.attempt.reservation) ? fact : undefined
    case 'answered': {
      // Of several ends in between none decides: what was accepted stays so, and else the last one counts.
      const isOver = later.ended.has(fact.request) && fact.end.kind !== 'accepted' && !firsts.ends.has(fact)
      return !isOver && isKept(fact.request) ? fact : undefined
    }
    case 'overdue':
      return isKept(fact.request) ? fact : undefined
    case 'never-seen': {
      const isOver = later.ended.has(fact.request) || later.neverSeen.has(fact.request)
      return !isOver && isKept(fact.request) ? fact : undefined
    }
    case 'callback': {
      const order = textOf(fact.order)
      return later.callbacks.has(order) || later.answeredCallbacks.has(order) ? undefined : fact
    }
    case 'status':
      return replyLeft(fact, later, firsts)
    case 'delivered': {
      const { after = 0, all = 0 } = later.deliveries.get(textOf(fact.order, fact.stage)) ?? {}
      return after < mostDeliveries || all - after <= mostDeliveries ? fact : undefined
    }
    case 'follow-up':
      return later.dropped.some(each => isSameWish(each, fact.wish)) ? undefined : fact
    case 'follow-up-dropped':
      return undefined
    case 'decided':
      return document.decisions?.some(each => isSameDecision(each, fact.decision)) ? fact : undefined
    case 'three-d-secure': {
      if (!later.methods.has(textOf(fact.order))) return fact
      const { method: _over, ...rest } = fact
      return fact.done === undefined ? undefined : rest
    }
    default:
      return fact
  }
}

function replyLeft(fact: StatusSaid, later: Later, { called, stages }: Firsts): StatusSaid | undefined {
  const { said, restated, corrected = [], forgotten = [], ...rest } = fact
  const order = textOf(fact.order)
  const stage = textOf(fact.order, fact.stage)
  const gone = later.forgotten.get(stage) ?? []
  const atFirst = stages.get(stage)?.corrected?.map(({ nth }) => nth) ?? []
  const now = {
    corrected: corrected.filter(({ nth }) => !gone.includes(nth)),
    forgotten: forgotten.filter(nth => atFirst.includes(nth)),
    restated: later.restated.has(stage) ? undefined : restated,
  }
  const answers = fact.answersCallback === true && called.has(order) && !later.answeredCallbacks.has(order)
  const isNews =
    fact.orderId !== undefined ||
    answers ||
    now.restated !== undefined ||
    fact.firstAt !== undefined ||
    now.corrected.length > 0 ||
    now.forgotten.length > 0
  const isOver = fact.stage === undefined || (later.asked.has(stage) && (said === undefined || later.said.has(stage)))
  if (isOver && !isNews) return undefined
  return {
    ...rest,
    ...(said === undefined || later.said.has(stage) ? {} : { said }),
    ...(now.restated === undefined ? {} : { restated: now.restated }),
    ...(now.corrected.length === 0 ? {} : { corrected: now.corrected }),
    ...(now.forgotten.length === 0 ? {} : { forgotten: now.forgotten }),
  }
}

const isSameDecision = (one: KnownDecision, other: KnownDecision): boolean =>
  one.at === other.at && one.who === other.who && one.why === other.why && isSameMatter(one.matter, other.matter)
