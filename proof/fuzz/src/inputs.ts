/**
 * Inputs, and changes to them: of bytes, and of the values of JSON.
 *
 * @module
 */
import fc from 'fast-check'
import { cardNumber } from './parser.js'

/** Pieces that trip programs up, whatever they parse. */
const tokensOfAll = [
  cardNumber,
  '4444 5555 6666 1111',
  '__proto__',
  'constructor',
  'null',
  'undefined',
  '[object Object]',
  '\u0000',
  '\n',
  '\r\n',
  '\u001b[2J',
  '\u2028',
  '\ufeff',
  '\u200b',
  '\ufffd',
  '🛒',
  'é',
  '%',
  '%00',
  '%zz',
  '%C3',
  '\\',
  '"',
  "'",
  '9'.repeat(40),
  '1e400',
  '-0',
]

const die = fc.nat({ max: 0xffff_ffff })

const changeWith = (tokens: readonly string[]) =>
  fc.oneof(
    fc.record({ kind: fc.constant('cut' as const), at: die, length: fc.oneof(fc.integer({ min: 1, max: 8 }), die) }),
    fc.record({
      kind: fc.constant('insert' as const),
      at: die,
      bytes: fc.constantFrom(...tokensOfAll, ...tokens).map(each => Buffer.from(each)),
    }),
    fc.record({ kind: fc.constant('copy' as const), at: die, length: fc.integer({ min: 1, max: 200 }), to: die }),
    fc.record({ kind: fc.constant('byte' as const), at: die, value: fc.nat({ max: 255 }) }),
    fc.record({ kind: fc.constant('repeat' as const), at: die, times: fc.integer({ min: 2, max: 3000 }) }),
  )

type Change = ReturnType<typeof changeWith> extends fc.Arbitrary<infer Each> ? Each : never

/** No input becomes longer than this by changes, in bytes. */
const longest = 100_000

function changed(bytes: Buffer, change: Change): Buffer {
  const at = change.at % (bytes.length + 1)
  const before = bytes.subarray(0, at)
  switch (change.kind) {
    case 'cut':
      return Buffer.concat([before, bytes.subarray(at + (change.length % (bytes.length + 1)))])
    case 'insert':
      return Buffer.concat([before, change.bytes, bytes.subarray(at)])
    case 'copy': {
      const to = change.to % (bytes.length + 1)
      const piece = bytes.subarray(at, at + change.length)
      return Buffer.concat([bytes.subarray(0, to), piece, bytes.subarray(to)]).subarray(0, longest)
    }
    case 'byte':
      return Buffer.concat([before, Buffer.of(change.value), bytes.subarray(at + 1)])
    case 'repeat': {
      const piece = bytes.subarray(at, at + 1 + (change.times % 7))
      const copies = Array.from({ length: change.times }, () => piece)
      return Buffer.concat([before, ...copies, bytes.subarray(at)]).subarray(0, longest)
    }
  }
}

/** Inputs as they are, and with up to four changes. */
export const altered = (inputs: fc.Arbitrary<Buffer>, tokens: readonly string[]): fc.Arbitrary<Buffer> =>
  fc.oneof(
    { weight: 1, arbitrary: inputs },
    {
      weight: 3,
      arbitrary: fc
        .tuple(inputs, fc.array(changeWith(tokens), { minLength: 1, maxLength: 4 }))
        .map(([bytes, changes]) => changes.reduce(changed, bytes)),
    },
  )

function nested(depth: number): unknown {
  let value: unknown = []
  for (let at = 0; at < depth; at += 1) value = at % 2 === 0 ? [value] : { a: value }
  return value
}

const oddValues: readonly unknown[] = [
  ...[null, true, false, '', ' ', 0, -1, 0.5, 1e21, 2 ** 53, 2 ** 51 + 1, '\ud800', '\u0000', 'x\ny'],
  ...[[], {}, [[]], [null], { kind: {} }, { toString: 1, valueOf: 1 }],
]

