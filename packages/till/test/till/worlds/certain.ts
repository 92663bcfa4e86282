/**
 * Truths of every world, and mistakes that must be found in some world.
 *
 * @module
 */

import { forEachSeed } from '@tillkit/testing'
import { expect } from 'vitest'
import { entryOf, readDocument } from '../../../src/rules/kept/entry.js'
import type { PaymentDocument } from '../../../src/state/document.js'
import { evolve } from '../../../src/state/evolve.js'
import { nameOf } from '../../../src/state/facts.js'
import { memoryStore } from '../../../src/store/memory-store.js'
import type { DocumentStore } from '../../../src/store/store.js'
import type { Planted } from './life.js'
import { liveThrough, type WorldOptions } from './world.js'

/**
 * Lives through some worlds: the till charges nobody twice there, and tells each order once and truly.
 *
 * @returns The kinds of outcomes that were told, and the operations that the gateway was asked for.
 */
export async function liveTruly(
  seeds: readonly string[],
  options: WorldOptions = {},
): Promise<{ readonly told: readonly string[]; readonly asked: ReadonlySet<string> }> {
  const [told, asked] = [new Set<string>(), new Set<string>()]
  await forEachSeed(seeds, async seed => {
    const lived = await liveThrough(seed, {}, options)
    expect(lived.wrong).toEqual([])
    for (const line of lived.told) told.add(line.split(' ')[1] ?? '')
    for (const operation of lived.asked) asked.add(operation)
  })
  return { told: [...told].sort(), asked }
}

/** Changes the payments that one process writes. */
const writing = (store: DocumentStore, change: (payment: PaymentDocument) => PaymentDocument): DocumentStore => ({
  ...store,
  write(key, entry, options) {
    if (!key.startsWith('payment/')) return store.write(key, entry, options)
    const document = readDocument({ key, version: 1, writeId: 'w', body: entry.body })
    const { body } = entryOf(change(document))
    return store.write(key, { ...entry, body }, options)
  },
})

/** A mistake of a till, a world that shows it, and what is found there. */
export interface Mistake {
  readonly name: string
  readonly seed: string
  readonly found: RegExp
  readonly planted: Planted
}

/** If no world with that seed shows a mistake any more, worlds.soak.test.ts names one that does. */
export const mistakes: readonly Mistake[] = [
  {
    name: 'tells surplus as paid',
    seed: '46',
    found: /was told as paid of/,
    planted: { hears: kind => (kind === 'surplus' ? 'paid' : kind) },
  },
  {
    name: 'tells a decline as paid',
    seed: '18',
    found: /was told as paid, and never was/,
    planted: { hears: kind => (kind === 'declined' ? 'paid' : kind) },
  },
  {
    name: 'forgets what has failed to be told',
    seed: '7',
    found: /was approved, and told as nothing|nothing was told/,
    planted: {
      view: store =>
        writing(store, payment => {
          const untold = payment.orders.flatMap(order =>
            order.stages.flatMap(({ told }, place) =>
              told === undefined
                ? [{ kind: 'delivered', order: nameOf(order), stage: place + 1, words: 1 } as const]
                : [],
            ),
          )
          return evolve(payment, ...untold)
        }),
    },
  },
  {
    name: 'keeps its payments to itself',
    seed: '3',
    found: /was opened although|charged \d times|was told as paid of|does not have/,
    planted: { view: () => memoryStore() },
  },
]

/** The first of some worlds in which a mistake is found, and what is found there. */
export async function firstFound(planted: Planted, seeds: readonly string[]): Promise<string> {
  for (const seed of seeds) {
    const { wrong } = await liveThrough(seed, planted)
    if (wrong.length > 0) return `With the seed ${seed}: ${wrong.join('\n')}`
  }
  return 'nothing'
}
