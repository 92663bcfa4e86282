/** Every world of a payment whose process tells the handler what it learns before it opens anything more, with one cause of trouble each. */
import { describe, expect, it } from 'vitest'
import { type Exploration, exploreScene, type MakePay, nameOf, runnerOf, shippedNext } from './pay.js'
import { declinedAgain, hearing, type Mistake } from './pay-mistakes.js'

const byCommits = { tells: 'by commits' } as const
const byMarks = { tells: 'by marks' } as const

/** The second press asks by itself whether the form is over. */
const aDecline = { presses: 2, declines: 1 }
const scene = 'a form that is not replaced'

/** How many worlds each scene has, and how far the last one is away: a change is to be looked at. */
const kept: readonly (readonly [Exploration, worlds: number, depth: number])[] = [
  [{ scene, budget: { ...aDecline, corrections: 1 }, goesOn: false, ...byCommits }, 511, 27],
  [{ scene, budget: { ...aDecline, crashes: 1 }, ...byMarks }, 1_032, 26],
  [{ scene, budget: { ...aDecline, lostWrites: 1 }, ...byMarks }, 907, 27],
  [{ scene, budget: { ...aDecline, lostCommits: 1 }, ...byCommits }, 404, 26],
  [{ scene, budget: { ...aDecline, failures: 1 }, ...byCommits }, 467, 30],
]

describe('a payment whose process tells', () => {
  it.each(kept.map(each => [nameOf(each[0]), ...each] as const))(
    'is charged once, and what is learnt is told before anything is opened, in every world of: %s',
    (_, exploration, worlds, depth) => {
      expect(exploreScene(exploration)).toEqual({ worlds, depth })
    },
  )
})

describe('the explorer finds a runner that', () => {
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

  it.each(planted.map(each => [each.what, each] as const))('%s', (_, { where, make, broken }) => {
    const { found } = exploreScene({ ...where, make })
    expect(found?.broken).toMatch(broken)
    expect(found?.moves[0]).toMatch(/^process 1 is asked for/)
  })
})
