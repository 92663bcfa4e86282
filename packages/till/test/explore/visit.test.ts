/** Every world of visits that the shipped runner and rules come to, in scenes with one cause of trouble each, until there is no new one. */
import { describe, expect, it } from 'vitest'
import { type Exploration, exploreScene, nameOf } from './visit.js'
import { mistakes } from './visit-mistakes.js'

/** How many worlds each scene has, and how far the last one is away: a change is to be looked at. */
const kept: readonly (readonly [Exploration, worlds: number, depth: number])[] = [
  [{ company: 'two customers', trouble: 'no trouble' }, 411, 21],
  [{ company: 'a customer, and a callback', trouble: 'a word that is taken back' }, 1_373, 26],
  [{ company: 'a customer, and a callback', trouble: 'a crash', hasTransactions: false }, 1_174, 25],
  [{ company: 'a customer, and a callback', trouble: 'a lost answer of a write' }, 785, 21],
  [{ company: 'a customer, and a callback', trouble: 'status that lags', keepsCallbacks: true }, 979, 19],
  [{ company: 'a customer, and a callback', trouble: 'a handler that fails' }, 424, 20],
  [{ company: 'a customer, and the background', trouble: 'a lost answer of a commit' }, 1_163, 25],
  [{ company: 'a customer, and the background', trouble: 'a question without an answer', hasEarlier: true }, 787, 19],
]

describe('customers who come back', () => {
  const shown = new Set<string | undefined>()
  const delivered = new Set<string>()

  it.each(kept.map(each => [nameOf(each[0]), ...each] as const))(
    'are shown what the gateway says, and it is told once, in every world of: %s',
    (_, exploration, worlds, depth) => {
      const explored = exploreScene({
        ...exploration,
        look(ended, process) {
          shown.add(process.shown)
          if (ended.kind === 'done' && ended.result.kind === 'asked') delivered.add(ended.result.delivered.kind)
        },
      })
      expect(explored).toEqual({ worlds, depth })
    },
  )

  it('are shown everything that a visit can come to, and each delivery ends as it can', () => {
    expect([...shown].sort()).toEqual(['approved', 'corrected', 'declined', 'no-answer', 'not-final'])
    expect([...delivered].sort()).toEqual(['failed', 'nothing', 'told', 'unknown'])
  })
})

describe('the explorer finds', () => {
  it.each(mistakes.map(each => [each.what, each] as const))('%s', (_, { where, broken }) => {
    const { found } = exploreScene(where)
    expect(found?.broken).toMatch(broken)
  })
})
