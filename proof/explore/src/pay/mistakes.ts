/** Runners and intents with one mistake each, which the explorer has to find. */
import type { Next, Scene } from '../../../../packages/till/src/intents/next.js'
import type { PayPlan, PayResult } from '../../../../packages/till/src/intents/pay.js'
import type { Answer, Question } from '../../../../packages/till/src/rules/answer.js'
import { gatewayUrl } from '../sending/world.js'
import { replyOf } from './gateway.js'
import { type Exploration, type MakePay, type Pay, runnerOf, shipped, shippedNext } from './pay.js'

export interface Mistake {
  readonly what: string
  readonly where: Exploration
  readonly broken: RegExp
  readonly make: MakePay
}

/** The shipped runner, which hears something else. */
export const hearing =
  (otherwise: (...heard: Parameters<Pay>) => Parameters<Pay> | ReturnType<Pay>): MakePay =>
  (plan, profile) => {
    const advance = shipped(plan, profile)
    return (...heard) => {
      const other = otherwise(...heard)
      return 'effect' in other ? other : advance(...other)
    }
  }

/** The shipped intent, which sees something else. */
const seeing =
  (otherwise: (scene: Scene, next: Next<PayResult>) => Scene): MakePay =>
  (plan, profile) => {
    const next = shippedNext(plan)
    return runnerOf(scene => next(otherwise(scene, next)), profile)
  }

/** The shipped intent of another plan. */
const planning =
  (otherwise: (plan: PayPlan) => PayPlan): MakePay =>
  (plan, profile) =>
    runnerOf(shippedNext(otherwise(plan)), profile)

/** The shipped intent, which believes to have heard answers to some of its questions. */
const believing = (answerTo: (question: Question, scene: Scene) => Answer | undefined): MakePay =>
  seeing((scene, next) => {
    let seen = scene
    for (let step = next(seen); step.kind === 'ask'; step = next(seen)) {
      const answer = answerTo(step.question, scene)
      if (answer === undefined) break
      seen = { ...seen, heard: { ...seen.heard, answers: [...seen.heard.answers, answer] } }
    }
    return seen
  })

export const declinedAgain = (question: Question, at: number): Answer => {
  const { clientOrderId, orderId = '1' } = question
  const reply = replyOf({ clientOrderId, orderId, amount: '10.00', state: 'declined' })
  return { kind: 'reply', reply, question, askedAt: at, answeredAt: at }
}

const neverSeen = (question: Question, at: number): Answer => ({
  kind: 'never-seen',
  baseUrl: gatewayUrl,
  before: [],
  question,
  askedAt: at,
  answeredAt: at,
})

/** Leads to the form that it has opened, although the payment went on without that order. */
export const leadsToLeftForm: MakePay = (plan, profile) => {
  const next = shippedNext(plan)
  return runnerOf(scene => {
    const step = next(scene)
    const { end, request } = scene.heard
    const own = scene.payment?.orders.find(({ attempts }) => attempts.some(each => each.reservation === request))
    if (own === undefined || end?.redirectUrl === undefined) return step
    const result = { kind: 'go', order: own, formUrl: end.redirectUrl, missing: [], at: 0 } as const
    return { kind: 'end', result }
  }, profile)
}

