/** Intents that change an order, and are mistaken. */
import { change } from '../../../../packages/till/src/intents/change.js'
import type { Next, Step } from '../../../../packages/till/src/intents/next.js'
import { type MakeChange, planOf, runnerOf } from './change.js'

type Change = ReturnType<typeof change>
type Result = Change extends Next<infer Came> ? Came : never

/** The shipped runner of an intent that is mistaken. */
export const mistaken =
  (mistake: (next: Change) => Change): MakeChange =>
  wish =>
    runnerOf(mistake(change(planOf(wish))))

/** The shipped intent, one of whose steps is another. */
export const instead =
  (step: (step: Step<Result>, scene: Parameters<Change>[0]) => Step<Result>): MakeChange =>
  wish => {
    const next = change(planOf(wish))
    return runnerOf(scene => step(next(scene), scene))
  }
