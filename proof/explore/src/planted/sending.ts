/** Mistakes of what sends a request once. */
import { defaultProfile } from '@tillkit/protocol'
import { createAdvance } from '../../../../packages/till/src/engine/advance.js'
import { send } from '../../../../packages/till/src/intents/send.js'
import { emptyDocument } from '../../../../packages/till/src/state/document.js'
import type { Planted } from '../scenes/scene.js'
import { exploreScene, plan, type scenes, shipped } from '../sending/sending.js'
import type { Advance } from '../sending/world.js'

const planted: readonly (readonly [what: string, where: keyof typeof scenes, broken: RegExp, advance: Advance])[] = [
  [
    'that keeps its decision although somebody else wrote meanwhile',
    'two presses',
    /^charged 2 times/,
    (run, event, at) => shipped(run, event.kind === 'conflict' ? { kind: 'written' } : event, at),
  ],
  [
    'that does not ask what is kept of the payment',
    'two presses',
    /^request run-2\/1 of order basket-7 is kept no longer$/,
    createAdvance(
      scene =>
        send(plan)({
          ...scene,
          payment: scene.payment && { ...emptyDocument('basket-7'), facts: scene.payment.facts },
        }),
      () => defaultProfile,
    ),
  ],
  [
    'that sends after the time in which it may',
    'a slow process',
    /left too late$/,
    (run, event, at) => {
      const { run: after, effect } = shipped(run, event, { ...at, latest: at.latest - 1_000 })
      if (effect.kind !== 'request') return { run: after, effect }
      const doing = { ...effect, startBy: effect.startBy + 1_000 }
      return { run: { ...after, doing }, effect: doing }
    },
  ],
  [
    'that sends what its caller was told is not sent',
    'a slow process',
    /says that nothing was sent, and something was$/,
    (run, event, at) => shipped(run, event, { ...at, latest: at.latest - 1_000, passed: 0 }),
  ],
  [
    'that takes a lost answer for a refusal',
    'a lost answer',
    /did nothing, and it may arrive/,
    (run, event, at) =>
      shipped(
        run,
        event.kind === 'sent' && event.end.kind === 'unknown'
          ? { kind: 'sent', end: { kind: 'refused', at: event.end.at } }
          : event,
        at,
      ),
  ],
  [
    'that takes a lost answer for a yes',
    'a lost answer',
    /says accepted of what never arrived/,
    (run, event, at) =>
      shipped(
        run,
        event.kind === 'sent' ? { kind: 'sent', end: { kind: 'accepted', at: event.end.at, orderId: '77' } } : event,
        at,
      ),
  ],
]

export const sending: readonly Planted[] = planted.map(([what, where, broken, advance]) => ({
  what: `sending: ${what}`,
  broken,
  walk: () => exploreScene(where, advance),
}))