/** Values of JSON, among them such as trip programs up. */
export const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 20, arbitrary: fc.constantFrom<unknown>(...oddValues, ...tokensOfAll) },
  { weight: 10, arbitrary: fc.string({ maxLength: 12 }) },
  { weight: 1, arbitrary: fc.constantFrom(nested(3), nested(40), nested(200)) },
)

/** Values of JSON with up to three changes: of a member, of its name, or of its place. */
export const alteredJson = (values: fc.Arbitrary<unknown>, names: readonly string[] = []): fc.Arbitrary<unknown> => {
  const change = fc.record({
    kind: fc.constantFrom('replace' as const, 'drop' as const, 'add' as const, 'rename' as const, 'move' as const),
    at: die,
    to: die,
    name: fc.constantFrom('__proto__', 'toString', 'kind', '0', ...names),
    value: oddValue,
  })
  return fc
    .tuple(values, fc.array(change, { maxLength: 3 }))
    .map(([value, changes]) => changes.reduce<unknown>((before, each) => changedJson(before, each), value))
}

interface JsonChange {
  readonly kind: 'replace' | 'drop' | 'add' | 'rename' | 'move'
  readonly at: number
  readonly to: number
  readonly name: string
  readonly value: unknown
}

/** A place of a value: where it is a member, and under which name. */
type Place = readonly [container: Record<string, unknown>, name: string]

function changedJson(value: unknown, { kind, at, to, name, value: other }: JsonChange): unknown {
  const root: Record<string, unknown> = { root: clone(value) }
  const places = placesIn(root)
  const [container, own] = places[at % places.length] ?? [root, 'root']
  const [there, name2] = places[to % places.length] ?? [root, 'root']
  const moved = container[own]
  if (kind === 'replace') put(container, own, other)
  else if (kind === 'move') put(there, name2, clone(moved))
  else if (kind === 'add') put(isContainer(moved) ? moved : container, name, other)
  else {
    if (Array.isArray(container)) container.splice(Number(own), 1)
    else delete container[own]
    if (kind === 'rename') put(container, name, moved)
  }
  return root.root
}

const clone = (value: unknown): unknown => JSON.parse(jsonOf(value))

/** Assigning to `__proto__` would set no member. */
const put = (container: object, name: string, value: unknown): void =>
  void Object.defineProperty(container, name, { value, enumerable: true, configurable: true, writable: true })

const isContainer = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

function placesIn(root: Record<string, unknown>): readonly Place[] {
  const places: Place[] = []
  const open = [root]
  for (let container = open.pop(); container !== undefined; container = open.pop()) {
    for (const name of Object.keys(container)) {
      if (name === 'length' || places.length > 2000) continue
      places.push([container, name])
      const member = container[name]
      if (isContainer(member)) open.push(member)
    }
  }
  return places
}

/** JSON as bytes, now and then with spaces. */
export const asJson = (values: fc.Arbitrary<unknown>): fc.Arbitrary<Buffer> =>
  fc.tuple(values, fc.constantFrom(undefined, 2)).map(([value, indent]) => Buffer.from(jsonOf(value, indent)))

/** Too deep a value is null. */
function jsonOf(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(value, undefined, indent) ?? 'null'
  } catch {
    return 'null'
  }
}

/** Text of about so many bytes, made of a piece. */
export const repeated =
  (piece: string, { before = '', after = '' }: { readonly before?: string; readonly after?: string } = {}) =>
  (length: number): Buffer =>
    Buffer.from(before + piece.repeat(Math.ceil(length / Buffer.byteLength(piece))) + after)

/** At most 200 kB: the `JSON.parse` of V8 itself takes more than twice as long for twice as many of them, 0.4 s for a megabyte. */
export const bracketsWithoutEnd = (before = '') => {
  const make = repeated('[', { before })
  return (length: number): Buffer => make(Math.min(length, 200_000))
}
