/** Intents and runners with one mistake each, which the explorer of visits has to find. */
import { defaultProfile } from '@tillkit/protocol'
import { createAdvance } from '../../../../packages/till/src/engine/advance.js'
import { callback } from '../../../../packages/till/src/intents/callback.js'
import { type VisitPlan, visit } from '../../../../packages/till/src/intents/customers/visit.js'
import type { Answer, Question } from '../../../../packages/till/src/rules/answer.js'
import { callbackAnswered } from '../../../../packages/till/src/rules/orders/happened.js'
import { replyOf } from '../pay/gateway.js'
import { repeatedId } from './repeated.js'
import { type Exploration, type MakeCallback, type MakeVisit, shipped, shippedCallback, visitingBy } from './visit.js'
import { lease, type Visiting } from './world.js'

export interface Mistake {
  readonly what: string
  readonly where: Exploration
  readonly broken: RegExp
}

type Next = ReturnType<typeof visit>
type Hear = (...heard: Parameters<Visiting['advance']>) => Parameters<Visiting['advance']>

/** The shipped runner, which hears something else. */
const hearing =
  (otherwise: Hear): MakeVisit =>
  plan => {
    const { advance, shown } = shipped(plan)
    return { advance: (...heard) => advance(...otherwise(...heard)), shown }
  }

/** Another intent in place of the shipped one. */
const mistaken =
  (mistake: (next: Next, plan: VisitPlan) => Next): MakeVisit =>
  plan =>
    visitingBy(mistake(visit(plan), plan), plan)

/** Answers callbacks by whatever status said: what they say may not be kept yet. */
const answersCallbacks: MakeCallback = plan => {
  const next = callback(plan)
  return createAdvance(
    scene => {
      const step = next(scene)
      const came = scene.payment?.orders.at(-1)?.callbackAt
      if (step.kind !== 'end' || step.payment === undefined || came === undefined) return step
      return { ...step, payment: callbackAnswered(step.payment, plan.about, came) }
    },
    () => defaultProfile,
  )
}

/** Its handler was not called for so long that the lease of somebody else seems over. */
const impatientCallback: MakeCallback = plan => {
  const advance = shippedCallback(plan)
  return (run, event, at) => advance(run, event, { ...at, earliest: at.earliest + lease })
}

/** Its status says something else. */
const hearingStatus = (
  plan: Parameters<MakeCallback>[0],
  otherwise: (question: Question, answer: Answer) => Answer,
): ReturnType<MakeCallback> => {
  const advance = shippedCallback(plan)
  return (run, event, at) =>
    event.kind === 'asked'
      ? advance(run, { kind: 'asked', answer: otherwise(event.answer.question, event.answer) }, at)
      : advance(run, event, at)
}

