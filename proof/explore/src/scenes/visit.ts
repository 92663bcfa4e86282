/** Customers who come back, while callbacks come and the work in the background asks. */
import { type Exploration, exploreScene, nameOf } from '../visit/visit.js'
import type { Scene } from './scene.js'

const everybody = 'a customer, a callback, and the background'

const all: readonly Exploration[] = [
  { company: 'two customers', trouble: 'no trouble' },
  { company: 'a customer, and a callback', trouble: 'a word that is taken back' },
  { company: 'a customer, and a callback', trouble: 'a crash', hasTransactions: false },
  { company: 'a customer, and a callback', trouble: 'a lost answer of a write' },
  { company: 'a customer, and a callback', trouble: 'status that lags', keepsCallbacks: true },
  { company: 'a customer, and a callback', trouble: 'a handler that fails' },
  { company: 'a customer, and the background', trouble: 'a lost answer of a commit' },
  { company: 'a customer, and the background', trouble: 'a question without an answer', hasEarlier: true },
  { company: 'two customers', trouble: 'a decline', hasTransactions: false },
  { company: 'a customer, and the background', trouble: 'a crash' },
  { company: 'two customers', trouble: 'a word that is taken back', hasEarlier: true },
  { company: 'two customers', trouble: 'a lost answer of a write', hasTransactions: false },
  { company: 'two customers', trouble: 'a lost answer of a commit', hasEarlier: true },
  { company: 'two customers', trouble: 'a crash', hasTransactions: false },
  { company: 'two customers', trouble: 'status that lags', hasEarlier: true },
  { company: 'a customer, and a callback', trouble: 'a word that is taken back', keepsCallbacks: true },
  { company: 'a customer, and a callback', trouble: 'a word that is taken back', hasEarlier: true },
  { company: 'a customer, and a callback', trouble: 'a lost answer of a write', keepsCallbacks: true },
  { company: 'a customer, and a callback', trouble: 'a lost answer of a commit', keepsCallbacks: true },
  { company: 'a customer, and a callback', trouble: 'a crash', keepsCallbacks: true },
  { company: 'a customer, and the background', trouble: 'a word that is taken back', hasEarlier: true },
  { company: everybody, trouble: 'a decline' },
  { company: everybody, trouble: 'a word that is taken back' },
  { company: everybody, trouble: 'a crash' },
  { company: everybody, trouble: 'a lost answer of a write' },
  { company: everybody, trouble: 'a lost answer of a commit' },
  { company: everybody, trouble: 'a question without an answer' },
  { company: everybody, trouble: 'status that lags' },
  { company: everybody, trouble: 'a handler that fails' },
  { company: 'a customer, and a callback', trouble: 'a word that is taken back', hasEarlier: 'of another account' },
  { company: 'a customer, and the background', trouble: 'status that lags', hasEarlier: 'of another account' },
]

export const visits: readonly Scene[] = all.map(each => ({
  name: `visit: ${nameOf(each)}`,
  walk: (seen = () => {}) =>
    exploreScene({
      ...each,
      look(ended, { shown }) {
        if (shown !== undefined) seen(`shown ${shown}`)
        if (ended.kind === 'done' && ended.result.kind === 'asked') seen(ended.result.delivered.kind)
      },
    }),
}))
