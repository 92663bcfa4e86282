/** A character that was written as an escape. */
interface Escaped {
  readonly byte: number
  /** Bytes of the escape. */
  readonly length: number
  /** 0: percent-encoded; 1: as in JSON or a program; 2: as in HTML. */
  readonly way: 0 | 1 | 2
}

/** Most bytes of an escape, with those behind it that decide whether it is one. */
export const longestEscape = 8

const [percent, backslash] = [0x25, 0x5c]

const hexDigit = (byte: number | undefined): number => {
  if (byte === undefined) return -1
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const lower = byte | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1
}

/** The byte that two hexadecimal digits stand for; -1 where they are none. */
function hexByte(bytes: Uint8Array, at: number): number {
  const [high, low] = [hexDigit(bytes[at]), hexDigit(bytes[at + 1])]
  return high < 0 || low < 0 ? -1 : high * 16 + low
}

/** A letter is never read from an escape: `%44` may be the sign of a percentage before a number that begins so. */
const isWanted = (byte: number): boolean => {
  const lower = byte | 0x20
  return byte > 0 && !(lower >= 0x61 && lower <= 0x7a)
}

const found = (byte: number, length: number, way: Escaped['way']): Escaped | undefined =>
  isWanted(byte) ? { byte, length, way } : undefined

/** Reads the escape that begins with the `%`, the backslash or the `&` at a place; undefined where none does. */
export function escapeAt(bytes: Uint8Array, at: number): Escaped | undefined {
  const first = bytes[at]
  if (first === percent) {
    // Encoded twice, %34 is %2534.
    const isTwice = bytes[at + 1] === 0x32 && bytes[at + 2] === 0x35 && hexByte(bytes, at + 3) >= 0
    return isTwice ? found(hexByte(bytes, at + 3), 5, 0) : found(hexByte(bytes, at + 1), 3, 0)
  }
  if (first === backslash) return backslashAt(bytes, at)
  return entityAt(bytes, at)
}

function backslashAt(bytes: Uint8Array, at: number): Escaped | undefined {
  // JSON within JSON has two.
  const next = bytes[at + 1] === backslash ? at + 2 : at + 1
  const length = next - at
  const kind = bytes[next]
  // \u0034
  if (kind === 0x75 && bytes[next + 1] === 0x30 && bytes[next + 2] === 0x30) {
    return found(hexByte(bytes, next + 3), length + 5, 1)
  }
  // \x34, but not \x3434…, as PostgreSQL writes bytes
  if (kind === 0x78 && hexByte(bytes, next + 3) < 0) return found(hexByte(bytes, next + 1), length + 3, 1)
  // \n, \r and \t
  if (kind === 0x6e) return { byte: 0x0a, length: length + 1, way: 1 }
  return kind === 0x72 || kind === 0x74 ? { byte: 0x20, length: length + 1, way: 1 } : undefined
}

/** `&#52;`, `&#052;`, `&#x34;` and `&#x0034;` are a 4. */
function entityAt(bytes: Uint8Array, at: number): Escaped | undefined {
  if (bytes[at + 1] !== 0x23) return undefined
  const isHex = ((bytes[at + 2] ?? 0) | 0x20) === 0x78
  let value = 0
  for (let place = at + (isHex ? 3 : 2); place < at + longestEscape; place += 1) {
    if (bytes[place] === 0x3b) return value < 256 ? found(value, place + 1 - at, 2) : undefined
    const each = hexDigit(bytes[place])
    if (each < 0 || (!isHex && each > 9)) return undefined
    value = value * (isHex ? 16 : 10) + each
  }
  return undefined
}
