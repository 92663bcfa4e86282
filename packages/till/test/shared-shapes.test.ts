import { expect, it } from 'vitest'
import { withSharedShapes } from '../../../scripts/shared-shapes.js'

it.each([
  ['a field that is added', 'const f = a => ({ ...a, b: 1 })', 'const f = a => ({ ...null, ...a, b: 1 })'],
  ['a literal in a literal', 'x = { ...{ ...a, b }, c }', 'x = { ...null, ...{ ...null, ...a, b }, c }'],
  ['nothing but the spread, which is fast', 'x = { ...a }', 'x = { ...a }'],
  ['a spread that is not the first', 'x = { b, ...a, c }', 'x = { b, ...a, c }'],
  ['a pattern, a list and a text', "const { ...a } = b, c = [...d, e], f = '{ ...g, h }'", undefined],
])('the build alters literals that begin with a spread and have more: %s', (_, text, built = text) => {
  expect(withSharedShapes(text)).toBe(built)
})
