/** A small world every day. `npm run world` lets a million payments live. */
import { describe, expect, it } from 'vitest'
import { drawPlan } from '../src/draw.js'
import { liveAll, liveAlone } from '../src/world.js'

describe('a world', () => {
  const world = liveAll(1, { from: 0, to: 300 })

  it('breaks no rule', () => {
    expect(world.broken.map(({ plan, broken }) => `${plan.payment}: ${broken}`)).toEqual([])
    expect(world.counts.get('ends: at rest')).toBeGreaterThan(280)
  })

  it('has each kind of trouble, and each kind of outcome', () => {
    const kinds = [...world.counts.keys()]
    expect(kinds.filter(each => each.startsWith('fault: ')).length).toBeGreaterThan(20)
    expect(kinds).toEqual(expect.arrayContaining(['told: paid', 'told: held', 'told: declined', 'told: returned']))
  })

  it('lets a payment live alone as it lives among others', () => {
    const payment = 17
    const told: string[] = []
    liveAlone(drawPlan(1, payment), text => told.push(text))
    const again: string[] = []
    liveAlone(drawPlan(1, payment), text => again.push(text))
    expect(again).toEqual(told)
    expect(told.length).toBeGreaterThan(10)
  })
})
