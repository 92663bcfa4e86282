/** A map that forgets what was written longest ago. */
interface BoundedMap<Value> {
  get(key: string): Value | undefined
  /** Writes; a key that is written again counts as new. */
  set(key: string, value: Value): void
}

/** @param capacity Most entries. */
export function boundedMap<Value>(capacity: number): BoundedMap<Value> {
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
