/**
 * The store as a process reaches it: a write may come late, its answer may be lost, and the process may die before it or after it, by the payment,
 * the kind of fact that is written, and how many of its kind there were.
 *
 * @module
 */

import { readDocument } from '../../../src/rules/kept/entry.js'
import type { PaymentDocument } from '../../../src/state/document.js'
import { type Store, StoreError } from '../../../src/store/store.js'
import type { World } from './world.js'

/** Kinds of facts, in the words of today. */
type FactKind = 'requested' | 'answered' | 'status' | 'callback' | 'delivered' | 'lease' | 'decided' | 'follow-up'

/** The part of a payment that each kind of fact changes, in the words of today's documents. */
const parts: { readonly [Kind in FactKind]: (document: PaymentDocument) => unknown } = {
  requested: ({ orders }) => orders.map(({ attempts }) => attempts.map(({ reservation }) => reservation)),
  answered: ({ orders }) => orders.map(({ attempts }) => attempts.map(({ end }) => end?.kind)),
  status: ({ orders }) =>
    orders.map(({ stages }) =>
      stages.map(({ stage, status, corrections, restated }) => [stage, status, corrections.length, restated?.amount]),
    ),
  callback: ({ orders }) => orders.map(({ callbackAt, unmatched }) => [callbackAt, unmatched?.words.length]),
  delivered: ({ orders }) => orders.map(({ stages }) => stages.map(({ told }) => told)),
  lease: ({ telling }) => telling?.token,
  decided: ({ decisions }) => decisions?.length,
  'follow-up': ({ wishes }) => wishes?.length,
}

/** The kinds of facts that a write adds. */
function factsOf(key: string, before: string | undefined, after: string): readonly FactKind[] {
  if (!/^(?:payment|unmatched)\//.test(key)) return []
  const read = (body: string) => readDocument({ key, version: 1, writeId: 'w', body })
  const document = read(after)
  const known: PaymentDocument = before === undefined ? { ...document, orders: [] } : read(before)
  return (Object.keys(parts) as FactKind[]).filter(
    kind => JSON.stringify(parts[kind](known)) !== JSON.stringify(parts[kind](document)),
  )
}

/** Fates of a write. */
const fates = ['dies-before', 'dies-after', 'answer-lost', 'late', 'late-answer'] as const

/** For whoever waits for a process that is dead. One for each call: one for all would keep everything that ever waited. */
const never = () => new Promise<never>(() => {})

/** @param process What the process is: `die` ends it. */
export function keptFor(
  { store, fates: drawn, nth, isCalm, gateway: { clock }, count }: World,
  process: { readonly isDead: () => boolean; readonly die: () => void },
): Store {
  const living = async <Result>(call: () => Promise<Result>): Promise<Result> => {
    if (process.isDead()) return never()
    const result = await call()
    return process.isDead() ? never() : result
  }
  const fateOf = (reference: string, kinds: readonly FactKind[]) => {
    for (const kind of kinds) {
      const chance = drawn('store', reference, kind, nth('store', reference, kind))
      if (!isCalm() && chance.of(0.06))
        return { fate: chance.pick(fates), late: chance.pick([5, 800, 13_000, 6 * 60_000]) }
    }
    return undefined
  }
  /** Makes a write that may go wrong. */
  const writing = async <Result>(
    key: string,
    { body, after }: { readonly body: string; readonly after: string | undefined },
    write: () => Promise<Result>,
  ): Promise<Result> => {
    if (process.isDead()) return never()
    const before = await store.read(key)
    // One that is refused writes nothing, and how often that happens is an engine's own matter.
    const kinds = before.stored?.writeId === after ? factsOf(key, before.stored?.body, body) : []
    const { fate, late = 0 } = fateOf(key, kinds) ?? {}
    if (fate !== undefined) count(`store ${fate}`)
    if (fate === 'late') await clock.wait(late)
    if (fate === 'dies-before') process.die()
    if (process.isDead()) return never()
    const written = await write()
    if (fate === 'dies-after') process.die()
    if (fate === 'late-answer') await clock.wait(late)
    if (process.isDead()) return never()
    if (fate === 'answer-lost') throw new StoreError('ERR_STORE_UNKNOWN', 'The answer of the store was lost.')
    return written
  }
  return {
    ...store,
    read: key => living(() => store.read(key)),
    take: options => living(() => store.take(options)),
    list: options => living(() => store.list(options)),
    postpone: (key, after, due) => living(() => store.postpone(key, after, due)),
    write: (key, entry, options) =>
      writing(key, { body: entry.body, after: options.after }, () => store.write(key, entry, options)),
    close: async () => {},
  }
}
