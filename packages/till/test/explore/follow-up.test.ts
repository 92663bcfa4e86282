/** Every world of follow-ups that the shipped runner and rules come to, in scenes with one cause of trouble each, until there is no new one. */
import { describe, expect, it } from 'vitest'
import type { Carrying } from './change-world.js'
import { exploreFollowUps, type FollowUpExploration, nameOf } from './follow-up.js'
import {
  asksNobody,
  asksNothing,
  goesByFirst,
  keepsDecision,
  strikesFirst,
  strikesSent,
  strikesWaiting,
} from './follow-up-mistakes.js'

/** How many worlds each scene has, and how far the last one is away: a change is to be looked at. */
const kept: readonly (readonly [FollowUpExploration, worlds: number, depth: number])[] = [
  [{ scene: 'a part and the rest', trouble: 'no trouble', carries: 2 }, 349, 33],
  [{ scene: 'a part and the rest', trouble: 'a crash', carries: 2 }, 797, 33],
  [{ scene: 'a part and the rest', trouble: 'a refusal', carries: 2 }, 703, 33],
  [{ scene: 'a part and the rest, beside the whole', trouble: 'no trouble', carries: 1 }, 872, 37],
  [{ scene: 'a surplus', trouble: 'a lost answer of a write', carries: 2 }, 506, 38],
  [{ scene: 'a surplus', trouble: 'a lost answer of a request', carries: 2 }, 376, 34],
  [{ scene: 'a surplus, beside a return of the other order', trouble: 'no trouble', carries: 1 }, 1_592, 39],
  [{ scene: 'a surplus, beside a return by hand', trouble: 'no trouble', carries: 2 }, 1_092, 35],
]

describe('follow-ups', () => {
  const seen = new Set<string>()

  it.each(kept.map(each => [nameOf(each[0]), ...each] as const))(
    'are carried out once, and not forgotten, in every world of: %s',
    (_, exploration, worlds, depth) => {
      expect(exploreFollowUps({ ...exploration, look: end => seen.add(end) })).toEqual({ worlds, depth })
    },
  )

  it('come to every end that they can have', () => {
    expect([...seen].sort()).toEqual([
      'accepted',
      'done: accepted',
      'done: nothing',
      'gone: surplus kept',
      'may not: open',
      'open: again, not known',
      'open: may not: not-possible',
      'open: may not: open',
      'open: refused',
      'open: surplus wait',
      'open: unknown',
    ])
  })
})

describe('the explorer finds a runner', () => {
  const rest = { scene: 'a part and the rest', carries: 2 } as const
  const surplus = { scene: 'a surplus', carries: 2 } as const
  const beside = { scene: 'a surplus, beside a return of the other order', carries: 1 } as const
  const byHand = { scene: 'a surplus, beside a return by hand', carries: 1 } as const
  const notTaken = /^(cup|surplus) is struck, and the gateway has not taken it$/
  const otherFirst = /leaves, and the other order may be on its way back$/

  const planted: readonly (readonly [what: string, where: FollowUpExploration, broken: RegExp, carry: Carrying])[] = [
    ['that strikes a follow-up before its request ended', { ...rest, trouble: 'no trouble' }, notTaken, strikesFirst],
    [
      'that strikes one whose request was not answered',
      { ...rest, trouble: 'a lost answer of a request' },
      notTaken,
      strikesSent,
    ],
    ['that strikes one that was refused', { ...rest, trouble: 'a refusal' }, notTaken, strikesSent],
    [
      'that keeps its decision although somebody else wrote meanwhile',
      { ...rest, trouble: 'no trouble' },
      /leaves, and is not kept$/,
      keepsDecision,
    ],
    ['that strikes a surplus that was refused', { ...surplus, trouble: 'a refusal' }, notTaken, strikesSent],
    [
      'that keeps its decision over a surplus',
      { ...surplus, trouble: 'no trouble' },
      /leaves, and is not kept$/,
      keepsDecision,
    ],
    ['that gives a surplus back as any other money', { ...beside, trouble: 'no trouble' }, otherFirst, asksNobody],
    ['that goes by how the other order stood first', { ...beside, trouble: 'no trouble' }, otherFirst, goesByFirst],
    [
      'that gives a surplus up while the other order may go back',
      { ...beside, trouble: 'no trouble' },
      notTaken,
      strikesWaiting,
    ],
    [
      'that asks nothing of the other order',
      { ...byHand, trouble: 'no trouble' },
      /the other order was given back by hand$/,
      asksNothing,
    ],
  ]

  it.each(planted)('%s', (_, where, broken, carry) => {
    expect(exploreFollowUps({ ...where, carry }).found?.broken).toMatch(broken)
  })
})
