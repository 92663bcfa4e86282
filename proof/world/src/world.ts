/** Many payments at once, on one virtual clock: a batch begins within an hour, and is dropped once all of it has come to rest and was judged. */
import { drawPlan } from './draw.js'
import { type Lived, live } from './live.js'
import type { Mistake } from './mistakes.js'
import type { Plan } from './plan.js'
import { createTimeline } from './timeline.js'

/** How many payments live at once. */
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

/** Lets payments live, a batch after the other. @param from The number of the first one. @param to That after the last one. */
export function liveAll(
  seed: number,
  { from, to, mistake }: { readonly from: number; readonly to: number; readonly mistake?: Mistake | undefined },
): WorldResult {
  const counts = new Map<string, number>()
  const count = (what: string): void => void counts.set(what, (counts.get(what) ?? 0) + 1)
  const broken: Lived[] = []
  for (let first = from; first < to; first = (Math.floor(first / batchSize) + 1) * batchSize) {
    const after = Math.min(to, (Math.floor(first / batchSize) + 1) * batchSize)
    const timeline = createTimeline(birthOf(first))
    for (let payment = first; payment < after; payment += 1)
      live(drawPlan(seed, payment), {
        timeline,
        mistake,
        birth: birthOf(payment),
        count,
        ended: lived => {
          count(
            lived.broken !== undefined
              ? 'ends: broken'
              : lived.gap === undefined
                ? 'ends: at rest'
                : `ends: known: ${lived.gap}`,
          )
          if (lived.broken !== undefined) broken.push(lived)
        },
      })
    timeline.run()
  }
  return { payments: to - from, counts, broken }
}

/** How a payment lives alone. */
export interface AloneOptions {
  /** Hears everything that happens, and when, in milliseconds since its birth. */
  readonly say?: (text: string, at: number) => void
  readonly mistake?: Mistake | undefined
}

/** Lets one payment live alone. */
export function liveAlone(plan: Plan, { say, mistake }: AloneOptions = {}): Lived {
  const birth = birthOf(plan.payment)
  const timeline = createTimeline(birth)
  let lived: Lived = { plan, broken: 'it does not come to its end', gap: undefined }
  live(plan, {
    timeline,
    birth,
    count: () => {},
    say,
    mistake,
    ended: end => {
      lived = end
    },
  })
  timeline.run()
  return lived
}
