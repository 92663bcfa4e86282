/** Scenes of returns with more worlds than a daily test has time for: slower processes, a third request, somebody who asks. */
import { expect, it } from 'vitest'
import { type Exploration, exploreScene, nameOf } from './change.js'

const kept: readonly (readonly [Exploration, worlds: number, depth: number])[] = [
  [{ pair: 'a part twice', trouble: 'a crash', later: ['cup'] }, 0, 0],
  [{ pair: 'a part twice', trouble: 'a lost answer of a request', asks: 1 }, 0, 0],
  [{ pair: 'a part, and the whole', trouble: 'a lost answer of a write' }, 0, 0],
  [{ pair: 'a part, and the whole', trouble: 'a question without an answer' }, 0, 0],
  [{ pair: 'a part, and the whole', trouble: 'a return that fails', later: ['cup'] }, 0, 0],
  [{ pair: 'a part, and the whole', trouble: 'a return that ends later, and fails' }, 0, 0],
  [{ pair: 'a part, and the whole', trouble: 'a lost answer of a request', asks: 1 }, 0, 0],
  [{ pair: 'a part, and the whole', trouble: 'a crash', later: ['whole'] }, 0, 0],
  [{ pair: 'a part, and the whole', trouble: 'a refusal', later: ['whole'] }, 0, 0],
  [{ pair: 'a part, and the whole', trouble: 'a slow process' }, 0, 0],
  [{ pair: 'two equal parts', trouble: 'status that lags' }, 0, 0],
  [{ pair: 'two equal parts', trouble: 'a question without an answer' }, 0, 0],
  [{ pair: 'two equal parts', trouble: 'a return that fails', later: ['cup'] }, 0, 0],
  [{ pair: 'two equal parts', trouble: 'a lost answer of a request', asks: 1 }, 0, 0],
  [{ pair: 'the whole twice', trouble: 'a return that fails', later: ['whole'] }, 0, 0],
  [{ pair: 'the whole twice', trouble: 'a slower process' }, 0, 0],
]

it.each(kept.map(each => [nameOf(each[0]), ...each] as const))(
  'returns give nothing back twice, and report no guess, in every world of: %s',
  (_, exploration, worlds, depth) => {
    expect(exploreScene(exploration)).toEqual({ worlds, depth })
  },
)
