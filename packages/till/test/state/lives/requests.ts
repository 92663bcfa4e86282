import type { AttemptEnd, StageName } from '@tillkit/protocol'
import { overdueSeen } from '../../../src/rules/orders/absence.js'
import { absenceSeen, attemptEnded } from '../../../src/rules/orders/happened.js'
import { nextAttempt, permissionToSend } from '../../../src/rules/orders/reserve.js'
import type { PaymentDocument } from '../../../src/state/document.js'
import { type KnownAttempt, type KnownOrder, quietFrom } from '../../../src/state/known.js'
import { orderIdFor } from '../../../src/store/keys.js'
import { type Act, orderOf, pick, pickAny, type Scene, type Step } from './step.js'

/** Operations that make an order, and the stages in which status shows them. */
const creations: readonly (readonly [string, readonly StageName[]])[] = [
  ['saleForm', ['sale']],
  ['saleForm', ['sale']],
  ['preauth', ['preauth']],
  ['payoutCheck', ['payout-check']],
]

/** Operations that change an order. Uploads have no stage. */
const changes: readonly (readonly [string, readonly StageName[]])[] = [
  ['capture', ['capture']],
  ['return', ['cancel', 'reversal']],
  ['return', ['cancel', 'reversal']],
  ['void', ['void']],
  ['payoutPay', ['payout']],
  ['uploadCresResult', []],
]

const long = 'x'.repeat(600)

/** A request that makes an order: the payment's first one, its next one, or once more one that it has. */
export const opened: Act = (document, step, scene) => {
  if (document === undefined && step.way % 30 === 7) return reserved(document, cardReference(step, scene))
  const known = document === undefined ? 0 : nextAttempt(document) - 1
  const attempt = step.order % 4 === 0 ? Math.max(1, known) : known + 1
  const order = document?.orders[attempt - 1]
  const id = order?.clientOrderId ?? orderIdFor({ reference: document?.reference ?? 'basket-7', attempt })
  const first = document?.orders[0]?.attempts[0]
  const [operation, stages] =
    first === undefined ? pick(creations, step.request) : ([first.operation, first.stages] as const)
  return reserved(document, {
    ...request(step, scene),
    attemptId: id,
    operation,
    effect: 'creates',
    stages,
    login: step.way % 40 === 0 ? 'other' : 'merchant',
    clientOrderId: id,
    amount: '10.00',
    currency: 'EUR',
    ...(operation === 'payoutCheck' ? { recipient: 'account NL91***4300' } : {}),
    fingerprint: step.money % 20 === 0 ? 'of other content' : 'f',
  })
}

/** A request that changes an order: all of it or a part, and now and then one that was sent before. */
export const changed: Act = (document, step, scene) => {
  const order = orderOf(document, step)
  if (order === undefined) return document
  const [operation, stages] = pick(changes, step.request)
  const { login, clientOrderId, orderId = gatewayIdOf(order), attempts, stages: shown } = order
  const again = attempts.findLast(each => each.operation === operation)
  const isAgain = again !== undefined && step.way % 3 === 0
  const isWhole = operation === 'void' || clientOrderId === undefined || step.money % 4 === 0
  const amount = isWhole ? undefined : pick(['3.00', '1.00', '10.00'], step.money)
  const part = isAgain ? again : amount === undefined || stages.length === 0 ? {} : { amount, currency: 'EUR' }
  const last = shown.at(-1)
  return reserved(document, {
    ...request(step, scene),
    ...(part.amount === undefined ? {} : { amount: part.amount, currency: 'EUR' }),
    attemptId: isAgain ? again.attemptId : `${operation}:${scene.nth}:key`,
    operation,
    effect: 'changes',
    stages,
    login,
    ...(clientOrderId === undefined ? {} : { clientOrderId }),
    orderId,
    ...(last === undefined
      ? {}
      : { baseline: { askedAt: scene.at, status: step.word % 5 === 0 ? long : last.status, stage: last.stage } }),
    ...(step.word % 4 === 0 ? { person: { who: 'anna', why: 'ticket 4711' } } : {}),
  })
}

/** A request without an order id of the merchant's: the gateway's answer names its order. */
const cardReference = (step: Step, scene: Scene): KnownAttempt => ({
  ...request(step, scene),
  attemptId: 'card-1',
  operation: 'createCardRef',
  effect: 'changes',
  stages: [],
  login: 'merchant',
})

