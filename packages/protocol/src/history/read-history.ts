import { readAttempt } from '../store/attempt-rules.js'
import { type Delivery, type Fact, type History, saidFields } from './facts.js'

/** Whether a field has what this release can work with. */
type Check = (value: unknown) => boolean

/** A check for each field but `kind`. A field that is missing here is an error for the compiler. */
type Shape<Of> = { readonly [Field in Exclude<keyof Of, 'kind'>]-?: Check }

const isText: Check = value => typeof value === 'string'
const isTime: Check = value => Number.isFinite(value)
const isCount: Check = value => Number.isSafeInteger(value) && (value as number) >= 0
const isPlace: Check = value => isCount(value) && value !== 0
const isTrue: Check = value => value === true

const isMaybe =
  (check: Check): Check =>
  value =>
    value === undefined || check(value)

const isListOf =
  (check: Check): Check =>
  value =>
    Array.isArray(value) && value.every(check)

const isObjectOf =
  (shape: { readonly [field: string]: Check }): Check =>
  value =>
    typeof value === 'object' && value !== null && wrongFieldIn(value, shape) === undefined

const wrongFieldIn = (of: object, shape: { readonly [field: string]: Check }): string | undefined =>
  Object.keys(shape).find(field => shape[field]?.(Reflect.get(of, field)) !== true)

const isOrder = isObjectOf({ login: isText, clientOrderId: isMaybe(isText), orderId: isMaybe(isText) })
const isRequest = isObjectOf({ reservation: isText, reservedAt: isTime, sendBy: isTime })
const isEnd = isObjectOf({
  kind: value => ['accepted', 'refused', 'not-sent', 'no-trace', 'unknown'].some(each => each === value),
  at: isTime,
})
const isNamed = isObjectOf({ stage: isText, status: isText })
const isSaid: Check = value =>
  isNamed(value) && saidFields.every(field => isMaybe(isText)(Reflect.get(Object(value), field)))
const isMoney = isObjectOf({ amount: isMaybe(isText), currency: isMaybe(isText), askedAt: isTime })
const isCorrection = isObjectOf({ from: isText, to: isText, askedAt: isTime })
const isTakenBack: Check = value => isCorrection(value) && isObjectOf({ nth: isCount })(value)
const isWish = isObjectOf({
  name: isText,
  clientOrderId: isText,
  before: isListOf(isText),
  since: isTime,
  part: isMaybe(isObjectOf({ amount: isText, key: isText })),
})
const isDecision = isObjectOf({
  who: isText,
  why: isText,
  at: isTime,
  matter: isObjectOf({ kind: isText, clientOrderId: isText }),
  before: isMaybe(isObjectOf({ status: isText, corrections: isListOf(isCorrection) })),
})
const isMethod = isObjectOf({ id: isText, startedAt: isTime, notifiedAt: isMaybe(isTime) })

const [order, about] = [{ order: isOrder }, { order: isOrder, request: isText }]
const shapes: { readonly [Kind in Fact['kind']]: Shape<Extract<Fact, { readonly kind: Kind }>> } = {
  begun: order,
  requested: { ...order, attempt: isRequest },
  answered: { ...about, end: isEnd, orderId: isMaybe(isText) },
  'never-seen': { ...about, quietSince: isTime, neverSeenAt: isMaybe(isTime) },
  overdue: about,
  status: {
    ...order,
    stage: isMaybe(isPlace),
    at: isTime,
    said: isMaybe(isSaid),
    corrected: isMaybe(isListOf(isTakenBack)),
    forgotten: isMaybe(isListOf(isCount)),
    restated: isMaybe(isMoney),
    firstAt: isMaybe(isTime),
    orderId: isMaybe(isText),
    answersCallback: isMaybe(isTrue),
  },
  callback: { ...order, at: isTime },
  delivered: { ...order, stage: isPlace, words: isCount, at: isMaybe(isTime), approval: isMaybe(isTrue) },
  'follow-up': { wish: isWish },
  'follow-up-dropped': { wish: isWish },
  decided: { decision: isDecision },
  settled: { ...order, stage: isPlace, said: isSaid, words: isCount, told: isMaybe(isCount) },
  adopted: { ...order, at: isTime },
  abandoned: { ...order, why: isText, at: isTime },
  full: order,
  'three-d-secure': { ...order, done: isMaybe(isListOf(isText)), method: isMaybe(isMethod) },
  purged: { at: isTime, orders: isListOf(isOrder) },
}

/** Every kind of fact that this release knows. */
export const factKinds = (): readonly string[] => Object.keys(shapes)

/** Whether this release knows what a fact says. */
export const isKnownFact = (fact: { readonly kind?: unknown } | null): boolean =>
  typeof fact?.kind === 'string' && Object.hasOwn(shapes, fact.kind)

const delivery: Shape<Delivery> = {
  token: isText,
  ...order,
  stage: isPlace,
  words: isCount,
  until: isTime,
  at: isMaybe(isTime),
  failed: isMaybe(isObjectOf({ since: isTime, tries: isCount, error: isText })),
}

/**
 * Reads a history of facts that this release knows. A damaged fact must not count as none: its payment would begin anew.
 *
 * @throws {TypeError} naming the field that cannot be read.
 */
export function readHistory(kept: History): History {
  const wrong = kept.delivery === undefined ? undefined : wrongFieldIn(Object(kept.delivery), delivery)
  if (wrong !== undefined) throw new TypeError(`"${wrong}" of the delivery cannot be read`)
  return { ...kept, facts: kept.facts.map(readFact) }
}

function readFact(fact: Fact): Fact {
  const wrong = wrongFieldIn(fact, shapes[fact.kind])
  if (wrong !== undefined) throw new TypeError(`"${wrong}" of a fact of kind ${fact.kind} cannot be read`)
  return fact.kind === 'requested' ? { ...fact, attempt: readAttempt(fact.attempt) as typeof fact.attempt } : fact
}
