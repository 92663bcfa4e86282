/** Outcomes that are delivered to the merchant's handler. */
import { type Exploration, exploreScene, nameOf } from '../deliveries/deliveries.js'
import type { Scene } from './scene.js'

const commits = { hasTransactions: true }
const marks = { hasTransactions: false }

export const explorations: readonly Exploration[] = [
  { scene: 'no trouble', ...commits, outcomes: 2 },
  { scene: 'no trouble', ...marks, outcomes: 2 },
  { scene: 'a crash anywhere', ...commits },
  { scene: 'a crash anywhere', ...marks },
  { scene: 'a lost answer', ...commits },
  { scene: 'a lost answer', ...marks },
  { scene: 'a lost answer of a commit', ...commits },
  { scene: 'a handler that fails', ...commits },
  { scene: 'a handler that fails', ...marks },
  { scene: 'a handler that outstays its lease', ...commits },
  { scene: 'a handler that outstays its lease', ...commits, processes: 1, runsEach: 2 },
  { scene: 'a handler that outstays its lease', ...marks, processes: 1 },
  { scene: "somebody else's write", ...commits },
  { scene: "somebody else's write", ...marks },
  { scene: 'a caller who leaves', ...commits },
  { scene: 'a write that is refused', ...commits },
  { scene: 'a slow process', ...commits },
  { scene: 'a crash anywhere', ...commits, outcomes: 2 },
  { scene: 'a crash anywhere', ...marks, outcomes: 2 },
  { scene: 'a lost answer', ...commits, outcomes: 2 },
  { scene: 'a lost answer', ...marks, outcomes: 2 },
  { scene: 'a lost answer of a commit', ...commits, outcomes: 2 },
  { scene: 'a handler that fails', ...commits, outcomes: 2 },
  { scene: 'a handler that fails', ...marks, outcomes: 2 },
  { scene: 'a handler that outstays its lease', ...commits, outcomes: 2 },
  { scene: 'a handler that outstays its lease', ...marks },
  { scene: 'a handler that outstays its lease', ...marks, processes: 1, runsEach: 2 },
  { scene: "somebody else's write", ...commits, outcomes: 2 },
  { scene: "somebody else's write", ...marks, outcomes: 2 },
  { scene: 'a caller who leaves', ...commits, outcomes: 2 },
  { scene: 'a caller who leaves', ...marks, outcomes: 2 },
  { scene: 'a write that is refused', ...commits, outcomes: 2 },
  { scene: 'a write that is refused', ...marks, outcomes: 2 },
  { scene: 'a slow process', ...commits, outcomes: 2 },
  { scene: 'a slow process', ...marks, outcomes: 2 },
  { scene: 'a slower process', ...commits },
  { scene: 'a slower process', ...marks },
  { scene: 'a crash, and a lost answer', ...commits },
  { scene: 'a crash, and a lost answer', ...marks },
  { scene: 'a lost commit, and a slow process', ...commits },
  { scene: "a crash, and somebody else's write", ...commits },
  { scene: 'a handler that fails late', ...commits },
  { scene: 'a handler that fails late', ...marks, processes: 1 },
  { scene: "somebody else's writes", ...commits },
  { scene: "somebody else's writes", ...marks },
]

export const deliveries: readonly Scene[] = explorations.map(each => ({
  name: `deliveries: ${nameOf(each)}`,
  walk: look => exploreScene({ ...each, ...(look === undefined ? {} : { look }) }),
}))
