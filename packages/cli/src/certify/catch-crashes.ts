/**
 * Catches what would end the process: a merchant in this process that crashes is a finding, and must not take the test
 * down with it.
 *
 * @module
 */

const events = ['unhandledRejection', 'uncaughtException'] as const

/** Crashes that are being caught. */
export interface CaughtCrashes {
  /** What was caught since it was last asked. */
  take(): readonly unknown[]
  /** Gives the process back to whoever listened before. */
  stop(): void
}

/** Begins to catch. Other listeners of the process hear nothing of it meanwhile. */
export function catchCrashes(): CaughtCrashes {
  let caught: readonly unknown[] = []
  const listener = (error: unknown): void => {
    caught = [...caught, error]
  }
  const before = events.map(event => [event, process.rawListeners(event)] as const)
  for (const event of events) {
    process.removeAllListeners(event)
    process.on(event, listener)
  }
  return {
    take() {
      const taken = caught
      caught = []
      return taken
    },
    stop() {
      for (const [event, listeners] of before) {
        process.removeListener(event, listener)
        for (const each of listeners) process.on(event, each as () => void)
      }
    },
  }
}
