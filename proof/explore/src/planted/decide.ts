/** Mistakes of a person's decision. */
import { decide } from '../../../../packages/till/src/intents/decide.js'
import { decides, decidesBy, exploreScene, type MakeDecide } from '../pay/pay.js'
import type { Planted } from '../scenes/scene.js'

const mistakes: readonly (readonly [what: string, broken: RegExp, makeDecide: MakeDecide])[] = [
  [
    'takes a person’s word while the process that sends may still wait',
    /did nothing, and it may arrive$|^customers may pay, or have paid/,
    plan => {
      const next = decide(plan)
      return decidesBy(scene => next({ ...scene, at: { ...scene.at, earliest: scene.at.earliest + 1_000 } }), plan)
    },
  ],
  [
    'keeps a decision although somebody else wrote meanwhile',
    /^a person hears that it is done, and the word "(failed|arrived)" is not kept$/,
    plan => {
      const advance = decides(plan)
      return (run, event, at) => advance(run, event.kind === 'conflict' ? { kind: 'written' } : event, at)
    },
  ],
]

export const decisions: readonly Planted[] = mistakes.map(([what, broken, makeDecide]) => ({
  what: `pay: ${what}`,
  broken,
  walk: () => exploreScene({ scene: 'a decision by a person', makeDecide }),
}))
