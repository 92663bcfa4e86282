/** Scenes of follow-ups with more worlds than a daily test has time for: every cause of trouble, more runs, slower processes. */
import { expect, it } from 'vitest'
import { exploreFollowUps, type FollowUpExploration, nameOf } from './follow-up.js'
import { carriesStruck, sendsFailed } from './follow-up-mistakes.js'
import { expectWhole } from './roughly.js'

/** How many worlds each scene had, roughly. */
const kept: readonly (readonly [FollowUpExploration, worlds: number])[] = [
  [{ scene: 'a part and the rest', trouble: 'no trouble' }, 2_159],
  [{ scene: 'a part and the rest', trouble: 'a lost answer of a request', carries: 2 }, 629],
  [{ scene: 'a part and the rest', trouble: 'a lost answer of a write', carries: 2 }, 1_126],
  [{ scene: 'a part and the rest', trouble: 'a question without an answer', carries: 2 }, 886],
  [{ scene: 'a part and the rest', trouble: 'status that lags', carries: 2 }, 580],
  [{ scene: 'a part and the rest', trouble: 'a change that fails', carries: 2 }, 735],
  [{ scene: 'a part and the rest', trouble: 'a change that ends later, and fails', carries: 2 }, 1_362],
  [{ scene: 'a part and the rest', trouble: 'a slow process', carries: 2 }, 3_892],
  [{ scene: 'a surplus', trouble: 'a crash', carries: 2 }, 631],
  [{ scene: 'a surplus', trouble: 'a question without an answer', carries: 2 }, 465],
  [{ scene: 'a surplus', trouble: 'status that lags', carries: 2 }, 457],
  [{ scene: 'a surplus', trouble: 'a refusal', carries: 2 }, 629],
  [{ scene: 'a surplus', trouble: 'a change that fails', carries: 2 }, 519],
  [{ scene: 'a surplus', trouble: 'a change that ends later, and fails', carries: 2 }, 872],
  [{ scene: 'a surplus', trouble: 'a slow process', carries: 2 }, 5_624],
  [{ scene: 'a surplus, beside a return of the other order', trouble: 'a crash', carries: 1 }, 3_412],
  [
    { scene: 'a surplus, beside a return of the other order', trouble: 'a lost answer of a request', carries: 1 },
    4_050,
  ],
  [{ scene: 'a surplus, beside a return of the other order', trouble: 'a lost answer of a write', carries: 1 }, 5_820],
  [
    { scene: 'a surplus, beside a return of the other order', trouble: 'a question without an answer', carries: 1 },
    3_032,
  ],
  [{ scene: 'a surplus, beside a return of the other order', trouble: 'status that lags', carries: 1 }, 2_256],
  [{ scene: 'a surplus, beside a return of the other order', trouble: 'a refusal', carries: 1 }, 2_974],
  [{ scene: 'a surplus, beside a return of the other order', trouble: 'a change that fails', carries: 1 }, 3_710],
  [
    {
      scene: 'a surplus, beside a return of the other order',
      trouble: 'a change that ends later, and fails',
      carries: 1,
    },
    8_493,
  ],
  [{ scene: 'a surplus, beside a return of the other order', trouble: 'a slow process', carries: 1 }, 19_539],
  [{ scene: 'a part and the rest, beside the whole', trouble: 'a crash', carries: 1 }, 1_921],
  [{ scene: 'a part and the rest, beside the whole', trouble: 'a lost answer of a request', carries: 1 }, 1_676],
  [{ scene: 'a part and the rest, beside the whole', trouble: 'a lost answer of a write', carries: 1 }, 3_168],
  [{ scene: 'a part and the rest, beside the whole', trouble: 'a question without an answer', carries: 1 }, 2_020],
  [{ scene: 'a part and the rest, beside the whole', trouble: 'status that lags', carries: 1 }, 1_344],
  [{ scene: 'a part and the rest, beside the whole', trouble: 'a refusal', carries: 1 }, 1_594],
  [{ scene: 'a part and the rest, beside the whole', trouble: 'a change that fails', carries: 1 }, 1_988],
  [
    { scene: 'a part and the rest, beside the whole', trouble: 'a change that ends later, and fails', carries: 1 },
    4_436,
  ],
  [{ scene: 'a part and the rest', trouble: 'a change that fails, and a lost answer', carries: 2, asks: 2 }, 23_921],
  [{ scene: 'a part and the rest, beside the whole', trouble: 'a crash', carries: 2 }, 17_819],
  [{ scene: 'a part and the rest, beside the whole', trouble: 'a lost answer of a request', carries: 2 }, 12_991],
  [{ scene: 'a part and the rest, beside the whole', trouble: 'a lost answer of a write', carries: 2 }, 27_740],
  [{ scene: 'a part and the rest, beside the whole', trouble: 'a change that fails', carries: 2 }, 19_815],
  [{ scene: 'a part and the rest', trouble: 'a lost answer of a write' }, 7_093],
  [{ scene: 'a part and the rest, beside another part', trouble: 'no trouble', carries: 2 }, 13_816],
  [{ scene: 'a part and the rest, beside the whole', trouble: 'no trouble', carries: 2, changers: 3 }, 15_029],
  [{ scene: 'a surplus, beside a return of the other order', trouble: 'no trouble' }, 12_058],
  [{ scene: 'a surplus, beside a return of the other order', trouble: 'status that lags', carries: 2 }, 19_353],
  [{ scene: 'a surplus, beside a return of the other order', trouble: 'a change that fails', carries: 2 }, 23_345],
]

it.each(kept.map(each => [nameOf(each[0]), ...each] as const))(
  'follow-ups are carried out once, and not forgotten, in every world of: %s',
  (_, exploration, worlds) => {
    expectWhole(exploreFollowUps(exploration), worlds)
  },
)

it('the explorer finds a runner that carries out what another process has struck', () => {
  const { found } = exploreFollowUps({
    scene: 'a part and the rest, beside another part',
    trouble: 'a change that fails',
    carries: 2,
    carry: carriesStruck,
  })
  expect(found?.broken).toMatch(/^run-\d may carry cup out, and whole is next$/)
})

it('the explorer finds a runner that sends a follow-up again that a merchant has sent, and that failed', () => {
  const { found } = exploreFollowUps({
    scene: 'a part and the rest, beside the whole',
    trouble: 'a change that fails',
    carries: 2,
    carry: sendsFailed,
  })
  expect(found?.broken).toMatch(/^run-\d\/\d leaves, and whole was sent before$/)
})
