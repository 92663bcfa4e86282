/** Pairs of causes and random ways find what is planted for them. */
import { describe, expect, it } from 'vitest'
import { type Deep, type Pair, wayOf } from '../src/deep/family.js'
import { payDeep } from '../src/deep/pay.js'
import { isComplete, withResults } from '../src/deep/results.js'
import { mistakes } from '../src/pay/mistakes.js'
import { exploreScene } from '../src/pay/pay.js'

const planted = (what: string) => {
  const mistake = mistakes.find(each => each.what === what)
  if (mistake === undefined) throw new Error(`Nothing is planted that ${what}.`)
  return mistake
}

function pairIn({ pairs }: Deep, name: string): Pair {
  const pair = pairs.find(each => each.name === name)
  if (pair === undefined) throw new Error(`There is no pair ${name}.`)
  return pair
}

describe('a pair of causes', () => {
  const world = { absence: 'as it refuses', usedIds: 'second-order' } as const
  const { make, broken } = planted('takes every refused question for an order that was never seen')
  const name = 'pay: absence as it refuses, usedIds second-order: a question without an answer; a restored store'

  it.each([{ restores: 1 }, { lostQuestions: 1 }])('finds what %j alone does not', budget => {
    expect(
      exploreScene({ scene: 'two presses', ...world, budget: { presses: 2, ...budget }, goesOn: false, make }).found,
    ).toBe(undefined)
    expect(pairIn(payDeep(make), name).walk(20_000).found?.broken.what).toMatch(broken)
  })

  it('says that it is not complete where it is stopped', () => {
    expect(pairIn(payDeep(), name).walk(200)).toMatchObject({ stopped: 'too many worlds' })
  })
})

describe('random ways', () => {
  const { make, broken } = planted('takes a lost answer for a refusal')
  const seeds = Array.from({ length: 200 }, (_, nth) => nth + 1)
  const families = [payDeep(make)]

  it('find what is planted, by a seed that tells the same story again', () => {
    const found = seeds.find(seed => wayOf(families, seed).found !== undefined) ?? 0
    const way = wayOf(families, found)
    expect(way.found?.broken.what).toMatch(broken)
    expect(way.found?.moves).toHaveLength(way.steps)
    expect(wayOf(families, found)).toEqual(way)
    expect(wayOf([payDeep()], found).found).toBe(undefined)
  })
})

describe('the results that are kept', () => {
  it('stay where only others were walked through, and go with their pair', () => {
    const kept = { pairs: { gone: [1, 1], one: [9, 3], two: [7, 2, 'too many worlds'] } }
    const after = withResults(kept, { pairs: { two: [8, 2] } }, new Set(['one', 'two']))
    expect(after).toEqual({ pairs: { one: [9, 3], two: [8, 2] } })
    expect(Object.values(kept.pairs).map(isComplete)).toEqual([true, true, false])
  })
})
