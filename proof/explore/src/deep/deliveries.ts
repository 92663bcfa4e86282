/** Causes that meet while outcomes are told to the merchant's handler. */
import { exploringOf } from '../deliveries/deliveries.js'
import type { Beginning, Budget } from '../deliveries/world.js'
import { explorations } from '../scenes/deliveries.js'
import { type Deep, deepOf, worldsOf } from './family.js'

type Prepared = Pick<Beginning, 'hasTransactions' | 'outcomes' | 'runsEach' | 'processes'>

export const deliveriesDeep: Deep = deepOf({
  name: 'deliveries',
  worlds: worldsOf<Prepared>(
    explorations.map(({ hasTransactions, outcomes = 1, runsEach = 1, processes = 2 }) => ({
      hasTransactions,
      outcomes,
      runsEach,
      processes,
    })),
    ({ hasTransactions, outcomes, runsEach, processes }) =>
      [
        `${outcomes} told by ${hasTransactions ? 'commits' : 'marks'}`,
        ...(processes === 2 ? [] : ['in one process']),
        ...(runsEach === 1 ? [] : ['by two runs']),
      ].join(' '),
  ),
  causes: {
    crashes: { what: 'a crash' },
    lostAnswers: { what: 'a lost answer of the store' },
    refusals: { what: 'a write that is refused' },
    lostCommits: {
      what: 'a commit whose answer is lost, or that lands later',
      isIn: ({ hasTransactions }: Prepared) => hasTransactions,
    },
    failures: { what: 'a handler that fails' },
    overstays: { what: 'a handler beyond its lease' },
    slowTicks: { what: 'a slow process' },
    leavers: { what: 'a caller who leaves' },
    others: { what: 'a correction that somebody else writes' },
  } satisfies Readonly<Record<keyof Budget, unknown>>,
  begin: (world, budget, isCrowded) =>
    exploringOf({ scene: 'no trouble', ...world, budget, ...(isCrowded ? { processes: 3 as const } : {}) }),
})
