/** Mistakes of what looks after an order: when its callback has come, or in the background. */
import { defaultProfile } from '@tillkit/protocol'
import { createAdvance } from '../../../../packages/till/src/engine/advance.js'
import { historyOf } from '../../../../packages/till/src/history/news.js'
import { callback } from '../../../../packages/till/src/intents/callback.js'
import type { Answer, Question } from '../../../../packages/till/src/rules/answer.js'
import { callbackAnswered } from '../../../../packages/till/src/rules/orders/happened.js'
import type { PaymentDocument } from '../../../../packages/till/src/state/document.js'
import { toDocument } from '../../../../packages/till/src/state/evolve.js'
import { repeatedId } from './repeated.js'
import { type Exploration, type MakeCallback, shippedCallback } from './visit.js'
import { lease } from './world.js'

/** A mistake, where it is planted, and the rule that it breaks. */
export interface Mistake {
  readonly what: string
  readonly where: Exploration
  readonly broken: RegExp
}

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

/** Learns the amount that came late, and takes it for no news. */
const quietOfAmounts: MakeCallback = plan => {
  const next = callback(plan)
  return createAdvance(
    scene => {
      const payment = scene.payment && withoutNewsOfAmounts(scene.payment)
      const step = next({ ...scene, payment })
      return step.kind === 'end' ? { ...step, payment: step.payment ?? payment } : step
    },
    () => defaultProfile,
  )
}

/** Facts are what is kept; the rest of the payment follows from them. */
const withoutNewsOfAmounts = (payment: PaymentDocument): PaymentDocument =>
  toDocument(
    historyOf({
      ...payment,
      facts: payment.facts.map(fact => {
        if (fact.kind !== 'status') return fact
        const { amountCame: _news, ...said } = fact
        return said
      }),
    }),
  )

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

export const callbackMistakes: readonly Mistake[] = [
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
    what: 'an amount that comes late, and is told to nobody',
    where: {
      company: 'a customer, and the background',
      trouble: 'an amount that comes late',
      makeCallback: quietOfAmounts,
    },
    broken: /^nobody can tell what is left$/,
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
