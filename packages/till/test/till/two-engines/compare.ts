/**
 * Two engines in the worlds of some seeds, and what differs between their lives.
 *
 * @module
 */
import { allOld } from '../../../src/engine/who.js'
import { createTill } from '../../../src/index.js'
import { openTill } from '../../../src/till/open-till.js'
import type { Lived, Trace } from './endings.js'
import { type Engine, liveWith } from './world.js'

/** The engine that is known: the old one lives everything. */
const known: Engine = options => openTill(options, allOld)

/** A till as it is, with pauses that are `times` as long: it asks, and looks after its payments, at other times. */
export const pausing =
  (times: number): Engine =>
  options => {
    const { wait, account } = options
    if (wait === undefined || account === undefined)
      throw new TypeError('A world has a clock of its own, and one account.')
    const longer: typeof wait = (milliseconds, signal) => wait(milliseconds * times, signal)
    return createTill({ ...options, wait: longer, account: { ...account, wait: longer } })
  }

/** What came of some worlds. */
export interface Compared {
  /** A text for each world in which something differs. */
  readonly differing: readonly string[]
  /** How often each fault struck and each thing was wanted, in the lives of the known engine. */
  readonly counts: ReadonlyMap<string, number>
}

/** Lets the known engine and another one live in the same worlds. */
export async function compared(seeds: readonly number[], other: Engine): Promise<Compared> {
  const counts = new Map<string, number>()
  const differing: string[] = []
  for (const seed of seeds) {
    const [one, two] = [await liveWith(String(seed), known), await liveWith(String(seed), other)]
    for (const [what, count] of one.counts) counts.set(what, (counts.get(what) ?? 0) + count)
    const found = differences(one, two)
    if (found.length > 0) differing.push(`In the world of seed ${seed}: ${found.join('\n')}`)
  }
  return { differing, counts }
}

/** @returns A line for each thing that is not the same; none where all is. */
function differences(one: Trace, other: Trace): readonly string[] {
  const references = [...new Set([...one.payments.keys(), ...other.payments.keys()])].sort()
  return references.flatMap(reference => {
    const [here, there] = [one.payments.get(reference), other.payments.get(reference)]
    return (['sent', 'told', 'end'] as const).flatMap(part =>
      differing(part, here, there).map(line => `${reference}, ${part}: ${line}`),
    )
  })
}

function differing(part: keyof Lived, one: Lived | undefined, other: Lived | undefined): readonly string[] {
  const [here, there] = [one, other].map(each => each?.[part].join(', ') || 'nothing')
  return here === there ? [] : [`${here}\n  and: ${there}`]
}