const request = ({ stage }: Step, { nth, at }: Scene) => ({
  reservation: `r-${nth}`,
  baseUrl: 'https://gate.example/paynet',
  ...(stage % 4 === 0 ? { endpointGroupId: '2545' } : { endpointId: '39' }),
  fingerprint: 'f',
  reservedAt: at,
  sendBy: at + 30_000,
})

function reserved(document: PaymentDocument | undefined, attempt: KnownAttempt): PaymentDocument | undefined {
  const decided = permissionToSend(document, attempt)
  return decided.kind === 'reserved' ? (decided.document ?? document) : document
}

const ends: readonly AttemptEnd['kind'][] = [
  'accepted',
  'accepted',
  'accepted',
  'refused',
  'not-sent',
  'no-trace',
  'unknown',
]

/** How a request ended, as its answer, status or a person says: the latest one, or any that the payment has had. */
export const ended: Act = (document, step, scene) => {
  const attempt = requestOf(step, scene)
  if (attempt === undefined || document?.over !== undefined) return document
  const isCreation = attempt.effect === 'creates'
  const hasId = (attempt.clientOrderId ?? attempt.orderId) !== undefined
  const kind = pick(ends, step.word)
  const basis = pick([undefined, undefined, 'answer', 'status', 'person'] as const, step.money)
  return attemptEnded(document, attempt, {
    kind,
    at: scene.at,
    ...(basis === undefined ? {} : { basis }),
    ...(step.stage % 3 === 0 ? { note: step.stage % 2 === 0 ? long : 'ticket 4711' } : {}),
    ...(kind === 'accepted' && hasId && step.stage % 4 > 0 ? { orderId: gatewayIdOf(attempt) } : {}),
    ...(kind === 'accepted' && step.stage % 5 > 0 ? { serialNumber: `s-${attempt.reservation}` } : {}),
    ...(kind === 'accepted' && isCreation ? { redirectUrl: `https://gate.example/form/${scene.nth}` } : {}),
    ...(step.way % 3 === 0 ? {} : { connection: step.way % 3 === 1 ? ('closed' as const) : ('answered' as const) }),
    ...(kind === 'unknown' && step.stage % 2 === 0 ? { foreignStatus: 502 } : {}),
  })
}

/** The gateway's id of an order that a request makes. */
export const gatewayIdOf = ({ clientOrderId }: Pick<KnownOrder, 'clientOrderId'>): string =>
  clientOrderId === undefined || clientOrderId === 'basket-7' ? '77' : `77-${clientOrderId}`

/** The latest request in most steps, else any one. */
const requestOf = ({ request: die, way }: Step, { sent }: Scene): KnownAttempt | undefined =>
  way % 4 === 0 ? pickAny(sent, die) : sent.at(-1)

/** A shop that tries one request again and again while the gateway is away. */
export const retried: Act = (document, step, scene) => {
  const now = opened(document, { ...step, order: 0, way: 1, money: 1 }, scene)
  const attempt = now?.orders.flatMap(({ attempts }) => attempts).find(each => each.reservation === `r-${scene.nth}`)
  if (now === undefined || attempt === undefined) return now
  return attemptEnded(now, attempt, { kind: pick(['not-sent', 'refused', 'not-sent'], step.word), at: scene.at })
}

export const neverSeen: Act = (document, step, scene) => {
  const attempt = requestOf(step, scene)
  const quietSince = scene.at - 60_000 - (step.money % 2)
  return attempt === undefined || document?.over !== undefined
    ? document
    : absenceSeen(document, attempt, { quietSince, ...(step.word % 2 === 0 ? {} : { neverSeenAt: scene.at }) })
}

export const overdue: Act = (document, _, { at }) => (document === undefined ? undefined : overdueSeen(document, at))

/** The command of a person about one request, without a question. */
export const endedByPerson: Act = (document, step, scene) => {
  const attempt = requestOf(step, scene)
  if (attempt === undefined || document === undefined || document.over !== undefined) return document
  const at = Math.max(scene.at, quietFrom(attempt))
  const kind = pick(['accepted', 'no-trace', 'refused', 'not-sent'] as const, step.word)
  return attemptEnded(document, attempt, { kind, basis: 'person', note: `ticket ${step.money}`, at })
}
