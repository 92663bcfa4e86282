/**
 * Reads one flat JSON object, the only JSON the interface has: no digit lost, no key twice.
 *
 * `JSON.parse` turns 9223372036854775807 into 9223372036854776000 and keeps the last of two equal keys.
 *
 * @module
 */

/** The value of a key: a text, the digits of a number as they were written, `true` or `false`; null stays null. */
export type FlatValue = string | null

/**
 * Reads `text` as RFC 8259 has it.
 *
 * @returns Keys and values in their order; `undefined` when the text is no JSON object, has a nested value or a key twice.
 */
export function readFlatJson(text: string): ReadonlyMap<string, FlatValue> | undefined {
  const values = new Map<string, FlatValue>()
  let at = skipSpace(text, 0)
  if (text[at] !== '{') return undefined
  at = skipSpace(text, at + 1)
  if (text[at] === '}') return skipSpace(text, at + 1) === text.length ? values : undefined
  for (;;) {
    const nameEnd = stringEnd(text, at)
    if (nameEnd === undefined) return undefined
    const name = unquote(text.slice(at, nameEnd))
    at = skipSpace(text, nameEnd)
    if (text[at] !== ':' || name === undefined || values.has(name)) return undefined
    at = skipSpace(text, at + 1)
    const end = text[at] === '"' ? stringEnd(text, at) : scalarEnd(text, at)
    if (end === undefined) return undefined
    const value = readValue(text.slice(at, end))
    if (value === undefined) return undefined
    values.set(name, value)
    at = skipSpace(text, end)
    if (text[at] === '}') return skipSpace(text, at + 1) === text.length ? values : undefined
    if (text[at] !== ',') return undefined
    at = skipSpace(text, at + 1)
  }
}

function skipSpace(text: string, from: number): number {
  let at = from
  for (;;) {
    const code = text.charCodeAt(at)
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return at
    at += 1
  }
}

/** Where the string that begins at `from` is over; `undefined` when none begins there or it does not end. */
function stringEnd(text: string, from: number): number | undefined {
  if (text[from] !== '"') return undefined
  for (let at = from + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x22) return at + 1
    if (code === 0x5c) at += 1
    else if (code < 0x20) return undefined
  }
  return undefined
}

/** Where a number, `true`, `false` or `null` is over: at the next separator. */
function scalarEnd(text: string, from: number): number {
  let at = from
  while (at < text.length && !' \n\r\t,}'.includes(text.charAt(at))) at += 1
  return at
}

const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

function readValue(written: string): FlatValue | undefined {
  if (written.startsWith('"')) return unquote(written)
  if (written === 'null') return null
  return written === 'true' || written === 'false' || number.test(written) ? written : undefined
}

/** The text of a string in quotes; most have no escape, and escapes are left to `JSON.parse`. */
function unquote(quoted: string): string | undefined {
  if (!quoted.includes('\\')) return quoted.slice(1, -1)
  try {
    return JSON.parse(quoted) as string
  } catch {
    return undefined
  }
}
