/** Scenes of visits with more worlds than a daily test has time for: three who come, and an earlier order whose decline is taken back. */
import { it } from 'vitest'
import { expectWhole } from './roughly.js'
import { type Exploration, exploreScene, nameOf } from './visit.js'

const all = 'a customer, a callback, and the background'

/** How many worlds each scene had, roughly. */
const kept: readonly (readonly [Exploration, worlds: number])[] = [
  [{ company: 'two customers', trouble: 'a decline', hasTransactions: false }, 810],
  [{ company: 'a customer, and the background', trouble: 'a crash' }, 906],
  [{ company: 'two customers', trouble: 'a word that is taken back', hasEarlier: true }, 4_541],
  [{ company: 'two customers', trouble: 'a lost answer of a write', hasTransactions: false }, 2_534],
  [{ company: 'two customers', trouble: 'a lost answer of a commit', hasEarlier: true }, 1_813],
  [{ company: 'two customers', trouble: 'a crash', hasTransactions: false }, 1_665],
  [{ company: 'two customers', trouble: 'status that lags', hasEarlier: true }, 1_237],
  [{ company: 'a customer, and a callback', trouble: 'a word that is taken back', keepsCallbacks: true }, 2_984],
  [{ company: 'a customer, and a callback', trouble: 'a word that is taken back', hasEarlier: true }, 2_854],
  [{ company: 'a customer, and a callback', trouble: 'a lost answer of a write', keepsCallbacks: true }, 1_884],
  [{ company: 'a customer, and a callback', trouble: 'a lost answer of a commit', keepsCallbacks: true }, 2_334],
  [{ company: 'a customer, and a callback', trouble: 'a crash', keepsCallbacks: true }, 1_521],
  [{ company: 'a customer, and the background', trouble: 'a word that is taken back', hasEarlier: true }, 3_022],
  [{ company: all, trouble: 'a decline' }, 4_705],
  [{ company: all, trouble: 'a word that is taken back' }, 40_500],
  [{ company: all, trouble: 'a crash' }, 16_444],
  [{ company: all, trouble: 'a lost answer of a write' }, 16_364],
  [{ company: all, trouble: 'a lost answer of a commit' }, 22_418],
  [{ company: all, trouble: 'a question without an answer' }, 4_879],
  [{ company: all, trouble: 'status that lags' }, 5_737],
  [{ company: all, trouble: 'a handler that fails' }, 9_030],
]

it.each(kept.map(each => [nameOf(each[0]), ...each] as const))(
  'customers are shown what the gateway says, and it is told once, in every world of: %s',
  (_, exploration, worlds) => {
    expectWhole(exploreScene(exploration), worlds)
  },
)
