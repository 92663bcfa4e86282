/**
 * A map that forgets what was written longest ago.
 *
 * @module
 */

/** A map with a bound. */
export interface BoundedMap<Value> {
  get(key: string): Value | undefined
  /** Writes; a key that is written again counts as new. */
  set(key: string, value: Value): void
}

/** @throws {TypeError} when `capacity` is no count. */
export function boundedMap<Value>(capacity: number): BoundedMap<Value> {
  if (!Number.isSafeInteger(capacity) || capacity < 1) {
    throw new TypeError('Option "capacity" must be a whole number of at least 1.')
  }
  const values = new Map<string, Value>()
  return {
    get: key => values.get(key),
    set(key, value) {
      values.delete(key)
      values.set(key, value)
      const [oldest] = values.keys()
      if (values.size > capacity && oldest !== undefined) values.delete(oldest)
    },
  }
}
