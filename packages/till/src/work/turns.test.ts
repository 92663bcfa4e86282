import { describe, expect, it } from 'vitest'
import { reserveTurns } from './turns.js'

const at = 1_000_000

describe('reserveTurns', () => {
  it('lets a second of turns be used at once where nobody asked for a while', () => {
    const turns = reserveTurns(undefined, { at, count: 10, debt: 0, perSecond: 10 })
    expect(turns).toEqual({ from: at - 900, apart: 100, until: at })
    expect(reserveTurns(at - 3_600_000, { at, count: 10, debt: 0, perSecond: 10 }).until).toBe(at)
  })

  it('gives the next process what comes after the turns of the one before', () => {
    const first = reserveTurns(undefined, { at, count: 10, debt: 0, perSecond: 10 })
    const second = reserveTurns(first.until, { at, count: 10, debt: 0, perSecond: 10 })
    expect(second.from).toBe(at + 100)
    expect(second.until).toBe(at + 1000)
  })

  it('lets one come at once where a second has less than one', () => {
    expect(reserveTurns(undefined, { at, count: 1, debt: 0, perSecond: 0.1 }).from).toBe(at)
  })

  it('lets what was asked without a turn push back the others, and never for more than two seconds', () => {
    expect(reserveTurns(at, { at, count: 1, debt: 5, perSecond: 10 }).from).toBe(at + 600)
    expect(reserveTurns(at, { at, count: 1, debt: 500, perSecond: 10 }).from).toBe(at + 2_100)
    expect(reserveTurns(at + 9_000, { at, count: 1, debt: 500, perSecond: 10 }).from).toBe(at + 9_100)
  })

  it('does not wait for a moment that a clock before this one made up', () => {
    expect(reserveTurns(at + 3_600_000, { at, count: 1, debt: 0, perSecond: 10 }).from).toBe(at + 60_100)
  })
})
