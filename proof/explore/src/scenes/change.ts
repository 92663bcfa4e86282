/** Returns, captures and voids. */
import { type Exploration, exploreScene, nameOf } from '../change/change.js'
import type { Scene } from './scene.js'

/** Money that was paid is given back. */
const returns: readonly Exploration[] = [
  { pair: 'the whole twice', trouble: 'no trouble' },
  { pair: 'the whole twice', trouble: 'a crash', later: ['whole'] },
  { pair: 'the whole twice', trouble: 'a lost answer of a request', asks: 1 },
  { pair: 'the whole twice', trouble: 'a lost answer of a write' },
  { pair: 'the whole twice', trouble: 'a slow process' },
  { pair: 'a part twice', trouble: 'a refusal' },
  { pair: 'a part, and the whole', trouble: 'no trouble' },
  { pair: 'a part, and the whole', trouble: 'a lost answer of a request' },
  { pair: 'a part, and the whole', trouble: 'status that lags' },
  { pair: 'a part twice', trouble: 'a crash', later: ['cup'] },
  { pair: 'a part twice', trouble: 'a lost answer of a request', asks: 1 },
  { pair: 'a part twice', trouble: 'a change that ends later, and fails', later: ['cup'] },
  { pair: 'a part, and the whole', trouble: 'a crash' },
  { pair: 'a part, and the whole', trouble: 'a lost answer of a write' },
  { pair: 'a part, and the whole', trouble: 'a question without an answer' },
  { pair: 'a part, and the whole', trouble: 'a change that fails', later: ['cup'] },
  { pair: 'a part, and the whole', trouble: 'a change that ends later, and fails' },
  { pair: 'a part, and the whole', trouble: 'a lost answer of a request', asks: 1 },
  { pair: 'a part, and the whole', trouble: 'a crash', later: ['whole'] },
  { pair: 'a part, and the whole', trouble: 'a refusal', later: ['whole'] },
  { pair: 'a part, and the whole', trouble: 'a slow process' },
  { pair: 'two equal parts', trouble: 'status that lags' },
  { pair: 'two equal parts', trouble: 'a question without an answer' },
  { pair: 'two equal parts', trouble: 'a change that fails', later: ['cup'] },
  { pair: 'two equal parts', trouble: 'a lost answer of a request', asks: 1 },
  { pair: 'the whole twice', trouble: 'a slower process' },
  { pair: 'two equal parts', trouble: 'no serial numbers, and a change that fails' },
  { pair: 'a part, and the whole', trouble: 'no serial numbers, and a change that fails' },
  { pair: 'the whole twice', trouble: 'no serial numbers, and a change that fails', later: ['whole'], asks: 2 },
  { pair: 'two equal parts', trouble: 'a change that fails, and status that lags' },
  { pair: 'a part, and the whole', trouble: 'a change that fails, and status that lags' },
  { pair: 'the whole twice', trouble: 'a change that fails, and a lost answer', asks: 1 },
  { pair: 'a part twice', trouble: 'a change that fails, and a lost answer', asks: 1 },
  { pair: 'the whole twice', trouble: 'a refusal, and a lost answer', asks: 1 },
  { pair: 'a part twice', trouble: 'a refusal, and a lost answer', asks: 1 },
  { pair: 'the whole twice', trouble: 'a crash, and a lost answer of a write' },
]

/** Somebody gives a part back at the gateway's own screens, beside what the merchant asks for. */
const foreign: readonly Exploration[] = [
  { pair: 'nothing', trouble: 'two parts given back at the gateway' },
  { pair: 'a part', trouble: 'a part given back at the gateway' },
  { pair: 'the whole', trouble: 'a part given back at the gateway' },
  { pair: 'a part', trouble: 'a part given back at the gateway, and a crash' },
  { pair: 'a part', trouble: 'a part given back at the gateway, and status that lags' },
  { pair: 'a part', trouble: 'a part given back at the gateway, and a lost answer', asks: 1 },
  { pair: 'a part, and the whole', trouble: 'a part given back at the gateway' },
  { pair: 'nothing', trouble: 'a part given back at the gateway, taken back, and given back' },
  { pair: 'a part', trouble: 'a part given back at the gateway, and taken back' },
  { pair: 'the whole', trouble: 'a part given back at the gateway, and taken back' },
  { pair: 'nothing', trouble: 'two parts given back at the gateway, and an hour' },
  { pair: 'a part', trouble: 'a part given back at the gateway, and an hour' },
]

/** Held money is captured or released. */
const holds: readonly Exploration[] = [
  { pair: 'a capture twice', trouble: 'a crash' },
  { pair: 'a capture twice', trouble: 'a lost answer of a write' },
  { pair: 'a capture of a part twice', trouble: 'a lost answer of a request' },
  { pair: 'a void twice', trouble: 'a lost answer of a write' },
  { pair: 'a capture, and a void', trouble: 'a lost answer of a request' },
  { pair: 'a capture, and a void', trouble: 'a change that fails' },
  { pair: 'a capture of a part, and of the whole', trouble: 'status that lags' },
  { pair: 'a capture of a part, and a void', trouble: 'a refusal' },
  { pair: 'a capture twice', trouble: 'a slower process' },
  { pair: 'a capture twice', trouble: 'a crash', later: ['capture'] },
  { pair: 'a void twice', trouble: 'a slow process' },
  { pair: 'a capture, and a void', trouble: 'a slow process' },
  { pair: 'a capture, and a void', trouble: 'a crash', later: ['capture'] },
  { pair: 'a capture, and a void', trouble: 'a lost answer of a write' },
  { pair: 'a capture, and a void', trouble: 'a lost answer of a request', later: ['void'], asks: 1 },
  { pair: 'a capture, and a void', trouble: 'a change that ends later, and fails', later: ['capture'] },
  { pair: 'a capture, and a void', trouble: 'no serial numbers, and a change that fails' },
  { pair: 'a capture, and a void', trouble: 'a change that fails, and status that lags' },
  { pair: 'a capture, and a void', trouble: 'a change that fails, and a lost answer', asks: 1 },
  { pair: 'a capture, and a void', trouble: 'a refusal, and a lost answer', asks: 1 },
  { pair: 'a capture of a part, and of the whole', trouble: 'a lost answer of a request', asks: 1 },
  { pair: 'a capture of a part, and of the whole', trouble: 'a crash', later: ['capture'] },
  { pair: 'a capture of a part, and of the whole', trouble: 'a change that ends later, and fails' },
  { pair: 'a capture of a part, and a void', trouble: 'a lost answer of a request', asks: 1 },
  { pair: 'a capture of a part, and a void', trouble: 'a change that fails', later: ['parcel'] },
]

export const explorations: readonly Exploration[] = [...returns, ...foreign, ...holds]

export const change: readonly Scene[] = explorations.map(each => ({
  name: `change: ${nameOf(each)}`,
  walk: look => exploreScene({ ...each, ...(look === undefined ? {} : { look }) }),
}))
