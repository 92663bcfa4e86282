import fc from 'fast-check'

/** Any code point but half of a surrogate pair. `unit: 'binary'` of fast-check lists them all before it makes the first text. */
const character = fc.oneof(
  fc.integer({ min: 0, max: 0x7f }),
  fc.integer({ min: 0x80, max: 0x10f7ff }).map(point => (point < 0xd800 ? point : point + 0x800)),
)

/** Texts of any characters, also such as no keyboard has. */
export const anyText = ({ maxLength = 10 }: { readonly maxLength?: number } = {}): fc.Arbitrary<string> =>
  fc.array(character, { maxLength }).map(points => String.fromCodePoint(...points))
