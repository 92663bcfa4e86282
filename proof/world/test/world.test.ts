/** A small world every day. `npm run world` lets a million payments live. */
import { describe, expect, it } from 'vitest'
import { brokenPlan, liveBroken } from '../src/broken.js'
import { drawPlan } from '../src/draw.js'
import { mistakes } from '../src/mistakes.js'
import type { Plan } from '../src/plan.js'
import { shrunk } from '../src/shrink.js'
import { storyOf } from '../src/story.js'
import { liveAll, liveAlone } from '../src/world.js'

describe('a world', () => {
  const world = liveAll(1, { from: 0, to: 150 })

  it('breaks no rule', () => {
    expect(world.broken.map(({ plan, broken }) => `${plan.payment}: ${broken?.what}`)).toEqual([])
    expect(world.counts.get('ends: at rest')).toBeGreaterThan(140)
  })

  it('has each kind of trouble, and each kind of outcome', () => {
    const kinds = [...world.counts.keys()]
    expect(kinds.filter(each => each.startsWith('fault: ')).length).toBeGreaterThan(20)
    expect(kinds).toEqual(expect.arrayContaining(['told: paid', 'told: held', 'told: declined', 'told: returned']))
  })

  it('is the same one where no short cut is taken', () => {
    const counted = (isThorough: boolean) => {
      const all = new Map<string, number>()
      for (const [what, count] of liveAll(3, { from: 0, to: 60, isThorough }).counts) {
        const [kind = ''] = what.split(', not lived')
        all.set(kind, (all.get(kind) ?? 0) + count)
      }
      return [...all].sort()
    }
    expect(counted(false)).toEqual(counted(true))
    expect([...world.counts.keys()].some(each => each.includes(', not lived'))).toBe(true)
  })

  it('lets a payment live after another one as it lives alone', () => {
    const counted = (payment: number) => [...liveAll(1, { from: payment, to: payment + 1 }).counts].sort()
    const [one, other] = [counted(17), counted(18)]
    const both = new Map(one)
    for (const [what, count] of other) both.set(what, (both.get(what) ?? 0) + count)
    expect([...liveAll(1, { from: 17, to: 19 }).counts].sort()).toEqual([...both].sort())
  })

  it('tells a life again in the same words', () => {
    const { lines } = storyOf(drawPlan(1, 17))
    expect(storyOf(drawPlan(1, 17)).lines).toEqual(lines)
    expect(lines.at(-1)).toBe('It came to rest.')
  })
})

describe('a planted mistake', () => {
  it.each(mistakes.map(each => [each.what, each] as const))('is found: %s', (_, mistake) => {
    const plan = drawPlan(1, mistake.payment)
    expect(liveAlone(plan, { mistake }).broken?.what).toMatch(mistake.broken)
    expect(liveAlone(plan).broken).toBeUndefined()
  })

  it('shrinks to the few items of the plan that it needs', () => {
    const mistake = mistakes.find(({ what }) => what.startsWith('a commit'))
    if (mistake === undefined) throw new Error('There is no such mistake.')
    const plan = drawPlan(1, mistake.payment)
    const breaks = (other: Plan) => mistake.broken.test(liveAlone(other, { mistake }).broken?.what ?? '')
    const { plan: short } = shrunk(plan, breaks)
    expect(breaks(short)).toBe(true)
    expect(short.items.length).toBeLessThan(plan.items.length)
    for (const item of short.items)
      expect(breaks({ ...short, items: short.items.filter(each => each !== item) })).toBe(false)
  })
})

describe('a store that breaks its contract', () => {
  it.each([
    ['lost', 12],
    ['stale', 12],
  ] as const)('breaks rules, which a restore makes whole: %s', (breach, payments) => {
    const { broken, left } = liveBroken(1, { payments, breach })
    expect(broken.size).toBeGreaterThan(0)
    expect(left).toEqual([])
  })
})

// ADR 0083, 0086, 0087, 0088, 0089.
describe('a life that could not come to rest once', () => {
  it.each([
    ['a hold that was declined, and whose approval a restored store lacks', drawPlan(1, 538094)],
    ['a return whose answer was lost, and that the gateway takes back', drawPlan(1, 24058)],
    ['a return without a number, after one that was declined at the gateway', drawPlan(1, 32256)],
    ['a capture without a number, which a chargeback covers', drawPlan(1, 439472)],
    ['a void without a number that the gateway takes back', drawPlan(1, 1031)],
    ['a return that was made at the gateway, and that it takes back', drawPlan(1, 143)],
    ['a decline that is taken back and comes again, before status shows it', drawPlan(1, 207987)],
    ['an order behind one that the gateway refused, which a restored store lacks', drawPlan(1, 70970)],
    ['two orders, one of which a declined return without a number left', drawPlan(1, 149447)],
    ['two orders, of one of which a part went back at the gateway', drawPlan(1, 437140)],
    ['a return that the gateway takes back, and whose request a restored store lacks', drawPlan(1, 487302)],
    ['a return without a number, behind one over another amount', drawPlan(1, 520375)],
    ['a chargeback that our capture covers before status is asked', drawPlan(1, 933759)],
    ['a return that a declined one covers, in a restored store without numbers', drawPlan(1, 777302)],
    ['a callback of a movement without a number, which another one covers', drawPlan(1, 155)],
    ['an order whose beginning a restored store lacks', drawPlan(1, 1057)],
    ['a chargeback that the bank takes back', drawPlan(1, 19954)],
    ['two equal changes without numbers', drawPlan(1, 1698)],
    ['a declined return that a restored store lacks, and the next one', drawPlan(1, 14728)],
    ['a capture and a void that a restored store lacks', drawPlan(1, 4574)],
    ['a form of an adopted order that nobody pays', drawPlan(1, 12539)],
    ['a movement that the store knows nothing of, beside another one', drawPlan(1, 552)],
    [
      'a movement that was told again once a person had named its number',
      brokenPlan(1, 241, { breach: 'lost', isHealed: true }),
    ],
  ])('is at rest now: %s', (_, plan) => {
    expect(liveAlone(plan)).toMatchObject({ broken: undefined })
  })
})
