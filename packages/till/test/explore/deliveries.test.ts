/** Every world of deliveries that the shipped runner and rules come to, in scenes with one cause of trouble each, until there is no new one. */

import { defaultProfile } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { createAdvance } from '../../src/engine/advance.js'
import { type DeliverResult, deliver } from '../../src/intents/deliver.js'
import type { Next } from '../../src/intents/next.js'
import { emptyDocument } from '../../src/state/document.js'
import { type Deliver, type Exploration, exploreScene, nameOf, shipped } from './deliveries.js'
import { lease } from './deliveries-world.js'

const commits = { hasTransactions: true }
const marks = { hasTransactions: false }

/** How many worlds each scene has, and how far the last one is away: a change is to be looked at. */
const kept: readonly (readonly [Exploration, worlds: number, depth: number])[] = [
  [{ scene: 'no trouble', ...commits, outcomes: 2 }, 322, 23],
  [{ scene: 'no trouble', ...marks, outcomes: 2 }, 241, 22],
  [{ scene: 'a crash anywhere', ...commits }, 1_134, 29],
  [{ scene: 'a crash anywhere', ...marks }, 2_805, 32],
  [{ scene: 'a lost answer', ...commits }, 226, 16],
  [{ scene: 'a lost answer', ...marks }, 578, 28],
  [{ scene: 'a lost answer of a commit', ...commits }, 1_359, 31],
  [{ scene: 'a handler that fails', ...commits }, 598, 26],
  [{ scene: 'a handler that fails', ...marks }, 989, 28],
  [{ scene: 'a handler that outstays its lease', ...commits }, 787, 30],
  [{ scene: 'a handler that outstays its lease', ...commits, processes: 1, runsEach: 2 }, 172, 18],
  [{ scene: 'a handler that outstays its lease', ...marks, processes: 1 }, 229, 21],
  [{ scene: "somebody else's write", ...commits }, 1_016, 25],
  [{ scene: "somebody else's write", ...marks }, 1_516, 29],
  [{ scene: 'a caller who leaves', ...commits }, 501, 26],
  [{ scene: 'a write that is refused', ...commits }, 94, 17],
  [{ scene: 'a slow process', ...commits }, 929, 27],
]

describe('outcomes that are delivered', () => {
  const seen = new Set<string>()

  it.each(kept.map(each => [nameOf(each[0]), ...each] as const))(
    'are told once, in order, and none is left for ever, in every world of: %s',
    (_, exploration, worlds, depth) => {
      const explored = exploreScene({ ...exploration, look: kind => seen.add(kind) })
      expect(explored).toEqual({ worlds, depth })
    },
  )

  it('come to every end that a run can have', () => {
    expect([...seen].sort()).toEqual(['busy', 'failed', 'not done', 'nothing', 'told', 'unknown'])
  })
})

describe('the explorer finds a runner', () => {
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

  it.each(planted)('%s', (_, where, broken, advance) => {
    const { found } = exploreScene({ ...where, advance })
    expect(found?.broken).toMatch(broken)
    expect(found?.moves[0]).toMatch(/^process \d begins$|^somebody else writes/)
  })
})
