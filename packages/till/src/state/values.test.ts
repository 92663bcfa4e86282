import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isSame } from './values.js'

/** The text of a value, with the fields of each object in one order. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, each) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([one], [other]) => (one < other ? -1 : 1)))
      : each,
  )

/** Small values, so that two of them are often the same. */
const { value } = fc.letrec(tie => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, true, 0, 1, '', 'a', '0'),
    fc.array(tie('value'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom('a', 'b', '0'), tie('value'), { maxKeys: 3 }),
  ),
}))

describe('two values', () => {
  it('are the same exactly where their JSON is, in whatever order their fields are', () => {
    fc.assert(
      fc.property(value, value, (one, other) => {
        expect(isSame(one, other)).toBe(canonical(one) === canonical(other))
        expect(isSame(one, JSON.parse(canonical(one)))).toBe(true)
      }),
    )
  })

  it.each([
    [{ a: 1, b: undefined }, { a: 1 }],
    [{ a: 1 }, { a: 1, b: undefined }],
    [undefined, undefined],
  ])('are the same where a field is undefined: %j and %j', (one, other) => {
    expect(isSame(one, other)).toBe(true)
  })
})