export const mistakes: readonly Mistake[] = [
  {
    what: 'keeps its decision although somebody else wrote meanwhile',
    where: { scene: 'two presses' },
    broken: /sends what is not durable$/,
    make: hearing((run, event, at) => [run, event.kind === 'conflict' ? { kind: 'written' } : event, at]),
  },
  {
    what: 'writes its next order down in place of the one that was declined',
    where: { scene: 'a decline', goesOn: false },
    broken: /^order basket-7 is kept no longer$/,
    make: (plan, profile) => {
      const advance = shipped(plan, profile)
      return (run, event, at) => {
        const { run: after, effect } = advance(run, event, at)
        if (effect.kind !== 'write') return { run: after, effect }
        const doing = { ...effect, document: { ...effect.document, orders: effect.document.orders.slice(-1) } }
        return { run: { ...after, doing }, effect: doing }
      }
    },
  },
  {
    what: 'sends after the time in which it may',
    where: { scene: 'a slow process' },
    broken: /leaves too late$/,
    make: (plan, profile) => {
      const advance = shipped(plan, profile)
      return (run, event, at) => {
        const { run: after, effect } = advance(run, event, { ...at, latest: at.latest - 1_000 })
        if (effect.kind !== 'request') return { run: after, effect }
        const doing = { ...effect, startBy: effect.startBy + 1_000 }
        return { run: { ...after, doing }, effect: doing }
      }
    },
  },
  {
    what: 'sends what its caller was told is not sent',
    where: { scene: 'a slow process' },
    broken: /sends what its caller was told is not sent$/,
    make: hearing((run, event, at) => [run, event, { ...at, latest: at.latest - 1_000, passed: 0 }]),
  },
  {
    what: 'takes a lost answer for a refusal',
    where: { scene: 'a lost answer of a request' },
    broken: /did nothing, and it may arrive$|says not-opened, and its request may arrive$/,
    make: hearing((run, event, at) => [
      run,
      event.kind === 'sent' && event.end.kind === 'unknown'
        ? { kind: 'sent', end: { kind: 'refused', at: event.end.at } }
        : event,
      at,
    ]),
  },
  {
    what: 'gives an address that is not durable',
    where: { scene: 'two presses' },
    broken: /gives an address that is not durable$/,
    make: (plan, profile) => {
      const advance = shipped(plan, profile)
      return (run, event, at) => {
        const { run: after, effect } = advance(run, event, at)
        if (after.saying === undefined) return { run: after, effect }
        const { known, saying } = after
        const doing = { kind: 'end', result: { kind: 'done', result: saying.result, known } } as const
        return { run: { ...after, doing }, effect: doing }
      }
    },
  },
  {
    what: 'opens the next order without asking about a declined one again',
    where: { scene: 'a word that is taken back' },
    broken: /leaves although the gateway had the money when it was asked for$/,
    make: believing((question, { kept, at }) =>
      kept?.orders.some(
        ({ clientOrderId, stages }) =>
          clientOrderId === question.clientOrderId && stages.some(({ outcome }) => outcome === 'declined'),
      ) === true
        ? declinedAgain(question, at.earliest)
        : undefined,
    ),
  },
  {
    what: 'takes a question without an answer for what was known',
    where: {
      scene: 'a question without an answer',
      budget: { presses: 2, declines: 1, asks: 1, corrections: 1, lostQuestions: 1 },
      goesOn: false,
    },
    broken: /leaves although the gateway had the money when it was asked for$/,
    make: hearing((run, event, at) => [
      run,
      event.kind === 'asked' && event.answer.kind === 'no-answer'
        ? { kind: 'asked', answer: declinedAgain(event.answer.question, event.answer.askedAt) }
        : event,
      at,
    ]),
  },
  {
    what: 'sends though a person stopped new money',
    where: { scene: 'a pause' },
    broken: /leaves although new money was stopped before that was looked up$/,
    make: seeing(scene => ({ ...scene, heard: { ...scene.heard, marks: {} } })),
  },
  {
    what: 'does not look at the marks again after a question',
    where: { scene: 'a pause' },
    broken: /leaves although new money was stopped before that was looked up$/,
    make: seeing(scene => ({ ...scene, heard: { ...scene.heard, isFresh: true } })),
  },
  {
    what: 'does not look for lost orders',
    where: { scene: 'a restored store' },
    broken: /nobody has asked for basket-7 since the restore$/,
    make: seeing(scene => ({ ...scene, heard: { ...scene.heard, marks: {} } })),
  },
  {
    what: 'looks for one lost order, and not for those after it',
    where: { scene: 'a restored store' },
    broken: /nobody has asked for basket-7.2r since the restore$/,
    make: (plan, profile) => {
      const [all, one] = [shippedNext(plan), shippedNext({ ...plan, rules: { ...plan.rules, mostOrders: 1 } })]
      return runnerOf(scene => (scene.payment === undefined ? one : all)(scene), profile)
    },
  },
  {
    what: 'leaves an order that was lost for one that nobody has',
    where: { scene: 'a restored store', budget: { presses: 2, restores: 1 } },
    broken: /nobody has asked for basket-7.2r since the restore$/,
    make: seeing(scene => {
      const isTakenUp = scene.payment?.orders.some(({ stages }) => stages.length > 0) === true
      return isTakenUp ? { ...scene, heard: { ...scene.heard, marks: {} } } : scene
    }),
  },
  {
    what: 'replaces a form although the merchant does not allow it',
    where: { scene: 'a form that is not replaced', budget: { presses: 2 } },
    broken: /^customers may pay, or have paid, form 1 of basket-7 and form 2 of basket-7.2r$/,
    make: planning(plan => ({ ...plan, rules: { ...plan.rules, replaceOpenForm: true } })),
  },
  {
    what: 'opens an order over another amount before the time of the form is over',
    where: { scene: 'another amount, and a form that ends' },
    broken: /^customers may pay, or have paid, form 1 of basket-7 and form 2 of basket-7.2r$/,
    make: (plan, profile) => {
      const short = { ...profile, formLifetime: { ...profile.formLifetime, value: profile.formLifetime.value / 2 } }
      const accountOf: PayPlan['accountOf'] = before => ({ ...plan.accountOf(before), profile: short })
      return shipped({ ...plan, accountOf, profileOf: () => short }, short)
    },
  },
  {
    what: 'opens an order over another amount by an answer from before the form was over',
    where: { scene: 'another amount, and a form that ends', budget: { presses: 2, slowTicks: 1 } },
    broken: /^customers may pay, or have paid, form 1 of basket-7 and form 2 of basket-7.2r$/,
    make: hearing((run, event, at) => {
      if (event.kind !== 'asked') return [run, event, at]
      return [run, { kind: 'asked', answer: { ...event.answer, askedAt: event.answer.answeredAt } }, at]
    }),
  },
  {
    what: 'replaces a form whose customer has given a card',
    where: { scene: 'another amount, and a form that is replaced' },
    broken: /leaves beside basket-7, whose customer had given a card$/,
    make: hearing((run, event, at) => {
      if (event.kind !== 'asked' || event.answer.kind !== 'reply') return [run, event, at]
      const { bin: _bin, lastFourDigits: _digits, ...reply } = event.answer.reply
      return [run, { kind: 'asked', answer: { ...event.answer, reply } }, at]
    }),
  },
  {
    what: 'leads to a form over another amount',
    where: { scene: 'another amount' },
    broken: /leads to a form over another amount$/,
    make: planning(plan => ({ ...plan, terms: { ...plan.terms, amount: '10.00' } })),
  },
  {
    what: 'says that it is paid where nobody knows',
    where: { scene: 'a lost answer of a request' },
    broken: /says over, and nothing was paid$/,
    make: (plan, profile) => {
      const next = shippedNext(plan)
      return runnerOf(scene => {
        const step = next(scene)
        if (step.kind !== 'end' || step.result.kind !== 'wait') return step
        const { missing, at } = step.result
        return { kind: 'end', result: { kind: 'over', missing, at } }
      }, profile)
    },
  },
  {
    what: 'takes an order without an address for one that is under way for ever',
    where: { scene: 'a crash anywhere' },
    broken: /^nobody can pay any more$/,
    make: believing(question => ({ kind: 'no-answer', question, askedAt: 0, answeredAt: 0 })),
  },
  {
    what: 'sends a second request after a refusal',
    where: { scene: 'a restored store', budget: { presses: 2, restores: 1 } },
    broken: /sends 2 requests$/,
    make: seeing(scene => {
      const { request: _request, end, ...heard } = scene.heard
      return end?.kind === 'refused' ? { ...scene, heard } : scene
    }),
  },
  {
    what: 'does not pause before it looks again',
    where: { scene: 'two presses', budget: { presses: 2 } },
    broken: /^a run does not end$/,
    make: (plan, profile) => {
      const advance = shipped(plan, profile)
      return (run, event, at) => {
        const after = advance(run, event, at)
        const doing = { kind: 'read' } as const
        return after.effect.kind === 'sleep' ? { run: { ...after.run, doing }, effect: doing } : after
      }
    },
  },
  {
    what: 'takes every refused question for an order that was never seen',
    where: {
      scene: 'a restored store',
      budget: { presses: 2, restores: 1, lostQuestions: 1 },
      absence: 'as it refuses',
      usedIds: 'second-order',
    },
    broken: /leaves although the gateway had the money when it was asked for$/,
    make: hearing((run, event, at) => [
      run,
      event.kind === 'asked' && event.answer.kind === 'refused'
        ? { kind: 'asked', answer: neverSeen(event.answer.question, event.answer.askedAt) }
        : event,
      at,
    ]),
  },
]
