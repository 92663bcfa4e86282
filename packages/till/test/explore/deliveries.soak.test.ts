/** Scenes of deliveries with more worlds than a daily test has time for: two outcomes, two causes of trouble, slower processes. */
import { it } from 'vitest'
import { type Exploration, exploreScene, nameOf } from './deliveries.js'
import { expectWhole } from './roughly.js'

const commits = { hasTransactions: true }
const marks = { hasTransactions: false }

/** How many worlds each scene had, roughly. */
const kept: readonly (readonly [Exploration, worlds: number])[] = [
  [{ scene: 'a crash anywhere', ...commits, outcomes: 2 }, 9_083],
  [{ scene: 'a crash anywhere', ...marks, outcomes: 2 }, 10_329],
  [{ scene: 'a lost answer', ...commits, outcomes: 2 }, 1_790],
  [{ scene: 'a lost answer', ...marks, outcomes: 2 }, 1_950],
  [{ scene: 'a lost answer of a commit', ...commits, outcomes: 2 }, 12_571],
  [{ scene: 'a handler that fails', ...commits, outcomes: 2 }, 5_085],
  [{ scene: 'a handler that fails', ...marks, outcomes: 2 }, 3_849],
  [{ scene: 'a handler that outstays its lease', ...commits, outcomes: 2 }, 5_831],
  [{ scene: 'a handler that outstays its lease', ...marks }, 10_191],
  [{ scene: 'a handler that outstays its lease', ...marks, processes: 1, runsEach: 2 }, 10_554],
  [{ scene: "somebody else's write", ...commits, outcomes: 2 }, 11_947],
  [{ scene: "somebody else's write", ...marks, outcomes: 2 }, 3_734],
  [{ scene: 'a caller who leaves', ...commits, outcomes: 2 }, 4_777],
  [{ scene: 'a caller who leaves', ...marks, outcomes: 2 }, 4_201],
  [{ scene: 'a write that is refused', ...commits, outcomes: 2 }, 1_035],
  [{ scene: 'a write that is refused', ...marks, outcomes: 2 }, 2_065],
  [{ scene: 'a slow process', ...commits, outcomes: 2 }, 8_903],
  [{ scene: 'a slow process', ...marks, outcomes: 2 }, 8_173],
  [{ scene: 'a slower process', ...commits }, 12_437],
  [{ scene: 'a slower process', ...marks }, 26_898],
  [{ scene: 'a crash, and a lost answer', ...commits }, 6_957],
  [{ scene: 'a crash, and a lost answer', ...marks }, 22_925],
  [{ scene: 'a lost commit, and a slow process', ...commits }, 28_910],
  [{ scene: "a crash, and somebody else's write", ...commits }, 23_689],
  [{ scene: 'a handler that fails late', ...commits }, 17_521],
  [{ scene: 'a handler that fails late', ...marks, processes: 1 }, 1_066],
  [{ scene: "somebody else's writes", ...commits }, 14_154],
  [{ scene: "somebody else's writes", ...marks }, 16_065],
]

it.each(kept.map(each => [nameOf(each[0]), ...each] as const))(
  'outcomes are told once, in order, and none is left for ever, in every world of: %s',
  (_, exploration, worlds) => {
    expectWhole(exploreScene(exploration), worlds)
  },
)
