import { describe, expect, it } from 'vitest'
import { couldBe } from './masked-value.js'

describe('couldBe', () => {
  it.each([
    ['a***@shop.test', 'ada@shop.test', true],
    ['a***@shop.test', 'bob@shop.test', false],
    ['444444******4448', '4444444444444448', true],
    ['444444******4448', '5555555555554444', false],
    ['***', 'anything at all', true],
    ['1.0', '100', false],
    ['(***', '(x', true],
  ])('%s for %s: %s', (shown, value, expected) => expect(couldBe(shown, value)).toBe(expected))
})
