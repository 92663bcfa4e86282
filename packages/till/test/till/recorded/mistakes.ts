/** Engines that do one thing otherwise than ours: each has to be noticed in some world. */

import { createTill, type TillOptions, type TillOutcome } from '../../../src/index.js'
import { memoryStore } from '../../../src/store/memory-store.js'
import type { Store } from '../../../src/store/store.js'
import { pausing } from './recorded.js'
import type { Engine } from './world.js'

type Kind = TillOutcome['kind']

/** A till whose merchant hears another word than the till said; undefined: hears nothing. */
const hearing =
  (hears: (kind: Kind) => Kind | undefined): Engine =>
  options => {
    const tell = typeof options.onOutcome === 'function' ? options.onOutcome : undefined
    return createTill({
      ...options,
      onOutcome: async (outcome, context) => {
        const kind = hears(outcome.kind)
        if (kind !== undefined) await tell?.({ ...outcome, kind } as TillOutcome, context)
      },
    })
  }

/** A till whose store is changed. */
const storing =
  (change: (store: Store) => Store): Engine =>
  options =>
    createTill({ ...options, store: change(options.store as Store) as TillOptions<never>['store'] })

/** Changes what is written. */
const writing = (change: (body: string) => string): Engine =>
  storing(store => ({
    ...store,
    write: (key, entry, more) => store.write(key, { ...entry, body: change(entry.body) }, more),
  }))

/** An engine, and a seed whose world shows what it does otherwise. If that one does so no more, the long test says whether another one does. */
export interface Mistake {
  readonly name: string
  readonly seed: number
  readonly engine: Engine
}

export const mistakes: readonly Mistake[] = [
  { name: 'tells a decline as paid', seed: 25, engine: hearing(kind => (kind === 'declined' ? 'paid' : kind)) },
  {
    name: 'tells nothing of what a gateway takes back',
    seed: 29,
    engine: hearing(kind => (kind === 'disputed' ? undefined : kind)),
  },
  { name: 'keeps its payments to itself', seed: 2, engine: storing(() => memoryStore()) },
  {
    name: 'takes a lost answer for a refusal',
    seed: 7,
    engine: writing(body => body.replaceAll('"kind":"unknown"', '"kind":"refused"')),
  },
  { name: 'looks after its payments thirty times as seldom', seed: 19, engine: pausing(30) },
  {
    name: 'asks nobody',
    seed: 15,
    engine: options => {
      const till = createTill(options)
      return { ...till, payment: async reference => ({ ...(await till.payment(reference)), needsPerson: undefined }) }
    },
  },
]
