import { defaultProfile, type StageName, type StatusResponse, type WireProfile } from '@tillkit/protocol'
import {
  type AskedReply,
  callbackAnswered,
  callbackCame,
  notShownAnHour,
  observationOf,
  statusSeen,
  threeDSecureSeen,
} from '../../../src/rules/orders/happened.js'
import { abandonOrder } from '../../../src/rules/pay/next-step.js'
import type { PaymentDocument } from '../../../src/state/document.js'
import type { CallbackSaid, KnownOrder } from '../../../src/state/known.js'
import { gatewayIdOf } from './requests.js'
import { type Act, orderOf, pick, type Step } from './step.js'

/** A gateway that names no stage where there can be only one. */
const brief: WireProfile = { ...defaultProfile, statusNamesStage: { ...defaultProfile.statusNamesStage, value: false } }

const words = ['approved', 'approved', 'approved', 'processing', 'declined', 'filtered', 'error', 'unheard-of']
const long = 'y'.repeat(600)

const aboutOf = ({ clientOrderId, orderId, login }: KnownOrder) =>
  ({ clientOrderId, login, ...(clientOrderId === undefined ? { orderId } : {}) }) as {
    clientOrderId: string
    login: string
    orderId?: string
  }

/** A status reply about a stage that an order has, or may have. */
export const replied: Act = (document, step, scene) => {
  const order = orderOf(document, step)
  if (document === undefined || order === undefined) return document
  const asked = replyAbout(order, step)
  const seen = statusSeen(document, aboutOf(order), {
    observation: observationOf(order, asked, scene.at),
    profile: step.request % 5 === 0 ? brief : defaultProfile,
  })
  const isAnswered = step.way % 3 !== 0 && order.callbackAt !== undefined
  const looked = step.word % 2 === 0 ? notShownAnHour(seen, aboutOf(order), order.called ?? [], scene.at) : seen
  return isAnswered ? callbackAnswered(looked, aboutOf(order), order.callbackAt) : looked
}

/** The reply of status about an order. */
export function replyAbout(order: KnownOrder, step: Step): AskedReply {
  const { clientOrderId, orderId = gatewayIdOf(order), attempts, stages } = order
  const named: readonly StageName[] = [
    ...stages.map(({ stage }) => stage),
    ...attempts.flatMap(each => each.stages),
    ...(step.way % 6 === 0 ? (['chargeback', 'unrecognized', 'reversal'] as const) : []),
  ]
  const name = named.length === 0 ? 'sale' : pick(named, step.stage)
  const serials = [
    ...attempts.flatMap(({ end }) => (end?.serialNumber === undefined ? [] : [end.serialNumber])),
    ...stages.flatMap(({ serialNumber }) => serialNumber ?? []),
    `s-${step.way}`,
  ]
  const bySerialNumber = step.request % 3 === 0 ? undefined : pick(serials, step.request)
  const money = pick<Partial<StatusResponse>>(
    [
      { amount: '10.00', currency: 'EUR' },
      { amount: '10.00', currency: 'EUR' },
      { amount: '3.00', currency: 'EUR' },
      { amount: '4.00', currency: 'EUR' },
      { amount: '10.0', currency: 'USD' },
      { amount: '1.00' },
      {},
    ],
    step.money,
  )
  const codes: Partial<StatusResponse> =
    step.way % 4 === 0
      ? { processorRrn: `rrn-${step.way}`, approvalCode: '123', errorCode: '101', errorMessage: long }
      : step.way % 4 === 1
        ? { errorMessage: 'Decline, expired card' }
        : {}
  const type = step.request % 10 === 0 ? {} : { transactionType: name === 'unrecognized' ? 'novel' : wireName(name) }
  return {
    age: pick([0, 0, 0, 50, 5_000, 100_000], step.word + step.way),
    reply: {
      // Totals of an order without the merchant's id cannot be read yet, so such an order brings no money here.
      status: clientOrderId === undefined ? 'processing' : pick(words, step.word),
      orderId,
      raw: {},
      ...(clientOrderId === undefined ? {} : { clientOrderId }),
      ...type,
      ...money,
      ...codes,
      ...(bySerialNumber === undefined || step.way % 7 === 0 ? {} : { byRequestSn: bySerialNumber }),
    } as StatusResponse,
    ...(bySerialNumber === undefined ? {} : { bySerialNumber }),
  }
}

