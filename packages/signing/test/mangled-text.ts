/** Base strings as broken code makes them, at random. */
import fc from 'fast-check'
import { strict } from './mistaken-base-string.js'

const separators = ['%26', '%3D', '&', ';', ':', '%2526', '%253D', '%3B', '%20', '+', '%', '']
/** Ways to mangle a base string; among what is inserted is `secret`. */
export const manglingWith = (secret: string) =>
  fc.oneof(
    fc.record({
      kind: fc.constant('separators' as const),
      from: fc.constantFrom('%26', '%3D', '&'),
      to: fc.constantFrom(...separators),
    }),
    fc.record({ kind: fc.constant('cut' as const), at: fc.nat(), length: fc.integer({ min: 1, max: 60 }) }),
    fc.record({
      kind: fc.constant('insert' as const),
      at: fc.nat(),
      text: fc.oneof(fc.constantFrom(secret, ...separators), fc.string()),
    }),
    fc.record({
      kind: fc.constant('move' as const),
      at: fc.nat(),
      length: fc.integer({ min: 1, max: 60 }),
      to: fc.nat(),
    }),
    fc.record({ kind: fc.constant('encode' as const), at: fc.nat(), length: fc.nat({ max: 300 }) }),
    fc.record({ kind: fc.constant('decode' as const) }),
    fc.record({ kind: fc.constant('reverse' as const), by: fc.constantFrom('&', '%26', '%3D') }),
    fc.record({ kind: fc.constant('case' as const), upper: fc.boolean() }),
  )

type Mangling = ReturnType<typeof manglingWith> extends fc.Arbitrary<infer Kind> ? Kind : never

/** Mangles a base string. */
export function mangle(text: string, how: Mangling): string {
  const at = 'at' in how ? how.at % (text.length + 1) : 0
  switch (how.kind) {
    case 'separators':
      return text.replaceAll(how.from, how.to)
    case 'cut':
      return text.slice(0, at) + text.slice(at + how.length)
    case 'insert':
      return text.slice(0, at) + how.text + text.slice(at)
    case 'move': {
      const left = text.slice(0, at) + text.slice(at + how.length)
      const to = how.to % (left.length + 1)
      return left.slice(0, to) + text.slice(at, at + how.length) + left.slice(to)
    }
    case 'encode':
      return text.slice(0, at) + strict(text.slice(at, at + how.length)) + text.slice(at + how.length)
    case 'decode':
      return text.replace(/%25/g, '%')
    case 'reverse':
      return text.split(how.by).reverse().join(how.by)
    case 'case':
      return how.upper ? text.toUpperCase() : text.toLowerCase()
  }
}
