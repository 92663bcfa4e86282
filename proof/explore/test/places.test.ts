/** Places of the shipped code are found by their text, and counted where they are. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { placesOf } from '../src/places/places.js'
import {
  type Reached,
  type Unreached,
  unreachedDifferences,
  unreachedIn,
  withUnreached,
} from '../src/places/unreached.js'
import type { Answer, Asked } from '../src/scene-walks.js'
import { allScenes } from '../src/scenes/all.js'
import { askAll } from '../src/walks.js'

describe('places', () => {
  it('are cases, returns, throws and arms, each under a name of its own', () => {
    const text = `
      function paid(order) {
        switch (order.kind) { case 'sale': return order.amount > 0 ? 'paid' : 'nothing'; default: throw new Error('gone') }
      }
      const sum = list => list.reduce((all, each) => all + each, 0)
      function told(list) { if (list.length > 9) list.pop(); if (list.length === 0) return 1; return 1 }`
    const places = placesOf(text)
    expect(places.map(({ name }) => name)).toEqual([
      "paid: case 'sale'",
      "paid: return order.amount > 0 ? 'paid' : 'nothing'",
      "paid: order.amount > 0 ? 'paid'",
      "paid: not order.amount > 0 ? 'nothing'",
      'paid: default',
      "paid: throw new Error('gone')",
      'sum: => list.reduce((all, each) => all + each, 0)',
      'told: if (list.length > 9)',
      'told: return 1',
      'told: return 1 (2)',
    ])
    expect(text.slice(places[4]?.at)).toMatch(/^default/)
  })

  it('are come to by the scene that needs them, and by no other', async () => {
    const place = allScenes.findIndex(({ name }) => name === 'visit: two customers, no trouble')
    const loader = new URL('../../../scripts/source-loader.js', import.meta.url).href
    const shared = {
      program: new URL('../src/walk-one.ts', import.meta.url),
      processes: 1,
      options: ['--conditions=@tillkit/source', '--import', loader],
      parameters: ['--count'],
      last: { kind: 'reached' } as const,
    }
    let reached: Reached = {}
    await askAll<Asked, Answer>([{ kind: 'scene', place, isPlanted: false }], shared, (_, answer) => {
      if (answer.kind === 'reached') reached = answer.reached
    })
    expect(reached['engine/advance.ts']).toMatchObject({ 'decide: case "deliver"': true, 'decide: case "send"': false })
    expect(reached['state/evolve.ts']).toMatchObject({
      'withFact: case "delivered"': true,
      'withFact: case "purged"': false,
    })
    expect(unreachedIn(reached)).toContain('intents/payout.ts')
  })
})

describe('the list of places that no scene comes to', () => {
  const kept: readonly Unreached[] = JSON.parse(readFileSync(new URL('../unreached.json', import.meta.url), 'utf8'))
  const before: readonly Unreached[] = [{ why: 'a mistake', places: ['engine/run.ts: a', 'engine/run.ts: gone'] }]
  const reached: Reached = { 'engine/run.ts': { a: false, b: true, c: false } }

  it('has a reason for each, and no place twice', () => {
    const places = kept.flatMap(each => each.places)
    expect(new Set(places).size).toBe(places.length)
    expect(kept.filter(({ why }) => why === '')).toEqual([])
  })

  it('is to name what nobody comes to, and nothing else', () => {
    const differences = unreachedDifferences(reached, before)
    expect(differences).toContain('No scene comes to engine/run.ts: c')
    expect(differences).toContain('unreached.json lists what a scene comes to, or what is gone: engine/run.ts: gone')
    expect(differences.filter(each => /run\.ts: [ab]$/.test(each))).toEqual([])
  })

  it('keeps its reasons where it is written again, and wants one for what is new', () => {
    const [old, added] = withUnreached(reached, before)
    expect(old).toEqual({ why: 'a mistake', places: ['engine/run.ts: a'] })
    expect(added?.places).toContain('engine/run.ts: c')
    expect(unreachedDifferences(reached, withUnreached(reached, before))).toContain(
      'Say why no scene comes to engine/run.ts: c',
    )
  })
})
