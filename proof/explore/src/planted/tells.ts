/** Mistakes of a payment whose process tells the handler what it learns. */

import { declinedAgain, hearing, type Mistake } from '../pay/mistakes.js'
import { exploreScene, type MakePay, runnerOf, shippedNext } from '../pay/pay.js'
import type { Planted } from '../scenes/scene.js'

const byCommits = { tells: 'by commits' } as const
const byMarks = { tells: 'by marks' } as const

/** The second press asks by itself whether the form is over. */
const aDecline = { presses: 2, declines: 1 }
const scene = 'a form that is not replaced'

/** Takes some steps without telling anybody before. */
const silentWhere =
  (isIt: (kind: ReturnType<ReturnType<typeof shippedNext>>['kind']) => boolean): MakePay =>
  (plan, profile) => {
    const [next, silent] = [shippedNext(plan), shippedNext({ ...plan, lease: undefined })]
    return runnerOf(scene => {
      const [step, other] = [next(scene), silent(scene)]
      return step.kind === 'deliver' && isIt(other.kind) ? other : step
    }, profile)
  }

const planted: readonly Mistake[] = [
  {
    what: 'opens the next order before it tells that the last one was declined',
    where: { scene, budget: aDecline, ...byCommits },
    broken: /^run-\d sends something before it tells what it has learnt$/,
    make: silentWhere(kind => kind !== 'end'),
  },
  {
    what: 'says how it stands, and tells nobody what it has learnt',
    where: { scene, budget: aDecline, ...byCommits },
    broken: /^run-\d ends, and has told nobody what it has learnt$/,
    make: silentWhere(kind => kind === 'end'),
  },
  {
    what: 'opens the next order where the first one was approved late',
    where: { scene, budget: { ...aDecline, corrections: 1 }, goesOn: false, ...byCommits },
    broken: /leaves although the gateway had the money when it was asked for$/,
    make: hearing((run, event, at) => [
      run,
      event.kind === 'asked' && event.answer.kind === 'reply' && event.answer.reply.status === 'approved'
        ? { kind: 'asked', answer: declinedAgain(event.answer.question, event.answer.askedAt) }
        : event,
      at,
    ]),
  },
  {
    what: 'keeps its lease although somebody else wrote meanwhile',
    where: { scene, budget: aDecline, ...byCommits },
    broken: /calls a handler under a lease that is somebody else’s$|sends what is not durable$/,
    make: hearing((run, event, at) => [run, event.kind === 'conflict' ? { kind: 'written' } : event, at]),
  },
  {
    what: 'takes a handler that failed for told',
    where: { scene, budget: { ...aDecline, failures: 1 }, goesOn: false, ...byMarks },
    broken: /marked as told, and 0 are booked$/,
    make: hearing((run, event, at) => [
      run,
      event.kind === 'handled' && event.end.kind === 'failed'
        ? { kind: 'handled', end: { kind: 'told', wanted: [], isApproval: true } }
        : event,
      at,
    ]),
  },
  {
    what: 'tells again what it has committed',
    where: { scene, budget: aDecline, goesOn: false, ...byCommits },
    broken: /is booked twice$|again, and nothing has happened$|booked, and 0 marked as told$/,
    make: (plan, profile) => {
      const next = shippedNext(plan)
      return runnerOf(scene => {
        const { payment } = scene
        const orders = payment?.orders.map(order => ({
          ...order,
          stages: order.stages.map(({ told: _told, ...stage }) => stage),
        }))
        return next(
          payment === undefined || orders === undefined ? scene : { ...scene, payment: { ...payment, orders } },
        )
      }, profile)
    },
  },
]

export const tells: readonly Planted[] = planted.map(({ what, where, make, broken }) => ({
  what: `pay: ${what}`,
  broken,
  walk: () => exploreScene({ ...where, make }),
}))
