/** Mistakes of returns. */
import { change as changeOf } from '../../../../packages/till/src/intents/change.js'
import { requested } from '../../../../packages/till/src/rules/orders/reserve.js'
import { paidPayment } from '../../../../packages/till/test/engine/known-sale.js'
import { type Exploration, exploreScene, type MakeChange, planOf, runnerOf, shipped } from '../change/change.js'
import { instead, mistaken } from '../change/mistakes.js'
import type { Planted } from '../scenes/scene.js'

const planted: readonly (readonly [what: string, where: Exploration, broken: RegExp, make: MakeChange])[] = [
  [
    'that keeps its decision although somebody else wrote meanwhile',
    { pair: 'the whole twice', trouble: 'no trouble' },
    /^run-\d\/1 leaves, and is not kept$|^whole is given back twice$/,
    wish => (run, event, at) => shipped(wish)(run, event.kind === 'conflict' ? { kind: 'written' } : event, at),
  ],
  [
    'that does not ask what is kept of the payment',
    { pair: 'the whole twice', trouble: 'no trouble' },
    /^whole is given back twice$/,
    wish => {
      const next = changeOf(planOf(wish))
      return runnerOf(scene => {
        const step = next(scene.heard.end === undefined ? { ...scene, payment: paidPayment, kept: paidPayment } : scene)
        return step.kind === 'send' && scene.payment !== undefined
          ? { ...step, payment: requested(scene.payment, step.attempt) }
          : step
      })
    },
  ],
  [
    'that takes a lost answer for a refusal',
    { pair: 'the whole twice', trouble: 'a lost answer of a request' },
    /did nothing, and it may arrive$|says "refused", and its request may arrive$/,
    wish => (run, event, at) => {
      const isLost = event.kind === 'sent' && event.end.kind === 'unknown'
      return shipped(wish)(run, isLost ? { kind: 'sent', end: { kind: 'refused', at: at.latest } } : event, at)
    },
  ],
  [
    'that takes a lost answer for a yes',
    { pair: 'a part twice', trouble: 'a lost answer of a request' },
    /says "accepted", and it never arrived$/,
    wish => (run, event, at) => {
      const isLost = event.kind === 'sent' && event.end.kind === 'unknown'
      return shipped(wish)(run, isLost ? { kind: 'sent', end: { kind: 'accepted', at: at.latest } } : event, at)
    },
  ],
  [
    'that sends after the time in which it may',
    { pair: 'the whole twice', trouble: 'a slow process' },
    /leaves too late$/,
    wish => (run, event, at) => {
      const { run: after, effect } = shipped(wish)(run, event, { ...at, latest: at.latest - 1_000, passed: 0 })
      if (effect.kind !== 'request') return { run: after, effect }
      const doing = { ...effect, startBy: effect.startBy + 1_000 }
      return { run: { ...after, doing }, effect: doing }
    },
  ],
  [
    'that sends what its caller was told is not sent',
    { pair: 'a part twice', trouble: 'a slow process' },
    /its caller was told that nothing is sent$/,
    wish => (run, event, at) => shipped(wish)(run, event, { ...at, latest: at.latest - 1_000, passed: 0 }),
  ],
  [
    'that returns the whole although a part of it was',
    { pair: 'a part, and the whole', trouble: 'no trouble' },
    /^13 of 10 is given back$/,
    instead((step, { payment }) => {
      if (step.kind !== 'send' || payment === undefined || step.attempt.attemptId !== 'return-rest:1') return step
      const { amount: _rest, currency: _of, ...attempt } = step.attempt
      return { ...step, attempt, payment: requested(payment, attempt) }
    }),
  ],
  [
    'that does not wait for an earlier return to end',
    { pair: 'a part, and the whole', trouble: 'no trouble' },
    /^13 of 10 is given back$/,
    mistaken(next => scene => {
      const step = next(scene)
      const isOpen = step.kind === 'end' && step.result.kind === 'refused' && step.result.step.kind === 'open'
      if (!isOpen || scene.payment === undefined) return step
      const again = next({ ...scene, payment: paidPayment, kept: paidPayment })
      return again.kind === 'send' ? { ...again, payment: requested(scene.payment, again.attempt) } : again
    }),
  ],
  [
    'that says it was sent before of what was refused',
    { pair: 'a part twice', trouble: 'a refusal' },
    /says "again, not known", and no such request may have arrived$/,
    instead((step, { at }) =>
      step.kind === 'end' && step.result.kind === 'ended' && step.result.end.kind === 'refused'
        ? { ...step, result: { kind: 'again', isAccepted: false, at: at.earliest } }
        : step,
    ),
  ],
  [
    'that says it may not be sent of what it has sent',
    { pair: 'the whole twice', trouble: 'a lost answer of a request' },
    /says "may not: open", and its request may arrive$/,
    instead((step, { at }) =>
      step.kind === 'end' && step.result.kind === 'ended' && step.result.end.kind === 'unknown'
        ? { ...step, result: { kind: 'refused', step: { kind: 'open' }, at: at.earliest } }
        : step,
    ),
  ],
  [
    'that asks for ever',
    { pair: 'the whole twice', trouble: 'no trouble' },
    /^a run does not end$/,
    mistaken(next => scene => next({ ...scene, heard: { ...scene.heard, answers: [] } })),
  ],
]

export const change: readonly Planted[] = planted.map(([what, where, broken, make]) => ({
  what: `change: ${what}`,
  broken,
  walk: () => exploreScene({ ...where, make }),
}))