const wireName = (stage: StageName): string => (stage === 'verification' ? 'account-verification' : stage)

/** The gateway contradicts itself about one stage, many times. Each reply is a write. */
export const contradictions = (document: PaymentDocument | undefined, step: Step): readonly Act[] => {
  const place = step.order
  const times = document === undefined ? 0 : 8 + (step.way % 25)
  return Array.from(
    { length: times },
    (_, nth): Act =>
      (now, _step, scene) => {
        const order = orderOf(now, { ...step, order: place })
        const stage = order?.stages[step.stage % Math.max(1, order.stages.length)]
        if (now === undefined || order?.clientOrderId === undefined || stage === undefined) return now
        const { serialNumber, amount, currency } = stage
        const isOther = step.money % 3 === 0 && nth % 4 === 3
        const reply = {
          status: pick(['declined', 'approved', step.word % 3 === 0 ? 'filtered' : 'declined', 'approved'], nth),
          clientOrderId: order.clientOrderId,
          orderId: order.orderId ?? gatewayIdOf(order),
          transactionType: stage.stage === 'unrecognized' ? stage.word : wireName(stage.stage),
          raw: {},
          ...(isOther ? { amount: pick(['5.00', '6.00'], nth), currency } : { amount, currency }),
          ...(serialNumber === undefined ? {} : { byRequestSn: serialNumber }),
        } as StatusResponse
        const observation = observationOf(order, { reply, age: 0, bySerialNumber: serialNumber }, scene.at + nth)
        return statusSeen(now, aboutOf(order), { observation, profile: defaultProfile })
      },
  )
}

export const calledBack: Act = (document, step, { at }) => {
  const order = orderOf(document, step)
  const about = order === undefined ? firstOrder : aboutOf(order)
  const said = step.way % 2 === 0 ? [saidOf(step)] : []
  return callbackCame(document, about, step.word % 5 === 0 ? at - 5 : at, said)
}

/** What a callback says, of a movement or of whatever came last. */
const saidOf = ({ stage, money }: Step): CallbackSaid =>
  stage % 4 === 0
    ? { status: 'declined', outcome: 'declined' }
    : {
        status: 'approved',
        outcome: 'approved',
        stage: pick(['chargeback', 'reversal'], stage),
        amount: pick(['3.00', '5.00'], money),
      }

/** A verified callback about an order that the payment does not have yet. */
const firstOrder = { clientOrderId: 'basket-7', login: 'merchant' }

/** An order that has the gateway's id only. */
const foreignOrder = { orderId: '77', login: 'merchant' } as unknown as typeof firstOrder

/** The first that is heard of an order is a callback, or status. */
export const heardFirst: Act = (document, step, scene) => {
  const ids = pick([firstOrder, { clientOrderId: 'basket-7.2r', login: 'merchant' }, foreignOrder], step.order)
  const about = step.way % 2 === 0 || ids === foreignOrder ? ids : { ...ids, orderId: gatewayIdOf(ids) }
  if (step.word % 2 === 0) return callbackCame(document, about, scene.at)
  const order = { ...ids, attempts: [], stages: [] }
  const observation = observationOf(order, replyAbout(order, step), scene.at)
  return statusSeen(document, about, { observation, profile: defaultProfile })
}

/** A customer comes a step further with 3DS. */
export const authenticated: Act = (document, step, { at }) => {
  const order = orderOf(document, step)
  if (order === undefined) return document
  const method = { id: pick(['m-1', 'm-2'], step.stage), startedAt: at }
  return threeDSecureSeen(
    document,
    aboutOf(order),
    pick(
      [
        { done: [`method ${step.word % 3}`] },
        { done: [`challenge ${step.word % 3}`], method },
        { method },
        { method: { ...method, notifiedAt: at } },
        {},
      ],
      step.way,
    ),
  )
}

export const left: Act = (document, step, { at }) => {
  const order = orderOf(document, step)
  if (document === undefined || document.over !== undefined || order === undefined) return document
  return abandonOrder(document, order, { why: pick(['no-address', 'replaced'], step.way), at })
}
