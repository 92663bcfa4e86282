/** Scenes of returns, captures and voids with more worlds than a daily test has time for: slower processes, a third request, somebody who asks. */
import { expect, it } from 'vitest'
import { booksAfter, type Exploration, exploreScene, nameOf } from './change.js'
import { expectWhole } from './roughly.js'

/** How many worlds each scene had, roughly. */
const kept: readonly (readonly [Exploration, worlds: number])[] = [
  [{ pair: 'a part twice', trouble: 'a crash', later: ['cup'] }, 980],
  [{ pair: 'a part twice', trouble: 'a lost answer of a request', asks: 1 }, 1_311],
  [{ pair: 'a part twice', trouble: 'a change that ends later, and fails', later: ['cup'] }, 1_091],
  [{ pair: 'a part, and the whole', trouble: 'a crash' }, 1_652],
  [{ pair: 'a part, and the whole', trouble: 'a lost answer of a write' }, 2_817],
  [{ pair: 'a part, and the whole', trouble: 'a question without an answer' }, 1_768],
  [{ pair: 'a part, and the whole', trouble: 'a change that fails', later: ['cup'] }, 8_181],
  [{ pair: 'a part, and the whole', trouble: 'a change that ends later, and fails' }, 3_628],
  [{ pair: 'a part, and the whole', trouble: 'a lost answer of a request', asks: 1 }, 12_192],
  [{ pair: 'a part, and the whole', trouble: 'a crash', later: ['whole'] }, 10_390],
  [{ pair: 'a part, and the whole', trouble: 'a refusal', later: ['whole'] }, 10_510],
  [{ pair: 'a part, and the whole', trouble: 'a slow process' }, 7_870],
  [{ pair: 'two equal parts', trouble: 'status that lags' }, 1_281],
  [{ pair: 'two equal parts', trouble: 'a question without an answer' }, 1_935],
  [{ pair: 'two equal parts', trouble: 'a change that fails', later: ['cup'] }, 10_813],
  [{ pair: 'two equal parts', trouble: 'a lost answer of a request', asks: 1 }, 13_935],
  [{ pair: 'the whole twice', trouble: 'a slower process' }, 15_620],
  [{ pair: 'two equal parts', trouble: 'no serial numbers, and a change that fails' }, 1_525],
  [{ pair: 'a part, and the whole', trouble: 'no serial numbers, and a change that fails' }, 977],
  [
    { pair: 'the whole twice', trouble: 'no serial numbers, and a change that fails', later: ['whole'], asks: 2 },
    4_342,
  ],
  [{ pair: 'two equal parts', trouble: 'a change that fails, and status that lags' }, 2_836],
  [{ pair: 'a part, and the whole', trouble: 'a change that fails, and status that lags' }, 2_616],
  [{ pair: 'the whole twice', trouble: 'a change that fails, and a lost answer', asks: 1 }, 3_095],
  [{ pair: 'a part twice', trouble: 'a change that fails, and a lost answer', asks: 1 }, 3_095],
  [{ pair: 'the whole twice', trouble: 'a refusal, and a lost answer', asks: 1 }, 2_864],
  [{ pair: 'a part twice', trouble: 'a refusal, and a lost answer', asks: 1 }, 2_864],
  [{ pair: 'the whole twice', trouble: 'a crash, and a lost answer of a write' }, 1_041],
]

/** The same of money that is held. */
const held: readonly (readonly [Exploration, worlds: number])[] = [
  [{ pair: 'a capture of a part, and of the whole', trouble: 'status that lags' }, 1_169],
  [{ pair: 'a capture of a part, and a void', trouble: 'a refusal' }, 1_297],
  [{ pair: 'a capture twice', trouble: 'a slower process' }, 15_620],
  [{ pair: 'a capture twice', trouble: 'a crash', later: ['capture'] }, 980],
  [{ pair: 'a void twice', trouble: 'a slow process' }, 3_025],
  [{ pair: 'a capture, and a void', trouble: 'a slow process' }, 6_580],
  [{ pair: 'a capture, and a void', trouble: 'a crash', later: ['capture'] }, 4_514],
  [{ pair: 'a capture, and a void', trouble: 'a lost answer of a write' }, 1_711],
  [{ pair: 'a capture, and a void', trouble: 'a lost answer of a request', later: ['void'], asks: 1 }, 19_131],
  [{ pair: 'a capture, and a void', trouble: 'a change that ends later, and fails', later: ['capture'] }, 25_484],
  [{ pair: 'a capture, and a void', trouble: 'no serial numbers, and a change that fails' }, 1_132],
  [{ pair: 'a capture, and a void', trouble: 'a change that fails, and status that lags' }, 1_999],
  [{ pair: 'a capture, and a void', trouble: 'a change that fails, and a lost answer', asks: 1 }, 22_492],
  [{ pair: 'a capture, and a void', trouble: 'a refusal, and a lost answer', asks: 1 }, 6_587],
  [{ pair: 'a capture of a part, and of the whole', trouble: 'a lost answer of a request', asks: 1 }, 12_192],
  [{ pair: 'a capture of a part, and of the whole', trouble: 'a crash', later: ['capture'] }, 10_390],
  [{ pair: 'a capture of a part, and of the whole', trouble: 'a change that ends later, and fails' }, 3_628],
  [{ pair: 'a capture of a part, and a void', trouble: 'a lost answer of a request', asks: 1 }, 12_510],
  [{ pair: 'a capture of a part, and a void', trouble: 'a change that fails', later: ['parcel'] }, 8_869],
]

it.each(kept.map(each => [nameOf(each[0]), ...each] as const))(
  'returns give nothing back twice, and report no guess, in every world of: %s',
  (_, exploration, worlds) => {
    expectWhole(exploreScene(exploration), worlds)
  },
)

it('the whole is given back after it failed, once status has shown that', () => {
  expect(booksAfter({ pair: 'the whole twice', trouble: 'a change that fails', asks: 1 })).toEqual([
    '',
    'whole 10 approved',
    'whole 10 declined',
    'whole 10 declined, whole 10 approved',
  ])
})

it.each(held.map(each => [nameOf(each[0]), ...each] as const))(
  'money is captured once, and never after it was released, in every world of: %s',
  (_, exploration, worlds) => {
    expectWhole(exploreScene(exploration), worlds)
  },
)
