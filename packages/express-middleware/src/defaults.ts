/**
 * What is taken from the environment where the caller hands in nothing: the only ambient state of this package.
 *
 * @module
 */

/** The system clock, in milliseconds since the epoch. */
export const systemClock = (): number => Date.now()

/** Waits, without keeping the process alive. @param milliseconds How long. */
export const systemWait = (milliseconds: number): Promise<void> =>
  new Promise(resolve => {
    setTimeout(resolve, milliseconds).unref()
  })

/** Most bytes of a form body, and of a query, that are read. */
export const defaultMaxBodyBytes = 65_536
