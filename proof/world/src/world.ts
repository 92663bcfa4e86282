/** Many payments, one after the other: each is dropped once it has come to rest and was judged. They do not influence each other. */

import { breaks } from '../../explore/src/walk/rules.js'
import { drawPlan } from './draw.js'
import type { LifeOptions } from './life.js'
import { type Lived, live } from './live.js'
import type { Plan } from './plan.js'
import { createTimeline } from './timeline.js'

/** How many payments are born within an hour, and a process is given at once. */
export const batchSize = 1_000

/** The virtual clock of the first batch, in milliseconds since the epoch; and how much later each further one begins. */
const [start, apart] = [Date.UTC(2026, 0, 1), 20 * 86_400_000]

/** When a payment is born, in milliseconds since the epoch: the same in a batch and alone. */
export const birthOf = (payment: number): number =>
  start + Math.floor(payment / batchSize) * apart + ((payment % batchSize) * 3_600_000) / batchSize

/** The result of many lives. */
export interface WorldResult {
  readonly payments: number
  /** How often everything happened. */
  readonly counts: ReadonlyMap<string, number>
  readonly broken: readonly Lived[]
}

/** The lives of a part of a world: those from the first number on, before the last one. */
interface Lives extends Pick<LifeOptions, 'mistake' | 'isThorough'> {
  readonly from: number
  readonly to: number
}

/** Lets payments live, one after the other. @param from The number of the first one. @param to That after the last one. */
export function liveAll(seed: number, { from, to, ...options }: Lives): WorldResult {
  const counts = new Map<string, number>()
  const count = (what: string): void => void counts.set(what, (counts.get(what) ?? 0) + 1)
  const broken: Lived[] = []
  for (let payment = from; payment < to; payment += 1) {
    const lived = liveAlone(drawPlan(seed, payment), { ...options, count })
    count(`ends: ${lived.broken === undefined ? 'at rest' : 'broken'}`)
    if (lived.broken !== undefined) broken.push(lived)
  }
  return { payments: to - from, counts, broken }
}

/** How a payment lives. `say`: hears everything that happens, and when, in milliseconds since its birth. */
export type AloneOptions = Partial<Pick<LifeOptions, 'say' | 'mistake' | 'isThorough' | 'count'>>

/** Lets one payment live. */
export function liveAlone(plan: Plan, { count = () => {}, ...options }: AloneOptions = {}): Lived {
  const birth = birthOf(plan.payment)
  const timeline = createTimeline(birth)
  let lived: Lived = { plan, broken: breaks('runs end', 'it does not come to its end') }
  live(plan, {
    ...options,
    timeline,
    birth,
    count,
    ended: end => {
      lived = end
    },
  })
  timeline.run()
  return lived
}
