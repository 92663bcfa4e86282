/** Intents and runners with one mistake each, which the explorer of visits has to find. */
import { type VisitPlan, visit } from '../../../../packages/till/src/intents/customers/visit.js'
import { replyOf } from '../pay/gateway.js'
import { callbackMistakes, type Mistake } from './callback-mistakes.js'
import { type MakeVisit, shipped, visitingBy } from './visit.js'
import type { Visiting } from './world.js'

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
  ...callbackMistakes,
]
