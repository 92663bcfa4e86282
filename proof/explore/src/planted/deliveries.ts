/** Mistakes of deliveries. */
import { defaultProfile } from '@tillkit/protocol'
import { createAdvance } from '../../../../packages/till/src/engine/advance.js'
import { type DeliverResult, deliver } from '../../../../packages/till/src/intents/deliver.js'
import type { Next } from '../../../../packages/till/src/intents/next.js'
import { emptyDocument } from '../../../../packages/till/src/state/document.js'
import { type Deliver, type Exploration, exploreScene, shipped } from '../deliveries/deliveries.js'
import { lease } from '../deliveries/world.js'
import type { Planted } from '../scenes/scene.js'

const commits = { hasTransactions: true }
const marks = { hasTransactions: false }

const shippedNext = deliver({ lease })
const made = (next: Next<DeliverResult>): Deliver => createAdvance(next, () => defaultProfile)

const planted: readonly (readonly [what: string, where: Exploration, broken: RegExp, advance: Deliver])[] = [
  [
    'that keeps its lease although somebody else wrote meanwhile',
    { scene: "somebody else's write", ...commits },
    /^a handler begins under .*, and the lease is somebody else's$/,
    (run, event, at) => shipped(run, event.kind === 'conflict' ? { kind: 'written' } : event, at),
  ],
  [
    'that takes the lease of somebody else for its own',
    { scene: 'no trouble', ...commits },
    /^a handler begins under .*, and the lease is somebody else's$/,
    (run, event, at) => {
      const telling = event.kind === 'conflict' ? event.known.document?.telling : undefined
      if (event.kind !== 'conflict' || run.gate?.kind !== 'lease' || telling === undefined)
        return shipped(run, event, at)
      const { token } = run.gate
      const document = event.known.document && { ...event.known.document, telling: { ...telling, token } }
      return shipped(run, { ...event, known: { ...event.known, document } }, at)
    },
  ],
  [
    'that ends the lease of somebody else',
    { scene: 'no trouble', ...commits },
    /takes the lease of somebody else$/,
    made(scene => shippedNext({ ...scene, at: { ...scene.at, earliest: scene.at.earliest + lease } })),
  ],
  [
    'that calls the handler after its lease',
    { scene: 'a slower process', ...commits },
    /^a handler begins under .* after its lease$/,
    (run, event, at) => shipped(run, event, { ...at, latest: at.latest - lease }),
  ],
  [
    'that takes a lost commit for a commit',
    { scene: 'a lost answer of a commit', ...commits },
    /says told, and has (told nothing|left something untold)$/,
    (run, event, at) => {
      if (event.kind !== 'handled' || event.end.kind !== 'unknown') return shipped(run, event, at)
      const { telling: _over, ...document } = run.known.document ?? emptyDocument('basket-7')
      const orders = document.orders.map(order => ({
        ...order,
        stages: order.stages.map(stage => ({ ...stage, told: 1 })),
      }))
      const known = { document: { ...document, orders } }
      return shipped(run, { kind: 'handled', end: { kind: 'committed', known, wanted: [] } }, at)
    },
  ],
  ...([commits, marks] as const).map(
    store =>
      [
        `that takes a handler that failed for told, ${store === commits ? 'and commits' : 'and marks'}`,
        { scene: 'a handler that fails', ...store },
        /marked as told$/,
        (run, event, at) =>
          shipped(
            run,
            event.kind === 'handled' && event.end.kind === 'failed'
              ? { kind: 'handled', end: { kind: 'told', wanted: [], isApproval: true } }
              : event,
            at,
          ),
      ] as const satisfies (typeof planted)[number],
  ),
  [
    'that forgets what happened where somebody else wrote meanwhile',
    { scene: "somebody else's write", ...marks, outcomes: 2, processes: 1 },
    /^the handler was called for .* again, and nothing has happened$/,
    (run, event, at) => shipped(event.kind === 'conflict' ? { ...run, staged: [] } : run, event, at),
  ],
  [
    'that tells one outcome, and says that all are told',
    { scene: 'no trouble', ...commits, outcomes: 2 },
    /says told, and has left something untold$/,
    made(scene => {
      const step = shippedNext(scene)
      return step.kind !== 'deliver' || scene.heard.deliveries.length === 0
        ? step
        : { kind: 'end', result: { kind: 'told', payment: scene.payment } }
    }),
  ],
  [
    'that tells a later outcome first',
    { scene: 'no trouble', ...marks, outcomes: 2 },
    /^a stage was told before the one before it$/,
    made(scene => {
      const step = shippedNext(scene)
      if (step.kind !== 'deliver' || step.payment.telling === undefined) return step
      const [, last] = step.payment.orders[0]?.stages ?? []
      const telling = { ...step.payment.telling, stage: last?.told === 1 ? 0 : 1 }
      return { ...step, payment: { ...step.payment, telling } }
    }),
  ],
  [
    'whose lease is never over',
    { scene: 'a crash anywhere', ...commits },
    /^nobody can tell what is left$/,
    made(deliver({ lease: 1_000 * lease })),
  ],
  [
    'that does not pause before it looks again',
    { scene: 'no trouble', ...commits },
    /^a run does not end$/,
    (run, event, at) => {
      const after = shipped(run, event, at)
      const doing = { kind: 'read' } as const
      return after.effect.kind === 'sleep' ? { run: { ...after.run, doing }, effect: doing } : after
    },
  ],
]

export const deliveries: readonly Planted[] = planted.map(([what, where, broken, advance]) => ({
  what: `deliveries: ${what}`,
  broken,
  walk: () => exploreScene({ ...where, advance }),
}))
