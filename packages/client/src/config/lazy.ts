/** A function that does the work when it is first called, and returns the same result ever after. */
export function lazy<Result extends object | string>(work: () => Result): () => Result {
  let result: Result | undefined
  return () => {
    result ??= work()
    return result
  }
}

/** The module `node:crypto`. */
export const nodeCrypto = /* @__PURE__ */ lazy(() => process.getBuiltinModule('node:crypto'))

/** The module `node:diagnostics_channel`. */
export const nodeChannels = /* @__PURE__ */ lazy(() => process.getBuiltinModule('node:diagnostics_channel'))

/** The module `node:fs`. */
export const nodeFiles = /* @__PURE__ */ lazy(() => process.getBuiltinModule('node:fs'))

/** The module `node:timers/promises`. */
export const nodeTimers = /* @__PURE__ */ lazy(() => process.getBuiltinModule('node:timers/promises'))
