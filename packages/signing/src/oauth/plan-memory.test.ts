import { describe, expect, it } from 'vitest'
import type { Parameter } from '../encoding/parameter-values.js'
import { rememberedPlan } from './plan-memory.js'

const named = (...names: readonly string[]): Parameter[] => names.map(name => [name, 'value'])

describe('rememberedPlan', () => {
  it('plans a list of names once', () => {
    expect(rememberedPlan(named('amount', 'currency'))).toBe(rememberedPlan(named('amount', 'currency')))
  })

  it.each([
    ['another order', named('currency', 'amount')],
    ['fewer names', named('amount')],
    ['more names', named('amount', 'currency', 'email')],
    ['another name', named('amount', 'email')],
  ])('plans anew for %s', (_difference, parameters) => {
    const known = rememberedPlan(named('amount', 'currency'))
    expect(rememberedPlan(parameters)).not.toBe(known)
  })

  it.each([
    [31, true],
    [32, false],
  ])('after %i other lists, says whether it remembers: %s', (others, isRemembered) => {
    const first = rememberedPlan(named(`first of ${others}`))
    for (let other = 0; other < others; other += 1) rememberedPlan(named(`${other} of ${others}`))
    expect(rememberedPlan(named(`first of ${others}`)) === first).toBe(isRemembered)
  })

  it.each([
    ['256 names', named(...Array.from({ length: 256 }, (_, index) => `n${index}`)), true],
    ['257 names', named(...Array.from({ length: 257 }, (_, index) => `n${index}`)), false],
    ['names of 8192 characters in all', named('a'.repeat(8000), 'b'.repeat(192)), true],
    ['names of 8193 characters in all', named('a'.repeat(8000), 'b'.repeat(193)), false],
  ])('of %s, says whether it remembers, for memory stays bounded: %s', (_size, parameters, isRemembered) => {
    const plan = rememberedPlan(parameters)
    expect(rememberedPlan(parameters) === plan).toBe(isRemembered)
  })
})
