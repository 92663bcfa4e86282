import { type AttemptEnd, type StatusSnapshot, stageNames } from '@tillkit/protocol'
import type { DecidedMatter, KnownDecision, KnownWord } from '../state/decision.js'
import {
  type Abandoned,
  type Delivery,
  type Fact,
  type History,
  type StatusSaid,
  saidFields,
  type TakenBack,
} from '../state/facts.js'
import type { CallbackSaid, FailedTelling, KnownAttempt, ThreeDSecureProgress, Wish } from '../state/known.js'
import type { KnownCorrection } from '../state/late-approval.js'
import {
  type Check,
  type Fields,
  hasKindOf,
  isAbsent,
  isCount,
  isId,
  isListOf,
  isMaybe,
  isMoment,
  isName,
  isObjectOf,
  isPlace,
  isText,
  isTime,
  isTrue,
  isWhole,
  isWordOf,
  type Shape,
  wrongFieldIn,
} from './checks.js'
import { type Begun, begunBy, isNewOrder, misplacedIn, misplacedStage } from './misplaced.js'
import { endings } from './names.js'

const isStage = isWordOf(stageNames)
const isOutcome: Check = value => value !== 'other' && isWordOf(endings)(value)

const maybeText = isMaybe(isText)
const ids = { clientOrderId: isMaybe(isId), orderId: isMaybe(isId) }
const money = { amount: maybeText, currency: maybeText }
const isSnapshot = isObjectOf<StatusSnapshot>({
  ...money,
  askedAt: isMoment,
  status: isText,
  outcome: isMaybe(isOutcome),
  stage: isMaybe(isStage),
  serialNumber: isMaybe(isId),
})
const isRequest = isObjectOf<KnownAttempt>({
  ...ids,
  ...money,
  attemptId: isId,
  reservation: isId,
  operation: isName,
  effect: isWordOf<KnownAttempt['effect']>({ creates: true, changes: true }),
  stages: isListOf(isStage),
  login: isName,
  baseUrl: isText,
  endpointId: maybeText,
  endpointGroupId: maybeText,
  recipient: maybeText,
  fingerprint: isText,
  baseline: isMaybe(isSnapshot),
  person: isMaybe(isObjectOf<Omit<KnownWord, 'at'>>({ who: isText, why: isText })),
  reservedAt: isMoment,
  sendBy: isMoment,
  // Other facts say how it ended.
  end: isAbsent,
  absence: isAbsent,
  overdue: isAbsent,
})
const isEnd = isObjectOf<AttemptEnd>({
  kind: isWordOf<AttemptEnd['kind']>({ accepted: 1, refused: 1, 'not-sent': 1, 'no-trace': 1, unknown: 1 }),
  basis: isMaybe(isWordOf<NonNullable<AttemptEnd['basis']>>({ answer: 1, status: 1, person: 1 })),
  note: maybeText,
  orderId: isMaybe(isId),
  serialNumber: isMaybe(isId),
  redirectUrl: maybeText,
  connection: isMaybe(isWordOf<NonNullable<AttemptEnd['connection']>>({ closed: 1, answered: 1 })),
  foreignStatus: isMaybe(isCount),
  at: isMoment,
})
const isNamed = isObjectOf({ stage: isStage, status: isText, outcome: isMaybe(isOutcome) })
const isSaid: Check = value => isNamed(value) && saidFields.every(field => maybeText(Reflect.get(Object(value), field)))
const isMoney = isObjectOf<NonNullable<StatusSaid['restated']>>({ ...money, askedAt: isTime })
const correction = { from: isText, to: isText, askedAt: isTime }
const isWish = isObjectOf<Wish>({
  name: isWordOf<Wish['name']>({ capture: 1, return: 1, void: 1 }),
  because: isMaybe(isWordOf<NonNullable<Wish['because']>>({ surplus: 1 })),
  clientOrderId: isText,
  before: isListOf(isText),
  since: isTime,
  part: isMaybe(isObjectOf<NonNullable<Wish['part']>>({ amount: isText, key: isText })),
})
const [aboutOrder, aboutRequest] = [{ clientOrderId: isId }, { operation: isText, request: isText }]
const matters: { readonly [Kind in DecidedMatter['kind']]: Shape<Extract<DecidedMatter, { readonly kind: Kind }>> } = {
  failed: { ...aboutOrder, ...aboutRequest },
  arrived: { ...aboutOrder, ...aboutRequest, orderId: isMaybe(isId), serialNumber: isMaybe(isId) },
  settled: { ...aboutOrder, place: isCount, words: isCount, stage: isStage, outcome: isOutcome, amount: maybeText },
  'give-back': { ...aboutOrder, tries: isCount },
  abandon: aboutOrder,
  noted: { ...aboutOrder, callbacks: isPlace },
  dismissed: { ...aboutOrder, callbacks: isPlace },
  skip: { ...aboutOrder, stage: isStage, outcome: isText },
}
const word: Fields<KnownWord> = { who: isText, why: isText, at: isTime }
const isDecision = isObjectOf<KnownDecision>({
  ...word,
  matter: value => hasKindOf(matters, value) && wrongFieldIn(value, matters[value.kind]) === undefined,
  proposal: isMaybe(isWordOf<NonNullable<KnownDecision['proposal']>>({ open: 1, replaced: 1 })),
  first: isMaybe(isObjectOf(word)),
  before: isMaybe(
    isObjectOf<NonNullable<KnownDecision['before']>>({
      ...money,
      status: isText,
      outcome: isMaybe(isOutcome),
      restated: isMaybe(isMoney),
      corrections: isListOf(isObjectOf<KnownCorrection>({ ...correction, nth: isMaybe(isCount) })),
    }),
  ),
})
const isMethod = isObjectOf<NonNullable<ThreeDSecureProgress['method']>>({
  id: isText,
  startedAt: isTime,
  notifiedAt: isMaybe(isTime),
})

