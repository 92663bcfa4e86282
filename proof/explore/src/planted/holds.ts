/** Mistakes of captures and voids. */
import { requested } from '../../../../packages/till/src/rules/orders/reserve.js'
import { type Exploration, exploreScene, type MakeChange, shipped } from '../change/change.js'
import { instead, mistaken } from '../change/mistakes.js'
import { heldPayment } from '../change/world.js'
import type { Planted } from '../scenes/scene.js'

/** An intent that decides as if nothing was changed before, where it may not send. */
const forgetful = (kinds: readonly string[]): MakeChange =>
  mistaken(next => scene => {
    const step = next(scene)
    const isRefused = step.kind === 'end' && step.result.kind === 'refused' && kinds.includes(step.result.step.kind)
    if (!isRefused || scene.payment === undefined) return step
    const again = next({ ...scene, payment: heldPayment, kept: heldPayment })
    return again.kind === 'send' ? { ...again, payment: requested(scene.payment, again.attempt) } : again
  })

const planted: readonly (readonly [what: string, where: Exploration, broken: RegExp, make: MakeChange])[] = [
  [
    'that captures what was released',
    { pair: 'a capture, and a void', trouble: 'no trouble' },
    /^(money is captured that was released before|nothing is held that is released)$/,
    forgetful(['not-possible']),
  ],
  [
    'that does not wait for a void of which nobody knows the end',
    { pair: 'a capture, and a void', trouble: 'a lost answer of a request' },
    /^(money is captured that was released before|nothing is held that is released)$/,
    forgetful(['open']),
  ],
  [
    'that captures the whole although a part of it was',
    { pair: 'a capture of a part, and of the whole', trouble: 'no trouble' },
    /^13 of 10 is captured$/,
    instead((step, { payment }) => {
      if (step.kind !== 'send' || payment === undefined || step.attempt.attemptId !== 'capture-rest:1') return step
      const { amount: _rest, currency: _of, ...attempt } = step.attempt
      return { ...step, attempt, payment: requested(payment, attempt) }
    }),
  ],
  [
    'that takes a lost answer to a capture for a refusal',
    { pair: 'a capture twice', trouble: 'a lost answer of a request' },
    /did nothing, and it may arrive$|says "refused", and its request may arrive$/,
    wish => (run, event, at) => {
      const isLost = event.kind === 'sent' && event.end.kind === 'unknown'
      return shipped(wish)(run, isLost ? { kind: 'sent', end: { kind: 'refused', at: at.latest } } : event, at)
    },
  ],
  [
    'that keeps its decision to release although somebody else wrote meanwhile',
    { pair: 'a capture, and a void', trouble: 'no trouble' },
    /^run-\d\/1 leaves, and is not kept$|^money is captured that was released before$/,
    wish => (run, event, at) => shipped(wish)(run, event.kind === 'conflict' ? { kind: 'written' } : event, at),
  ],
]

export const holds: readonly Planted[] = planted.map(([what, where, broken, make]) => ({
  what: `change: ${what}`,
  broken,
  walk: () => exploreScene({ ...where, make }),
}))
