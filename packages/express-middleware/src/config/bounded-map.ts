/**
 * A map that forgets what was written longest ago; a key that is written again counts as new.
 *
 * @param capacity Most entries.
 */
export function boundedMap<Value>(capacity: number) {
  const values = new Map<string, Value>()
  return {
    get: (key: string): Value | undefined => values.get(key),
    set(key: string, value: Value): void {
      values.delete(key)
      values.set(key, value)
      const [oldest] = values.keys()
      if (values.size > capacity && oldest !== undefined) values.delete(oldest)
    },
  }
}
