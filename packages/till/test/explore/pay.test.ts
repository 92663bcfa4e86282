/** Every world of a payment that the shipped intent and runner come to, in scenes with one cause of trouble each, until there is no new one. */
import { describe, expect, it } from 'vitest'
import { exploreScene, type scenes } from './pay.js'
import { mistakes } from './pay-mistakes.js'

type Scene = Exclude<keyof typeof scenes, 'a form whose address was lost'>

/** How many worlds each scene has, and how far the last one is away: a change is to be looked at. */
const kept: { readonly [Name in Scene]: readonly [worlds: number, depth: number] } = {
  'two presses': [223, 17],
  'a crash anywhere': [512, 24],
  'a lost answer of a request': [428, 24],
  'a lost answer of a write': [940, 19],
  'a slow process': [2_804, 30],
  'a decline': [957, 29],
  'a word that is taken back': [1_651, 30],
  'a question without an answer': [1_064, 29],
  'a lifetime that is over': [299, 25],
  'a form that is not replaced': [672, 22],
  'a form that takes another card': [611, 25],
  'a pause': [2_645, 30],
  'a restored store': [2_263, 36],
  'another amount': [328, 18],
  'another amount, and a form that is replaced': [1_768, 27],
}

describe('a payment that is asked for several times', () => {
  const seen = new Set<string>()

  it.each(Object.keys(kept) as Scene[])('is charged once, and nobody hears a guess, in every world of: %s', scene => {
    const { found, ...size } = exploreScene({ scene, look: kind => seen.add(kind) })
    expect(found).toBeUndefined()
    const [worlds, depth] = kept[scene]
    expect(size).toEqual({ worlds, depth })
  })

  it('comes to every end that it can have in a shop that stays where it is', () => {
    expect([...seen].sort()).toEqual(['go', 'not-opened', 'over', 'paused', 'refused', 'wait'])
  })
})

describe('the explorer finds a runner that', () => {
  it.each(mistakes.map(each => [each.what, each] as const))('%s', (_, { where, make, broken }) => {
    const { found } = exploreScene({ ...where, make })
    expect(found?.broken).toMatch(broken)
    expect(found?.moves[0]).toMatch(/^process 1 is asked for/)
  })
})
