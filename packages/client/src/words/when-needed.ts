/**
 * Work that is put off until somebody wants its result: most requests end well, and nothing of them is shown.
 *
 * @module
 */

/** A function that does the work when it is first called, and returns the same result ever after. */
export function whenNeeded<Result extends object | string>(work: () => Result): () => Result {
  let result: Result | undefined
  return () => {
    result ??= work()
    return result
  }
}
