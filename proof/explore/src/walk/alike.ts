/** Rules that the worlds of payments and of returns share. */

import type { Known } from '../../../../packages/till/src/engine/run.js'
import type { PaymentDocument } from '../../../../packages/till/src/state/document.js'
import { forgotten } from './forgotten.js'
import type { Broken } from './rules.js'

/** A world in which one thing less may go wrong. */
export const spend = <World extends { readonly left: object }>(world: World, what: keyof World['left']): World => ({
  ...world,
  left: { ...world.left, [what]: Number(Reflect.get(world.left, what)) - 1 },
})

/** A world with another process in a place; undefined: nobody is there. */
export const withProcess = <World extends { readonly processes: readonly unknown[] }>(
  world: World,
  place: number,
  process: World['processes'][number],
): World => ({ ...world, processes: world.processes.map((each, at) => (at === place ? process : each)) })

/** A world in which something is wrong. The first thing counts. */
export const wronged = <World extends { readonly wrong?: Broken | undefined }>(
  world: World,
  wrong: Broken | undefined,
): World => (wrong === undefined || world.wrong !== undefined ? world : { ...world, wrong })

/** A world whose store keeps this. A late write that can never be made any more is dropped. */
export const keeping = <
  World extends {
    readonly known: Known
    readonly lateWrites: readonly { readonly after: string | undefined }[]
    readonly wrong?: Broken | undefined
  },
>(
  world: World,
  known: Known,
): World =>
  wronged(
    { ...world, known, lateWrites: world.lateWrites.filter(({ after }) => after === known.writeId) },
    forgotten(world.known.document, known.document),
  )

const kept = new WeakMap<object, object>()

/** A payment in the text of a world: as it is kept, since the rest follows from that. */
export function keptIn(document: PaymentDocument): object {
  const { facts, telling } = document
  const known = kept.get(document) ?? { facts, ...(telling === undefined ? {} : { telling }) }
  kept.set(document, known)
  return known
}

/** Runs are named so. */
export const runName = /run-\d+/g

/** The same text, in which moments count from now, and runs are named by their order. @param longestAgo No rule tells older moments apart. */
export function fromNow(
  text: string,
  { now, longestAgo }: { readonly now: number; readonly longestAgo: number },
): string {
  const ids = new Map<string, string>()
  return text
    .replace(/@(-?\d+)/g, (_, moment) => `@${Math.max(Number(moment) - now, -longestAgo)}`)
    .replace(runName, id => {
      const name = ids.get(id) ?? `r${ids.size}`
      ids.set(id, name)
      return name
    })
}
