/**
 * A wrong value as a mistake names it.
 *
 * @module
 */

/** Text in quotes, numbers as they are, of everything else the kind only. At most 40 characters of it are shown. */
export function describeValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 40))
  if (typeof value === 'number' || typeof value === 'bigint') return String(value).slice(0, 40)
  if (value === null || value === undefined) return String(value)
  return `of type ${Array.isArray(value) ? 'array' : typeof value}`
}
