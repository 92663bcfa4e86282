/**
 * A text as it reads when its escapes are decoded never, once, twice and so on.
 *
 * @module
 */

/** How often escapes are decoded: a base string encodes twice, people once too often, and a mistake once more. */
const mostDecodings = 4

/**
 * Reads a text as it is, then with its escapes decoded once more each time, four times at most and while there are any.
 *
 * Of each reading only letters, in lower case, digits and the bytes of what is not ASCII are kept, one character a byte:
 * spaces, their `+` and separators make no difference, nor does the letter case of escapes.
 */
export function readingsOf(text: string): readonly string[] {
  const readings: string[] = []
  let bytes = Buffer.from(text).toString('latin1')
  for (;;) {
    readings.push(bytes.replace(/[^a-z0-9\u0080-\u00ff]+/gi, '').toLowerCase())
    const decoded = bytes.replace(/%([0-9a-f]{2})/gi, (_escape, digits: string) =>
      String.fromCharCode(Number.parseInt(digits, 16)),
    )
    if (decoded === bytes || readings.length > mostDecodings) return readings
    bytes = decoded
  }
}
