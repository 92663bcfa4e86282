/** Causes that meet while customers come back, callbacks come, and the background works. */
import { explorations } from '../scenes/visit.js'
import { companies, exploringOf } from '../visit/visit.js'
import type { Beginning, Budget } from '../visit/world.js'
import { type Amounts, type Deep, deepOf, worldsOf } from './family.js'

type Prepared = Omit<Beginning, 'budget'>

/** Everybody who may come is a cause here: nobody has come yet in the world where causes meet. */
const company = 'one customer'

/** A customer comes in each world. */
const withCompany = ({ visits = 0, ...amounts }: Amounts<keyof Budget>): Amounts<keyof Budget> => ({
  ...amounts,
  visits: visits + companies[company].visits,
})

export const visitDeep: Deep = deepOf({
  name: 'visit',
  worlds: worldsOf<Prepared>(
    explorations.map(({ hasTransactions = true, hasEarlier = false, keepsCallbacks = false }) => ({
      hasTransactions,
      hasEarlier,
      keepsCallbacks,
    })),
    ({ hasTransactions, hasEarlier, keepsCallbacks }) =>
      [
        `told by ${hasTransactions ? 'commits' : 'marks'}`,
        ...(hasEarlier === false ? [] : [`an earlier order${hasEarlier === true ? '' : ` ${hasEarlier}`}`]),
        ...(keepsCallbacks ? ['a callback that is kept'] : []),
      ].join(', '),
  ),
  causes: {
    visits: { what: 'another customer' },
    callbacks: { what: 'a callback' },
    turns: { what: 'the background' },
    repeats: { what: 'another order under the id', needs: { callbacks: 1 } },
    declines: { what: 'a decline' },
    corrections: { what: 'a word that is taken back', needs: { declines: 1 } },
    crashes: { what: 'a crash' },
    lostWrites: { what: 'a write whose answer is lost, or that lands later' },
    lostCommits: { what: 'a commit whose answer is lost', isIn: ({ hasTransactions }: Prepared) => hasTransactions },
    lostQuestions: { what: 'a question without an answer' },
    lags: { what: 'status that lags' },
    lateAmounts: { what: 'an amount that comes late' },
    failures: { what: 'a handler that fails' },
  } satisfies Readonly<Record<keyof Budget, unknown>>,
  begin: (world, amounts) => exploringOf({ company, trouble: 'no trouble', ...world, more: withCompany(amounts) }),
})
