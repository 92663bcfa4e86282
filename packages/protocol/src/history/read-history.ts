import type { KnownCorrection } from '../order/late-approval.js'
import { isNoId, withoutNulls } from '../reply/read-reply.js'
import type { AttemptEnd, StatusSnapshot } from '../store/attempt.js'
import type { DecidedMatter, KnownDecision, KnownWord } from '../store/decision.js'
import type { FailedTelling, KnownAttempt, ThreeDSecureProgress, Wish } from '../store/document.js'
import {
  type Abandoned,
  type Delivery,
  type Fact,
  type History,
  type OrderName,
  type Requested,
  type StatusSaid,
  saidFields,
  type TakenBack,
} from './facts.js'
import { endings, stageNames } from './names.js'

/** Whether a field has what this release can work with. */
type Check = (value: unknown) => boolean

/** A check for each field. A field that is missing here is an error for the compiler. */
type Fields<Of> = { readonly [Field in keyof Of]-?: Check }

/** The same for a member of a union, whose kind is known by then. */
type Shape<Of> = Fields<Omit<Of, 'kind'>>

/** The greatest time and the greatest number: a sum of two such times is a date as well, and a whole number. */
const most = 2 ** 51

const isText: Check = value => typeof value === 'string'
const isWhole: Check = value => Number.isSafeInteger(value) && Number(value) >= 0
const isCount: Check = value => isWhole(value) && Number(value) <= most
const isPlace: Check = value => isCount(value) && value !== 0
const isTrue: Check = value => value === true
const isAbsent: Check = value => value === undefined

/** Milliseconds of the store's clock, which are whole. */
const isTime = isCount

/** Milliseconds of the merchant's clock, which may have fractions. */
const isMoment: Check = value => typeof value === 'number' && value >= 0 && value <= most

/** Keys of outcomes are made of it, and half of a surrogate pair can be in no key. */
const isName: Check = value => typeof value === 'string' && value.trim() !== '' && isWellFormed(value)
const isId: Check = value => isName(value) && !isNoId(String(value))

/** Every supported Node.js has the method; the types of ES2023 do not. */
const isWellFormed = (text: string): boolean => (text as string & { isWellFormed(): boolean }).isWellFormed()

const isMaybe =
  (check: Check): Check =>
  value =>
    value === undefined || check(value)

const isListOf =
  (check: Check): Check =>
  value =>
    Array.isArray(value) && value.every(each => check(each))

/** One of the words that a table has, or a union, which the compiler compares with the table. */
const isWordOf =
  <Word extends string>(words: { readonly [Each in Word]: unknown }): Check =>
  value =>
    typeof value === 'string' && Object.hasOwn(words, value)

const isObjectOf =
  <Of>(fields: Fields<Of>): Check =>
  value =>
    typeof value === 'object' && value !== null && wrongFieldIn(value, fields) === undefined

function wrongFieldIn(of: object, checks: { readonly [field: string]: Check }): string | undefined {
  const values = of as { readonly [field: string]: unknown }
  for (const field in checks) if (checks[field]?.(values[field]) !== true) return field
  return undefined
}

const hasKindOf = <Kind extends string>(
  table: { readonly [Each in Kind]: unknown },
  value: unknown,
): value is { readonly kind: Kind } => isWordOf(table)(Reflect.get(Object(value), 'kind'))

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

/** Its ids are looked at where a fact begins an order. */
const isOrder: Check = value => typeof value === 'object' && value !== null
const isNewOrder = isObjectOf<OrderName>({ login: isName, ...ids })
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
    firstAt: isMaybe(isTime),
    orderId: isMaybe(isId),
    answersCallback: isMaybe(isTrue),
  },
  callback: { ...order, at: isTime },
  delivered: { ...order, stage: isPlace, words: isCount, at: isMaybe(isTime), approval: isMaybe(isTrue) },
  'follow-up': { wish: isWish },
  'follow-up-dropped': { wish: isWish },
  decided: { decision: isDecision },
  settled: { ...order, stage: isPlace, said: isSaid, words: isCount, told: isMaybe(isCount) },
  adopted: { ...order, at: isTime },
  abandoned: { ...order, why: isWordOf<Abandoned['why']>({ 'no-address': 1, replaced: 1 }), at: isTime },
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
}

/** An order, as far as the facts before one have told of it. */
interface Begun {
  readonly login: string
  readonly clientOrderId: string | undefined
  orderId: string | undefined
  stages: number
  readonly requests: Set<string>
}

/**
 * Reads a history of facts that this release knows. A damaged fact must not count as none: its payment would begin anew.
 *
 * @throws {TypeError} naming the field that cannot be read.
 */
