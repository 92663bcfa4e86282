/** Follow-ups: captures, returns and voids that a handler asks for, and surplus that is given back. */
import { exploreFollowUps, type FollowUpExploration, nameOf } from '../follow-up/follow-up.js'
import type { Scene } from './scene.js'

const rest = 'a part and the rest'
const restBeside = 'a part and the rest, beside the whole'
const surplus = 'a surplus'
const surplusBeside = 'a surplus, beside a return of the other order'

export const explorations: readonly FollowUpExploration[] = [
  { scene: rest, trouble: 'no trouble', carries: 2 },
  { scene: rest, trouble: 'a crash', carries: 2 },
  { scene: rest, trouble: 'a refusal', carries: 2 },
  { scene: restBeside, trouble: 'no trouble', carries: 1 },
  { scene: surplus, trouble: 'a lost answer of a write', carries: 2 },
  { scene: surplus, trouble: 'a lost answer of a request', carries: 2 },
  { scene: surplusBeside, trouble: 'no trouble', carries: 1 },
  { scene: 'a surplus, beside a return by hand', trouble: 'no trouble', carries: 2 },
  { scene: rest, trouble: 'no trouble' },
  { scene: rest, trouble: 'a lost answer of a request', carries: 2 },
  { scene: rest, trouble: 'a lost answer of a write', carries: 2 },
  { scene: rest, trouble: 'a question without an answer', carries: 2 },
  { scene: rest, trouble: 'status that lags', carries: 2 },
  { scene: rest, trouble: 'a change that fails', carries: 2 },
  { scene: rest, trouble: 'a change that ends later, and fails', carries: 2 },
  { scene: rest, trouble: 'a slow process', carries: 2 },
  { scene: surplus, trouble: 'a crash', carries: 2 },
  { scene: surplus, trouble: 'a question without an answer', carries: 2 },
  { scene: surplus, trouble: 'status that lags', carries: 2 },
  { scene: surplus, trouble: 'a refusal', carries: 2 },
  { scene: surplus, trouble: 'a change that fails', carries: 2 },
  { scene: surplus, trouble: 'a change that ends later, and fails', carries: 2 },
  { scene: surplus, trouble: 'a slow process', carries: 2 },
  { scene: surplusBeside, trouble: 'a crash', carries: 1 },
  { scene: surplusBeside, trouble: 'a lost answer of a request', carries: 1 },
  { scene: surplusBeside, trouble: 'a lost answer of a write', carries: 1 },
  { scene: surplusBeside, trouble: 'a question without an answer', carries: 1 },
  { scene: surplusBeside, trouble: 'status that lags', carries: 1 },
  { scene: surplusBeside, trouble: 'a refusal', carries: 1 },
  { scene: surplusBeside, trouble: 'a change that fails', carries: 1 },
  { scene: surplusBeside, trouble: 'a change that ends later, and fails', carries: 1 },
  { scene: surplusBeside, trouble: 'a slow process', carries: 1 },
  { scene: restBeside, trouble: 'a crash', carries: 1 },
  { scene: restBeside, trouble: 'a lost answer of a request', carries: 1 },
  { scene: restBeside, trouble: 'a lost answer of a write', carries: 1 },
  { scene: restBeside, trouble: 'a question without an answer', carries: 1 },
  { scene: restBeside, trouble: 'status that lags', carries: 1 },
  { scene: restBeside, trouble: 'a refusal', carries: 1 },
  { scene: restBeside, trouble: 'a change that fails', carries: 1 },
  { scene: restBeside, trouble: 'a change that ends later, and fails', carries: 1 },
  { scene: rest, trouble: 'a change that fails, and a lost answer', carries: 2, asks: 2 },
  { scene: restBeside, trouble: 'a crash', carries: 2 },
  { scene: restBeside, trouble: 'a lost answer of a request', carries: 2 },
  { scene: restBeside, trouble: 'a lost answer of a write', carries: 2 },
  { scene: restBeside, trouble: 'a change that fails', carries: 2 },
  { scene: rest, trouble: 'a lost answer of a write' },
  { scene: 'a part and the rest, beside another part', trouble: 'no trouble', carries: 2 },
  { scene: restBeside, trouble: 'no trouble', carries: 2, changers: 3 },
  { scene: surplusBeside, trouble: 'no trouble' },
  { scene: surplusBeside, trouble: 'status that lags', carries: 2 },
  { scene: surplusBeside, trouble: 'a change that fails', carries: 2 },
]

export const followUps: readonly Scene[] = explorations.map(each => ({
  name: `follow-up: ${nameOf(each)}`,
  walk: look => exploreFollowUps({ ...each, ...(look === undefined ? {} : { look }) }),
}))
