import { attemptKey, isUnresolved, laterEnd, mayHaveArrived } from './attempt-rules.js'
import { decisionsWith } from './decision.js'
import { emptyDocument, findOrder, type PaymentDocument } from './document.js'
import {
  type Answered,
  type CallbackCame,
  type Delivery,
  type Fact,
  type History,
  isNameOf,
  type NotShown,
  type OrderName,
  type Settled,
  type StageSaid,
  type StatusSaid,
  saidFields,
  type TakenBack,
} from './facts.js'
import {
  type CallbackSaid,
  isSaidByOne,
  isSameWish,
  type KnownAttempt,
  type KnownOrder,
  type KnownStage,
  type OpenCallback,
  type Telling,
} from './known.js'
import { placesOf } from './late-approval.js'
import { present } from './values.js'

/** The payment that a history amounts to. No reply is attributed again. */
export function toDocument({ v: _known, reference, facts, delivery, ...later }: History): PaymentDocument {
  const more = Object.keys(later).length === 0 ? {} : { later }
  const document = { ...facts.reduce(withFact, emptyDocument(reference)), facts, ...more }
  return delivery === undefined ? document : { ...document, telling: tellingOf(document, delivery) }
}

/** A payment after more facts, which are to be kept. One that was purged stays so: nothing begins again under its name. */
export const evolve = (document: PaymentDocument, ...facts: readonly Fact[]): PaymentDocument => {
  if (document.over !== undefined) return document
  const after = facts.reduce(withFact, document)
  return { ...after, facts: after.over === undefined ? [...document.facts, ...facts] : facts.slice(-1) }
}

/** A payment after a fact, which is not put among its facts. */
export function withFact(document: PaymentDocument, fact: Fact): PaymentDocument {
  switch (fact.kind) {
    case 'begun':
      return changeOrder(document, fact.order, order => order)
    case 'requested':
      return withAttempt(document, fact.attempt)
    case 'answered':
      return changeOrder(document, fact.order, order => withEnd(order, fact))
    case 'never-seen': {
      const { quietSince, neverSeenAt } = fact
      const absence = { quietSince, ...(neverSeenAt === undefined ? {} : { neverSeenAt }) }
      return changeOrder(document, fact.order, order =>
        changeRequest(order, fact.request, each => ({ ...each, absence })),
      )
    }
    case 'overdue':
      return changeOrder(document, fact.order, order =>
        changeRequest(order, fact.request, each => ({ ...each, overdue: true })),
      )
    case 'status':
      return changeOrder(document, fact.order, order => withStatus(order, fact))
    case 'callback':
      return changeOrder(document, fact.order, order => withCallback(order, fact))
    case 'not-shown':
      return changeOrder(document, fact.order, order => withUnshown(order, fact))
    case 'delivered':
      return changeOrder(document, fact.order, order =>
        changeStage(order, fact.stage, ({ approvalTold: _before, ...stage }) => ({
          ...stage,
          told: fact.words,
          ...(fact.at === undefined ? {} : { toldAt: fact.at }),
          ...(fact.approval === undefined ? {} : { approvalTold: fact.approval }),
        })),
      )
    case 'follow-up':
      return { ...document, wishes: [...(document.wishes ?? []), fact.wish] }
    case 'follow-up-dropped': {
      const { wishes = [], ...rest } = document
      const left = wishes.filter(each => !isSameWish(each, fact.wish))
      return left.length === 0 ? rest : { ...rest, wishes: left }
    }
    case 'decided':
      return { ...document, decisions: decisionsWith(fact.decision, document.decisions) }
    case 'settled':
      return changeOrder(document, fact.order, order => changeStage(order, fact.stage, stage => settled(stage, fact)))
    case 'adopted':
      return changeOrder(document, fact.order, order => ({ ...order, adoptedAt: fact.at }))
    case 'abandoned':
      return changeOrder(document, fact.order, order => ({ ...order, left: fact.why, leftAt: fact.at }))
    case 'full':
      return changeOrder(document, fact.order, order => ({ ...order, crowded: true }))
    case 'three-d-secure':
      return changeOrder(document, fact.order, order => {
        const { threeDSecure: before } = order
        const { method = before?.method } = fact
        const done = [...(before?.done ?? []), ...(fact.done ?? [])]
        return { ...order, threeDSecure: { done, ...(method === undefined ? {} : { method }) } }
      })
    case 'purged': {
      const { v, reference, facts } = document
      const orders = fact.orders.map(name => ({ ...name, attempts: [], stages: [] }))
      return { v, reference, facts, orders, over: fact.at }
    }
  }
}

/** The place of an order in a document; -1: no fact has named it yet. */
export const placeOfOrder = ({ orders }: PaymentDocument, name: OrderName): number =>
  orders.findIndex(each => isNameOf(name, each))

/** Changes an order. The first fact that names an order begins it. */
function changeOrder(
  document: PaymentDocument,
  name: OrderName,
  change: (order: KnownOrder) => KnownOrder,
): PaymentDocument {
  const known = document.orders[placeOfOrder(document, name)]
  return withOrder(document, known, change(known ?? { ...name, attempts: [], stages: [] }))
}

/**
 * Adds an attempt to its order. What says nothing any more makes way: of those with the same identity that did nothing, all but the
 * last, and that one too if it was not sent; and what moved no money and is over.
 */
