/** A function that does the work at its first call, and returns the same result ever after. */
export function lazy<Result extends object | string>(work: () => Result): () => Result {
  let result: Result | undefined
  return () => {
    result ??= work()
    return result
  }
}

/** A function that does the work once for each object, for as long as that object is in use. */
export function oncePer<Source extends object, Result extends object>(
  work: (source: Source) => Result,
): (source: Source) => Result {
  const results = new WeakMap<Source, Result>()
  return source => {
    const known = results.get(source)
    if (known !== undefined) return known
    const made = work(source)
    results.set(source, made)
    return made
  }
}

// An `import` of a module of Node.js loads everything that it consists of, such as the Web Crypto API: adr/0029.

/** The module `node:crypto`. */
export const nodeCrypto = /* @__PURE__ */ lazy(() => process.getBuiltinModule('node:crypto'))
