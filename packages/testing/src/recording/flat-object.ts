/**
 * Reads a flat JSON object without losing a digit.
 *
 * @module
 */

/** A value: text, or anything else as it is written in JSON. */
export type FlatValue = string | { readonly json: string }

const member = /\s*("(?:[^"\\]|\\.)*")\s*:\s*("(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null)\s*(,|\}\s*$)/y

/** @returns Its members in order, repeated ones included; undefined where the text is no flat object. */
export function readFlatObject(text: string): readonly (readonly [name: string, value: FlatValue])[] | undefined {
  const start = /^\s*\{/.exec(text)?.[0].length
  if (start === undefined) return undefined
  if (/^\s*\}\s*$/.test(text.slice(start))) return []
  const members: (readonly [string, FlatValue])[] = []
  let end = start
  try {
    for (let separator = ','; separator === ','; ) {
      member.lastIndex = end
      const [whole, name = '', value = '', next = ''] = member.exec(text) ?? []
      if (whole === undefined) return undefined
      members.push([
        JSON.parse(name) as string,
        value.startsWith('"') ? (JSON.parse(value) as string) : { json: value },
      ])
      end += whole.length
      separator = next
    }
  } catch {
    // A text with characters that JSON forbids.
    return undefined
  }
  return members
}
