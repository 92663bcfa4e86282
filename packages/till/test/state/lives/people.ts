import { defaultProfile } from '@tillkit/protocol'
import { claimDelivery, followUpGone, postponeDelivery, toldOutcome } from '../../../src/rules/delivery/delivery.js'
import { nextAttempt } from '../../../src/rules/orders/reserve.js'
import { purged as purgedBy } from '../../../src/rules/pay/purge.js'
import { takeUpOrder } from '../../../src/rules/pay/take-up.js'
import { adoptOrder } from '../../../src/rules/people/adopt.js'
import { decideMatter } from '../../../src/rules/people/decide.js'
import { latestWord, type OpenQuestion, openQuestions } from '../../../src/rules/people/questions.js'
import type { DecisionFacts, WantedDecision } from '../../../src/rules/people/wanted.js'
import type { PaymentDocument } from '../../../src/state/document.js'
import type { WantedChange } from '../../../src/state/known.js'
import { orderIdFor } from '../../../src/store/keys.js'
import { replyAbout } from './status.js'
import { type Act, pick, pickAny, type Scene, type Step } from './step.js'

const profile = defaultProfile
const login = 'merchant'

export const claimed: Act = (document, _, { at, nth }) => {
  const decided = document === undefined ? undefined : claimDelivery(document, { token: `t-${nth}`, at, lease: 30_000 })
  return decided?.kind === 'claimed' ? decided.document : document
}

/** The token of the telling that is under way, or in some steps one that is over. */
const tokenOf = (document: PaymentDocument | undefined, { way, stage }: Step, { tokens }: Scene): string | undefined =>
  way % 8 === 0 ? pickAny(tokens, stage) : document?.telling?.token

export const told: Act = (document, step, scene) => {
  const token = tokenOf(document, step, scene)
  const wanted = pick<readonly WantedChange[]>(
    [
      [],
      [],
      [{ name: 'capture', part: { amount: '3.00', key: `k-${step.stage % 3}` } }, { name: 'void' }],
      [{ name: 'return', because: 'surplus' }],
    ],
    step.request,
  )
  const isApproval = pick([true, true, false, undefined], step.word)
  return token === undefined ? document : (toldOutcome(document, token, wanted, isApproval) ?? document)
}

/** A handler is called, and tells: what most of a life is. */
export const delivered: Act = (document, step, scene) =>
  told(claimed(document, step, scene), { ...step, way: 1 }, scene)

export const postponed: Act = (document, step, scene) => {
  const token = tokenOf(document, step, scene)
  const failure = step.word % 3 === 0 ? undefined : { error: new Error(`locked ${step.word}`), at: scene.at }
  const until = scene.at + 60_000
  return token === undefined ? document : (postponeDelivery(document, token, until, failure) ?? document)
}

export const followed: Act = (document, { request }) => {
  const wish = pickAny(document?.wishes ?? [], request)
  return document === undefined || wish === undefined ? document : followUpGone(document, wish)
}

/** A person's answer to one of the open questions, and status's reply to that. */
function answerTo(
  question: OpenQuestion,
  { way }: Step,
): { readonly wanted: WantedDecision; readonly status?: DecisionFacts['status'] } {
  const { clientOrderId: order } = question
  switch (question.kind) {
    case 'unknown': {
      const request = question.attempt.reservation
      const status = (kind: 'not-shown' | 'confirmed') => ({ kind, explanation: '' })
      if (way % 2 === 0) return { wanted: { kind: 'failed', order, request }, status: status('not-shown') }
      const ids = way % 3 === 0 ? { serialNumber: `s-${request}` } : { orderId: '77' }
      return { wanted: { kind: 'arrived', order, request, ...ids }, status: status('confirmed') }
    }
    case 'disputed': {
      const { stage } = question
      const { outcome = 'approved' } = latestWord(stage, profile)
      const amount = pickAny(
        [stage.amount, stage.restated?.amount].filter(each => each !== undefined),
        way,
      )
      const { serialNumber } = stage
      const wanted = { kind: 'settled', order, stage: stage.stage, serialNumber, outcome, amount } as const
      return { wanted, status: { kind: 'shown', explanation: '', outcome, amount } }
    }
    case 'surplus':
      return { wanted: { kind: 'give-back', order } }
    // No decision is an answer to what is incomplete.
    case 'incomplete':
    case 'open-order':
      return { wanted: { kind: 'abandon', order }, status: { kind: 'not-shown', explanation: '' } }
    case 'not-shown':
      return { wanted: { kind: pick(['noted', 'dismissed'], way), order } }
    case 'failing':
      return { wanted: { kind: 'skip', outcome: question.outcome } }
  }
}

/** A person answers a question, and in half of the lives a second one has to say the same. */
export const decided: Act = (document, step, { at }) => {
  const question = pickAny(document === undefined ? [] : openQuestions(document, { at, profile }), step.stage)
  if (document === undefined || question === undefined) return document
  const { wanted, status } = answerTo(question, step)
  const verdict = decideMatter(document, wanted, {
    at,
    profile,
    status,
    person: { who: pick(['anna', 'boris'], step.word), why: `ticket ${step.money % 4}` },
    ...(step.order % 2 === 0 ? { secondPersonAbove: { EUR: '2.00' } } : {}),
  })
  return verdict.kind === 'refused' ? document : verdict.document
}

/** An order that a restored store has lost, or that somebody made at the gateway, comes into the payment. */
export const takenUp: Act = (document, step, { at, nth }) => {
  const reference = document?.reference ?? 'basket-7'
  const attempt = document === undefined ? 1 : nextAttempt(document) - (step.way % 2)
  const known = document?.orders[attempt - 1]
  const clientOrderId = known?.clientOrderId ?? orderIdFor({ reference, attempt: Math.max(1, attempt) })
  const order = known ?? { clientOrderId, login, attempts: [], stages: [] }
  const purpose = document?.orders[0]?.attempts[0]?.stages[0] ?? 'sale'
  const operation = document?.orders[0]?.attempts[0]?.operation ?? 'saleForm'
  return takeUpOrder(
    document,
    { ...lost(nth), ...(step.money % 12 === 0 ? { baseUrl: endless } : {}), clientOrderId, login, operation, purpose },
    { asked: replyAbout(order, step), profile, at },
  )
}

export const adopted: Act = (document, step, { at, nth }) => {
  const reference = document?.reference ?? 'basket-7'
  const clientOrderId = pick([`made-elsewhere-${step.stage % 2}`, orderIdFor({ reference, attempt: 2 })], step.request)
  const order = { clientOrderId, orderId: `88-${clientOrderId}`, login, attempts: [], stages: [] }
  const replies = [step, { ...step, word: step.word + 1 }, { ...step, word: step.word + 4 }]
    .slice(0, 1 + (step.way % 3))
    .map(each => replyAbout({ ...order, attempts: [] }, { ...each, order: 0 }))
  const verdict = adoptOrder(document, { ...lost(nth), reference, clientOrderId, login, replies }, { profile, at })
  return verdict.kind === 'adopted' ? verdict.document : document
}

const lost = (nth: number) => ({
  attemptId: `lost-${nth}`,
  reservation: `lost-${nth}`,
  baseUrl: 'https://gate.example/paynet',
  endpointId: '39',
  fingerprint: 'f',
})

/** Nothing cuts an address: with this one, a document has no room for what status says. */
const endless = `https://gate.example/${'p'.repeat(200_000)}`

export const purged: Act = (document, { way }, { at }) =>
  document === undefined ? undefined : purgedBy(document, { profile, at, before: way % 3 === 0 ? at : at - 90_000_000 })