function withAttempt(document: PaymentDocument, attempt: KnownAttempt): PaymentDocument {
  const { login, clientOrderId, orderId } = attempt
  const known = findOrder(document, attempt)
  const order: KnownOrder = known ?? {
    ...(clientOrderId === undefined ? {} : { clientOrderId }),
    ...(orderId === undefined ? {} : { orderId }),
    login,
    attempts: [],
    stages: [],
  }
  const key = attemptKey(attempt)
  const alike = order.attempts.filter(each => attemptKey(each) === key)
  const last = alike.at(-1)
  const kept = order.attempts.filter(each => {
    if (alike.includes(each)) return mayHaveArrived(each) || (each === last && each.end?.kind !== 'not-sent')
    return each.effect === 'creates' || each.stages.length > 0 || isUnresolved(each)
  })
  return withOrder(document, known, { ...order, attempts: [...kept, attempt] })
}

/** Puts an order in the place of one that the document has, or at the end. */
function withOrder(document: PaymentDocument, known: KnownOrder | undefined, order: KnownOrder): PaymentDocument {
  const { orders } = document
  return {
    ...document,
    orders: known === undefined ? [...orders, order] : orders.map(each => (each === known ? order : each)),
  }
}

const changeRequest = (
  order: KnownOrder,
  request: string,
  change: (attempt: KnownAttempt) => KnownAttempt,
): KnownOrder => ({
  ...order,
  attempts: order.attempts.map(each => (each.reservation === request ? change(each) : each)),
})

const changeStage = (order: KnownOrder, nth: number, change: (stage: KnownStage) => KnownStage): KnownOrder => ({
  ...order,
  stages: order.stages.map((each, place) => (place === nth - 1 ? change(each) : each)),
})

function withEnd(order: KnownOrder, { request, end, orderId = order.orderId }: Answered): KnownOrder {
  const answered = changeRequest(order, request, ({ absence: _over, ...each }) => ({
    ...each,
    end: laterEnd(each.end, end),
  }))
  return { ...answered, ...(orderId === undefined ? {} : { orderId }) }
}

function withCallback({ called = [], ...order }: KnownOrder, { at, said }: CallbackCame): KnownOrder {
  const all = said === undefined ? called : [...withoutSaid(called, said), { ...said, at }]
  return { ...order, callbackAt: at, ...(all.length === 0 ? {} : { called: all }) }
}

function withUnshown({ called = [], ...order }: KnownOrder, { at, since, said }: NotShown): KnownOrder {
  const left = withoutSaid(called, said)
  return {
    ...order,
    ...(left.length === 0 ? {} : { called: left }),
    unshown: [...(order.unshown ?? []), { ...said, at, since }],
  }
}

const withoutSaid = (called: readonly OpenCallback[], said: CallbackSaid): readonly OpenCallback[] =>
  called.filter(each => !isSaidByOne(said, [each]))

function withStatus(
  { callbackAt, called, ...order }: KnownOrder,
  { stage: nth, orderId = order.orderId, answersCallback, ...reply }: StatusSaid,
): KnownOrder {
  const { stages } = order
  // A place far away would take all memory.
  if (nth !== undefined && (nth > stages.length + 1 || (nth > stages.length && reply.said === undefined)))
    throw new TypeError(`a reply about stage ${nth} does not follow ${stages.length} stages`)
  const isOpen = callbackAt !== undefined && answersCallback === undefined
  const stageNow = (stage: KnownStage | undefined) => afterReply(stage, reply)
  return {
    ...order,
    ...(orderId === undefined ? {} : { orderId }),
    ...(isOpen ? present({ callbackAt, called }) : {}),
    stages: nth === undefined ? stages : Object.assign([...stages], { [nth - 1]: stageNow(stages[nth - 1]) }),
  }
}

function afterReply(
  stage: KnownStage | undefined,
  { at, said, corrected = [], forgotten = [], restated, amountCame, firstAt }: Omit<StatusSaid, 'kind' | 'order'>,
): KnownStage {
  const { corrections = [], ...before } = stage ?? {}
  const places = placesOf(corrections)
  const known = corrections.map((each, index) => ({ ...each, nth: places[index] ?? index }))
  return {
    ...withSaid(before, said),
    ...(restated === undefined ? {} : { restated }),
    ...(amountCame === undefined ? {} : { amountCame }),
    ...(firstAt === undefined ? {} : { statusAskedAt: firstAt }),
    askedAt: at,
    corrections: numberedByGaps([...known, ...corrected].filter(({ nth }) => !forgotten.includes(nth))),
  }
}

const isSaid: ReadonlySet<string> = new Set(saidFields)

/** A stage of which the gateway says this. */
function withSaid<Stage extends Partial<KnownStage>>(stage: Stage, said: StageSaid | undefined): Stage & StageSaid {
  if (said === undefined) return stage as Stage & StageSaid
  const others = Object.entries(stage).filter(([field]) => !isSaid.has(field))
  return { ...(Object.fromEntries(others) as Stage), ...said }
}

/** A document numbers a correction only where those right before it were forgotten. */
function numberedByGaps(corrections: readonly TakenBack[]): KnownStage['corrections'] {
  return corrections.map(({ nth, ...each }, index) =>
    nth === (corrections[index - 1]?.nth ?? -1) + 1 ? each : { ...each, nth },
  )
}

function settled(
  { corrections: _words, restated: _money, amountCame: _amount, statusAskedAt: _first, ...stage }: KnownStage,
  { said, words: wordsBefore, told = stage.told }: Settled,
): KnownStage {
  return { ...withSaid(stage, said), corrections: [], wordsBefore, ...(told === undefined ? {} : { told }) }
}

function tellingOf(document: PaymentDocument, { order, stage, ...lease }: Delivery): Telling {
  return { ...lease, order: placeOfOrder(document, order), stage: stage - 1 }
}
