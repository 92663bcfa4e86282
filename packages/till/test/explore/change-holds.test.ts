/** Every world of captures and voids of held money that the shipped runner and rules come to, in scenes with one cause of trouble each. */
import { describe, expect, it } from 'vitest'
import { requested } from '../../src/rules/orders/reserve.js'
import { booksAfter, type Exploration, exploreScene, type MakeChange, nameOf, shipped } from './change.js'
import { instead, mistaken } from './change-mistakes.js'
import { heldPayment } from './change-world.js'

/** How many worlds each scene has, and how far the last one is away: a change is to be looked at. */
const kept: readonly (readonly [Exploration, worlds: number, depth: number])[] = [
  [{ pair: 'a capture twice', trouble: 'a crash' }, 368, 30],
  [{ pair: 'a capture twice', trouble: 'a lost answer of a write' }, 459, 34],
  [{ pair: 'a capture of a part twice', trouble: 'a lost answer of a request' }, 339, 30],
  [{ pair: 'a void twice', trouble: 'a lost answer of a write' }, 539, 34],
  [{ pair: 'a capture, and a void', trouble: 'a lost answer of a request' }, 989, 32],
  [{ pair: 'a capture, and a void', trouble: 'a change that fails' }, 1_266, 37],
]

describe('money that is held', () => {
  it.each(kept.map(each => [nameOf(each[0]), ...each] as const))(
    'is captured once, and never after it was released, in every world of: %s',
    (_, exploration, worlds, depth) => {
      expect(exploreScene(exploration)).toEqual({ worlds, depth })
    },
  )

  it('is captured in two parts, or at once', () => {
    expect(booksAfter({ pair: 'a capture of a part, and of the whole', trouble: 'no trouble' })).toEqual([
      '',
      'capture 10 approved',
      'parcel 3 approved',
      'parcel 3 approved, capture 7 approved',
    ])
  })

  it('is captured or released, or the rest of it is released after a part was captured', () => {
    expect(booksAfter({ pair: 'a capture, and a void', trouble: 'no trouble' })).toEqual([
      '',
      'capture 10 approved',
      'void 10 approved',
    ])
    expect(booksAfter({ pair: 'a capture of a part, and a void', trouble: 'no trouble' })).toEqual([
      '',
      'parcel 3 approved',
      'parcel 3 approved, void 7 approved',
      'void 10 approved',
    ])
  })
})

describe('the explorer finds a runner', () => {
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

  it.each(planted)('%s', (_, where, broken, make) => {
    const { found } = exploreScene({ ...where, make })
    expect(found?.broken).toMatch(broken)
    expect(found?.moves[0]).toMatch(/^process 1 is asked for (capture|parcel)$/)
  })
})