export const mistakes: readonly Mistake[] = [
  {
    what: 'a visit that shows what status said last, of whatever order',
    where: {
      company: 'two customers',
      trouble: 'no trouble',
      hasEarlier: true,
      make: plan => {
        const { advance, shown } = shipped(plan)
        return {
          advance,
          shown(heard) {
            const last = heard.answers.at(-1)
            return shown(heard) === undefined || last?.kind !== 'reply' ? shown(heard) : last.reply.status
          },
        }
      },
    },
    broken: /^run-\d shows declined, and the gateway never said so$/,
  },
  {
    what: 'a visit that shows what the store keeps of a declined order',
    where: {
      company: 'a customer, and a callback',
      trouble: 'a word that is taken back',
      make: hearing((run, event, at) => {
        const [order] = run.heard.first?.orders ?? []
        const isDeclined = order?.stages.some(({ outcome }) => outcome === 'declined') === true
        if (event.kind !== 'asked' || order === undefined || !isDeclined) return [run, event, at]
        const { clientOrderId = '', orderId = '' } = order
        const reply = replyOf({ clientOrderId, orderId, amount: '10.00', state: 'declined' })
        const { question, askedAt, answeredAt } = event.answer
        return [run, { kind: 'asked', answer: { kind: 'reply', reply, question, askedAt, answeredAt } }, at]
      }),
    },
    broken: /^run-\d shows declined, and the gateway had the money$/,
  },
  {
    what: 'a visit that takes no answer for a yes',
    where: {
      company: 'a customer, and the background',
      trouble: 'a question without an answer',
      make: hearing((run, event, at) => {
        if (event.kind !== 'asked' || event.answer.kind !== 'no-answer') return [run, event, at]
        const { question, askedAt, answeredAt } = event.answer
        const { clientOrderId, orderId = '' } = question
        const reply = replyOf({ clientOrderId, orderId, amount: '10.00', state: 'approved' })
        return [run, { kind: 'asked', answer: { kind: 'reply', reply, question, askedAt, answeredAt } }, at]
      }),
    },
    broken: /^run-\d shows approved, and the gateway never said so$/,
  },
  {
    what: 'a visit that keeps its lease although somebody else wrote meanwhile',
    where: {
      company: 'a customer, and the background',
      trouble: 'no trouble',
      make: hearing((run, event, at) => [run, event.kind === 'conflict' ? { kind: 'written' } : event, at]),
    },
    broken: /^run-\d calls a handler under a lease that is somebody else’s$/,
  },
  {
    what: 'a visit that tells nobody what it has learnt',
    where: {
      company: 'two customers',
      trouble: 'no trouble',
      make: mistaken(next => scene => {
        const step = next(scene)
        if (step.kind !== 'deliver') return step
        return { kind: 'end', result: { kind: 'asked', delivered: { kind: 'nothing', payment: scene.payment } } }
      }),
    },
    broken: /^run-\d says nothing, and has left something untold$/,
  },
  {
    what: 'a visit that takes a handler that failed for told',
    where: {
      company: 'a customer, and a callback',
      trouble: 'a handler that fails',
      hasTransactions: false,
      make: hearing((run, event, at) => [
        run,
        event.kind === 'handled' && event.end.kind === 'failed'
          ? { kind: 'handled', end: { kind: 'told', wanted: [], isApproval: true } }
          : event,
        at,
      ]),
    },
    broken: /has told nothing$|marked as told, and 0 are booked$/,
  },
  {
    what: 'a visit that sends something for a declined order',
    where: {
      company: 'two customers',
      trouble: 'a decline',
      make: plan => {
        const { advance, shown } = shipped(plan)
        return {
          shown,
          advance(run, event, at) {
            const after = advance(run, event, at)
            if (after.effect.kind !== 'end' || shown(after.run.heard) !== 'declined') return after
            const doing = { kind: 'request', request: `${run.id}/9`, startBy: at.latest + 1 } as const
            return { run: { ...after.run, doing }, effect: doing }
          },
        }
      },
    },
    broken: /^run-\d does "request"$/,
  },
  {
    what: 'a visit that asks for ever',
    where: {
      company: 'one customer',
      trouble: 'no trouble',
      make: mistaken(next => scene => next({ ...scene, heard: { ...scene.heard, answers: [] } })),
    },
    broken: /^a run does not end$/,
  },
  {
    what: 'a callback that counts as answered although status lags',
    where: {
      company: 'a customer, and a callback',
      trouble: 'status that lags',
      keepsCallbacks: true,
      makeCallback: answersCallbacks,
    },
    broken: /^a callback says (approved|declined), counts as answered, and that is not kept$/,
  },
  {
    what: 'a callback that ends the lease of a customer’s visit',
    where: { company: 'a customer, and a callback', trouble: 'no trouble', makeCallback: impatientCallback },
    broken: /^two handlers run at one time$/,
  },
  {
    what: 'a callback of another order id that is left to the gateway',
    where: {
      company: 'two callbacks',
      trouble: 'a request that is repeated',
      makeCallback: plan => {
        const next = callback(plan)
        return createAdvance(
          scene => {
            const [known] = scene.heard.first?.orders ?? []
            return known === undefined || known.orderId === plan.orderId
              ? next(scene)
              : { kind: 'end', result: { kind: 'other-order', order: known, isShown: false } }
          },
          () => defaultProfile,
        )
      },
    },
    broken: /^nobody can tell what is left$/,
  },
  {
    what: 'a callback of another order id that is answered by what status says of the known one',
    where: {
      company: 'two callbacks',
      trouble: 'a request that is repeated',
      makeCallback: plan => shippedCallback({ ...plan, orderId: '' }),
    },
    broken: /^nobody can tell what is left$/,
  },
  {
    what: 'an order of another id that is taken up as soon as its callback comes',
    where: {
      company: 'two callbacks',
      trouble: 'a request that is repeated, and a decline',
      makeCallback: plan =>
        hearingStatus(plan, (question, answer) =>
          question.orderId === repeatedId && answer.kind === 'reply'
            ? { ...answer, reply: { ...answer.reply, status: 'approved' } }
            : answer,
        ),
    },
    broken: /^it is kept that basket-7~9 is approved, and the gateway never said so$/,
  },
]
