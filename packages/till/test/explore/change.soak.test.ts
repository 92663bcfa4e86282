/** Scenes of returns with more worlds than a daily test has time for: slower processes, a third request, somebody who asks. */
import { expect, it } from 'vitest'
import { booksAfter, type Exploration, exploreScene, nameOf } from './change.js'

const kept: readonly (readonly [Exploration, worlds: number, depth: number])[] = [
  [{ pair: 'a part twice', trouble: 'a crash', later: ['cup'] }, 980, 33],
  [{ pair: 'a part twice', trouble: 'a lost answer of a request', asks: 1 }, 1_311, 31],
  [{ pair: 'a part twice', trouble: 'a return that ends later, and fails', later: ['cup'] }, 1_091, 34],
  [{ pair: 'a part, and the whole', trouble: 'a crash' }, 1_652, 37],
  [{ pair: 'a part, and the whole', trouble: 'a lost answer of a write' }, 2_817, 43],
  [{ pair: 'a part, and the whole', trouble: 'a question without an answer' }, 1_768, 37],
  [{ pair: 'a part, and the whole', trouble: 'a return that fails', later: ['cup'] }, 8_181, 50],
  [{ pair: 'a part, and the whole', trouble: 'a return that ends later, and fails' }, 3_628, 39],
  [{ pair: 'a part, and the whole', trouble: 'a lost answer of a request', asks: 1 }, 12_192, 50],
  [{ pair: 'a part, and the whole', trouble: 'a crash', later: ['whole'] }, 10_390, 50],
  [{ pair: 'a part, and the whole', trouble: 'a refusal', later: ['whole'] }, 10_510, 53],
  [{ pair: 'a part, and the whole', trouble: 'a slow process' }, 7_870, 37],
  [{ pair: 'two equal parts', trouble: 'status that lags' }, 1_281, 37],
  [{ pair: 'two equal parts', trouble: 'a question without an answer' }, 1_935, 37],
  [{ pair: 'two equal parts', trouble: 'a return that fails', later: ['cup'] }, 10_813, 53],
  [{ pair: 'two equal parts', trouble: 'a lost answer of a request', asks: 1 }, 13_935, 48],
  [{ pair: 'the whole twice', trouble: 'a slower process' }, 15_620, 31],
  [{ pair: 'two equal parts', trouble: 'no serial numbers, and a return that fails' }, 1_525, 35],
  [{ pair: 'a part, and the whole', trouble: 'no serial numbers, and a return that fails' }, 977, 35],
  [
    { pair: 'the whole twice', trouble: 'no serial numbers, and a return that fails', later: ['whole'], asks: 2 },
    4_342,
    38,
  ],
  [{ pair: 'two equal parts', trouble: 'a return that fails, and status that lags' }, 2_836, 37],
  [{ pair: 'a part, and the whole', trouble: 'a return that fails, and status that lags' }, 2_616, 37],
  [{ pair: 'the whole twice', trouble: 'a return that fails, and a lost answer', asks: 1 }, 3_095, 46],
  [{ pair: 'a part twice', trouble: 'a return that fails, and a lost answer', asks: 1 }, 3_095, 46],
  [{ pair: 'the whole twice', trouble: 'a refusal, and a lost answer', asks: 1 }, 2_864, 42],
  [{ pair: 'a part twice', trouble: 'a refusal, and a lost answer', asks: 1 }, 2_864, 42],
  [{ pair: 'the whole twice', trouble: 'a crash, and a lost answer of a write' }, 1_041, 34],
]

it.each(kept.map(each => [nameOf(each[0]), ...each] as const))(
  'returns give nothing back twice, and report no guess, in every world of: %s',
  (_, exploration, worlds, depth) => {
    expect(exploreScene(exploration)).toEqual({ worlds, depth })
  },
)

it('the whole is given back after it failed, once status has shown that', () => {
  expect(booksAfter({ pair: 'the whole twice', trouble: 'a return that fails', asks: 1 })).toEqual([
    '',
    'whole 10 approved',
    'whole 10 declined',
    'whole 10 declined, whole 10 approved',
  ])
})
