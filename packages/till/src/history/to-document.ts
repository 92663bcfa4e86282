import { laterEnd } from '../state/attempt-rules.js'
import { decisionsWith } from '../state/decision.js'
import {
  emptyDocument,
  isSameWish,
  type KnownAttempt,
  type KnownOrder,
  type KnownStage,
  type PaymentDocument,
  type Telling,
} from '../state/document.js'
import { placesOf } from '../state/late-approval.js'
import { withAttempt, withOrder } from '../state/reserve.js'
import {
  type Answered,
  type Delivery,
  type Fact,
  type History,
  isNameOf,
  type OrderName,
  type Settled,
  type StageSaid,
  type StatusSaid,
  saidFields,
  type TakenBack,
} from './facts.js'

/** The document that a history amounts to. No reply is attributed again. */
export function toDocument({ reference, facts, delivery }: History): PaymentDocument {
  const document = facts.reduce(withFact, emptyDocument(reference))
  return delivery === undefined ? document : { ...document, telling: tellingOf(document, delivery) }
}

/** A document after one more fact. */
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
      return changeOrder(document, fact.order, order => ({ ...order, callbackAt: fact.at }))
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
      const { v, reference } = document
      const orders = fact.orders.map(name => ({ ...name, attempts: [], stages: [] }))
      return { v, reference, orders, over: fact.at }
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

function withStatus(
  { callbackAt, ...order }: KnownOrder,
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
    ...(isOpen ? { callbackAt } : {}),
    stages: nth === undefined ? stages : Object.assign([...stages], { [nth - 1]: stageNow(stages[nth - 1]) }),
  }
}

function afterReply(
  stage: KnownStage | undefined,
  { at, said, corrected = [], forgotten = [], restated, firstAt }: Omit<StatusSaid, 'kind' | 'order'>,
): KnownStage {
  const { corrections = [], ...before } = stage ?? {}
  const places = placesOf(corrections)
  const known = corrections.map((each, index) => ({ ...each, nth: places[index] ?? index }))
  return {
    ...withSaid(before, said),
    ...(restated === undefined ? {} : { restated }),
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
  { corrections: _words, restated: _money, statusAskedAt: _first, ...stage }: KnownStage,
  { said, words: wordsBefore, told = stage.told }: Settled,
): KnownStage {
  return { ...withSaid(stage, said), corrections: [], wordsBefore, ...(told === undefined ? {} : { told }) }
}

function tellingOf(document: PaymentDocument, { order, stage, ...lease }: Delivery): Telling {
  return { ...lease, order: placeOfOrder(document, order), stage: stage - 1 }
}
