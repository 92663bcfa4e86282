/** Every world that the shipped runner and rules come to, in scenes with one cause of trouble each, until there is no new one. */
import { defaultProfile } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { createAdvance } from '../../src/engine/advance.js'
import { send } from '../../src/intents/send.js'
import { emptyDocument } from '../../src/state/document.js'
import { exploreScene, plan, type scenes, shipped } from './scenes.js'
import type { Advance, Result } from './world.js'

type Scene = keyof typeof scenes

/** How many worlds each scene has, and how far the last one is away: a change is to be looked at. */
const kept: { readonly [Name in Exclude<Scene, 'a slower process'>]: readonly [worlds: number, depth: number] } = {
  'two presses': [261, 17],
  'a crash anywhere': [1_652, 36],
  'a lost answer': [3_001, 41],
  'a slow process': [2_766, 27],
}
const names = Object.keys(kept) as (keyof typeof kept)[]

describe('a request that is sent once', () => {
  const seen = new Set<Result['kind']>()

  it.each(names)('charges once and reports no guess, in every world of: %s', name => {
    const { worlds, depth, found } = exploreScene(name, shipped, world => {
      for (const { kind } of world.results) seen.add(kind)
    })
    expect(found).toBeUndefined()
    expect([worlds, depth]).toEqual(kept[name])
  })

  it('comes to every end that it can have with a store that works', () => {
    expect([...seen].sort()).toEqual(['accepted', 'failed', 'late', 'not-sent', 'refused', 'unknown'])
  })
})

describe('the explorer finds a runner', () => {
  const planted: readonly (readonly [what: string, where: Scene, broken: RegExp, advance: Advance])[] = [
    [
      'that keeps its decision although somebody else wrote meanwhile',
      'two presses',
      /^charged 2 times/,
      (run, event, at) => shipped(run, event.kind === 'conflict' ? { kind: 'written' } : event, at),
    ],
    [
      'that does not ask what is kept of the payment',
      'two presses',
      /^charged 2 times/,
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

  it.each(planted)('%s', (_, where, broken, advance) => {
    const { found } = exploreScene(where, advance)
    expect(found?.broken).toMatch(broken)
    expect(found?.moves[0]).toMatch(/^process \d is asked to pay$/)
  })
})
