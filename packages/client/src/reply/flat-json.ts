/**
 * Reads one flat JSON object, the only JSON the interface has: no digit lost, no key twice.
 *
 * `JSON.parse` turns 9223372036854775807 into 9223372036854776000 and keeps the last of two equal keys.
 *
 * @module
 */

/**
 * Reads `text` as RFC 8259 has it. Values are texts, the digits of a number as they were written, `true` or `false`; a key
 * whose value is null is left out.
 *
 * @returns Keys and values; `undefined` when the text is no JSON object, has a nested value or a key twice.
 */
export function readFlatJson(text: string): Record<string, string> | undefined {
  const values: Record<string, string> = {}
  let nulls: Set<string> | undefined
  let at = skipSpace(text, 0)
  if (text.charCodeAt(at) !== openBrace) return undefined
  at = skipSpace(text, at + 1)
  if (text.charCodeAt(at) === closeBrace) return skipSpace(text, at + 1) === text.length ? values : undefined
  for (;;) {
    const plainName = plainText(text, at)
    const nameEnd = plainName === undefined ? stringEnd(text, at) : at + plainName.length + 2
    const name = plainName ?? unquote(text, at, nameEnd)
    if (nameEnd === undefined || name === undefined) return undefined
    at = skipSpace(text, nameEnd)
    if (text.charCodeAt(at) !== colon || Object.hasOwn(values, name) || nulls?.has(name)) return undefined
    at = skipSpace(text, at + 1)
    const plain = plainText(text, at)
    const isText = plain !== undefined || text.charCodeAt(at) === quote
    const end = plain !== undefined ? at + plain.length + 2 : isText ? stringEnd(text, at) : scalarEnd(text, at)
    const value = plain ?? (isText ? unquote(text, at, end) : scalar(text.slice(at, end)))
    if (end === undefined || value === undefined) return undefined
    if (value === null) nulls = (nulls ?? new Set()).add(name)
    // Assigning to a key `__proto__` would change a prototype, or nothing; here it is a key like any other.
    else if (name === '__proto__') Object.defineProperty(values, name, { value, enumerable: true })
    else values[name] = value
    at = skipSpace(text, end)
    const separator = text.charCodeAt(at)
    if (separator === closeBrace) return skipSpace(text, at + 1) === text.length ? values : undefined
    if (separator !== comma) return undefined
    at = skipSpace(text, at + 1)
  }
}

const [openBrace, closeBrace, quote, backslash, colon, comma] = [0x7b, 0x7d, 0x22, 0x5c, 0x3a, 0x2c]

function skipSpace(text: string, from: number): number {
  let at = from
  while (isSpace(text.charCodeAt(at))) at += 1
  return at
}

const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09

/** The text of the string that begins at `from`; `undefined` when none begins there, it does not end or has an escape. */
function plainText(text: string, from: number): string | undefined {
  if (text.charCodeAt(from) !== quote) return undefined
  for (let at = from + 1; ; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) return text.slice(from + 1, at)
    // Behind the last character it is not a number.
    if (code === backslash || !(code >= 0x20)) return undefined
  }
}

/** Where the string that begins at `from` is over; `undefined` when none begins there or it does not end. */
function stringEnd(text: string, from: number): number | undefined {
  if (text.charCodeAt(from) !== quote) return undefined
  for (let at = from + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) return at + 1
    if (code === backslash) at += 1
    else if (code < 0x20) return undefined
  }
  return undefined
}

/** Where a number, `true`, `false` or `null` is over: at the next separator. */
function scalarEnd(text: string, from: number): number {
  let at = from
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === comma || code === closeBrace || isSpace(code)) break
  }
  return at
}

const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

function scalar(written: string): string | null | undefined {
  if (number.test(written)) return written
  if (written === 'null') return null
  return written === 'true' || written === 'false' ? written : undefined
}

/** The text of a string in quotes that has an escape in it. */
function unquote(text: string, from: number, end: number | undefined): string | undefined {
  try {
    return end === undefined ? undefined : (JSON.parse(text.slice(from, end)) as string)
  } catch {
    return undefined
  }
}