export function readHistory(kept: History): History {
  const { reference, delivery } = kept
  if (!isName(reference)) throw new TypeError('"reference" cannot be read')
  const orders: Begun[] = []
  const facts = kept.facts.map(each => {
    const fact = readFact(each)
    const wrong = misplacedIn(fact, orders)
    if (wrong !== undefined) throw unreadable(fact, wrong)
    return fact
  })
  if (facts.length > 1 && facts.some(({ kind }) => kind === 'purged'))
    throw new TypeError('a payment that was purged has other facts')
  if (delivery === undefined) return { ...kept, facts }
  const wrong = wrongFieldIn(Object(delivery), isDelivery) ?? misplacedStage(begunBy(delivery.order, orders), delivery)
  if (wrong !== undefined) throw new TypeError(`"${wrong}" of the delivery cannot be read`)
  return { ...kept, facts }
}

const unreadable = ({ kind }: Fact, field: string): TypeError =>
  new TypeError(`"${field}" of a fact of kind ${kind} cannot be read`)

function readFact(fact: Fact): Fact {
  const wrong = wrongFieldIn(fact, shapes[fact.kind])
  if (wrong === undefined) return fact
  const read = fact.kind === 'requested' ? withoutNothing(fact) : fact
  if (read === fact) throw unreadable(fact, wrong)
  return readFact(read)
}

/** A field of a request that is null is absent: a table with a column for each gives it back so. @returns The very fact where none is. */
function withoutNothing(fact: Requested): Requested {
  const attempt = withoutNulls(Object(fact.attempt) as Requested['attempt'])
  const { baseline } = attempt
  const known = baseline === undefined ? undefined : withoutNulls(Object(baseline) as typeof baseline)
  if (attempt === fact.attempt && known === baseline) return fact
  return { ...fact, attempt: known === undefined ? attempt : { ...attempt, baseline: known } }
}

/** The field with which a fact names an order, a request or a stage that no fact before it has told of, if it does. */
function misplacedIn(fact: Fact, orders: Begun[]): string | undefined {
  const { kind } = fact
  if (kind === 'decided' || kind === 'follow-up' || kind === 'follow-up-dropped' || kind === 'purged') return undefined
  const known = begunBy(fact.order, orders)
  if (known !== undefined) return misplacedOf(known, fact, orders)
  const { login, clientOrderId, orderId } = fact.order
  const isNamed = (clientOrderId ?? orderId) !== undefined || kind === 'requested' || kind === 'begun'
  if (!isNamed || !isNewOrder(fact.order)) return 'order'
  const begun = { login, clientOrderId, orderId, stages: 0, requests: new Set<string>() }
  orders.push(begun)
  return misplacedOf(begun, fact, orders)
}

/** A name without the merchant's id changes once the gateway's is known. */
const begunBy = ({ login, clientOrderId, orderId }: OrderName, orders: readonly Begun[]): Begun | undefined =>
  orders.find(
    each =>
      each.login === login &&
      each.clientOrderId === clientOrderId &&
      (clientOrderId !== undefined || each.orderId === orderId),
  )

type FactOfOrder = Extract<Fact, { readonly order: OrderName }>

function misplacedOf(order: Begun, fact: FactOfOrder, orders: readonly Begun[]): string | undefined {
  const { requests } = order
  switch (fact.kind) {
    case 'requested': {
      const { reservation } = fact.attempt
      const isThere = orders.some(each => each.requests.has(reservation))
      requests.add(reservation)
      return isThere || begunBy(fact.attempt, orders) !== order ? 'attempt' : undefined
    }
    case 'answered':
      order.orderId = fact.orderId ?? order.orderId
      // An answer that gave an id stays when its request makes way.
      return fact.orderId !== undefined || requests.has(fact.request) ? undefined : 'request'
    case 'never-seen':
    case 'overdue':
      return requests.has(fact.request) ? undefined : 'request'
    case 'status': {
      const { stage = 0, said, corrected, restated, firstAt } = fact
      order.orderId = fact.orderId ?? order.orderId
      order.stages = Math.max(order.stages, stage)
      return stage === 0 && (said ?? corrected ?? restated ?? firstAt) !== undefined ? 'stage' : undefined
    }
    case 'delivered':
    case 'settled':
      return misplacedStage(order, fact)
    default:
      return undefined
  }
}

const misplacedStage = (order: Begun | undefined, { stage }: { readonly stage: number }): string | undefined =>
  order === undefined ? 'order' : stage > order.stages ? 'stage' : undefined