const isCallbackSaid = isObjectOf<CallbackSaid>({
  status: isText,
  outcome: isMaybe(isOutcome),
  stage: isMaybe(isStage),
  amount: maybeText,
  processorRrn: maybeText,
})

/** Its ids are looked at where a fact begins an order. */
const isOrder: Check = value => typeof value === 'object' && value !== null
const [order, about] = [{ order: isOrder }, { order: isOrder, request: isText }]
const shapes: { readonly [Kind in Fact['kind']]: Shape<Extract<Fact, { readonly kind: Kind }>> } = {
  begun: order,
  requested: { ...order, attempt: isRequest },
  answered: { ...about, end: isEnd, orderId: isMaybe(isId) },
  'never-seen': { ...about, quietSince: isMoment, neverSeenAt: isMaybe(isMoment) },
  overdue: about,
  status: {
    ...order,
    stage: isMaybe(isPlace),
    at: isTime,
    said: isMaybe(isSaid),
    corrected: isMaybe(isListOf(isObjectOf<TakenBack>({ ...correction, nth: isCount }))),
    forgotten: isMaybe(isListOf(isCount)),
    restated: isMaybe(isMoney),
    amountCame: isMaybe(isTrue),
    firstAt: isMaybe(isTime),
    orderId: isMaybe(isId),
    answersCallback: isMaybe(isTrue),
  },
  callback: { ...order, at: isTime, said: isMaybe(isCallbackSaid) },
  'not-shown': { ...order, at: isTime, since: isTime, said: isCallbackSaid },
  delivered: { ...order, stage: isPlace, words: isCount, at: isMaybe(isTime), approval: isMaybe(isTrue) },
  'follow-up': { wish: isWish },
  'follow-up-dropped': { wish: isWish },
  decided: { decision: isDecision },
  settled: { ...order, stage: isPlace, said: isSaid, words: isCount, told: isMaybe(isCount) },
  adopted: { ...order, at: isTime },
  abandoned: {
    ...order,
    why: isWordOf<Abandoned['why']>({ 'no-address': 1, replaced: 1, expired: 1, 'by-person': 1 }),
    at: isTime,
  },
  full: order,
  'three-d-secure': { ...order, done: isMaybe(isListOf(isText)), method: isMaybe(isMethod) },
  purged: { at: isTime, orders: isListOf(isNewOrder) },
}

/** Every kind of fact that this release knows. */
export const factKinds = (): readonly string[] => Object.keys(shapes)

/** Whether this release knows what a fact says. */
export const isKnownFact = (fact: { readonly kind?: unknown } | null): boolean => hasKindOf(shapes, fact)

const isDelivery: Fields<Delivery> = {
  token: isText,
  ...order,
  stage: isPlace,
  words: isCount,
  // It may be as good as never.
  until: isWhole,
  at: isMaybe(isTime),
  failed: isMaybe(isObjectOf<FailedTelling>({ since: isTime, tries: isCount, error: isText })),
  overstayed: isMaybe(isTrue),
}

/**
 * Reads a history of facts that this release knows. A damaged fact must not count as none: its payment would begin anew.
 *
 * @throws {TypeError} naming the field that cannot be read.
 */
export function readHistory(kept: History): History {
  const { reference, facts, delivery } = kept
  if (!isName(reference)) throw new TypeError('"reference" cannot be read')
  const orders: Begun[] = []
  for (const fact of kept.facts) {
    const wrong = wrongFieldIn(fact, shapes[fact.kind]) ?? misplacedIn(fact, orders)
    if (wrong !== undefined) throw new TypeError(`"${wrong}" of a fact of kind ${fact.kind} cannot be read`)
  }
  if (facts.length > 1 && facts.some(({ kind }) => kind === 'purged'))
    throw new TypeError('a payment that was purged has other facts')
  if (delivery === undefined) return kept
  const wrong = wrongFieldIn(Object(delivery), isDelivery) ?? misplacedStage(begunBy(delivery.order, orders), delivery)
  if (wrong !== undefined) throw new TypeError(`"${wrong}" of the delivery cannot be read`)
  return kept
}
