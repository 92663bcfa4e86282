/** Customers who come back, while callbacks come and the work in the background asks. */
import { type Exploration, exploreScene, nameOf } from '../visit/visit.js'
import type { Scene } from './scene.js'

const everybody = 'a customer, a callback, and the background'
const twice = 'a customer, and a callback that comes twice'

export const explorations: readonly Exploration[] = [
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
  { company: everybody, trouble: 'an amount that comes late' },
  { company: 'a customer, and a callback', trouble: 'an amount that comes late', hasTransactions: false },
  { company: 'a customer, and the background', trouble: 'an amount that comes late', hasEarlier: true },
  { company: twice, trouble: 'an amount that comes late', keepsCallbacks: true },
  { company: twice, trouble: 'no trouble' },
  { company: twice, trouble: 'a crash' },
  { company: twice, trouble: 'a word that is taken back' },
  { company: twice, trouble: 'status that lags' },
  { company: 'two callbacks', trouble: 'a request that is repeated' },
  { company: 'two callbacks', trouble: 'a request that is repeated', hasTransactions: false },
  { company: 'two callbacks', trouble: 'a request that is repeated', hasEarlier: true },
  { company: 'a customer, and a callback', trouble: 'a request that is repeated' },
  { company: 'two callbacks', trouble: 'a request that is repeated, and a decline' },
  { company: 'two callbacks', trouble: 'a request that is repeated, and a crash' },
  { company: 'two callbacks', trouble: 'a request that is repeated, and a lost answer of a write' },
  { company: 'two callbacks', trouble: 'a request that is repeated, and a question without an answer' },
  { company: 'two callbacks', trouble: 'a request that is repeated, and status that lags' },
]

export const visits: readonly Scene[] = explorations.map(each => ({
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
