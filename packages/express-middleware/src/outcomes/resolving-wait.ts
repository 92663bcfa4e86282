/**
 * Waits that end well when they are aborted. Those of `node:timers/promises` reject then.
 *
 * @module
 */
import type { Wait } from './order-queue.js'

/** The same wait, which resolves when it is aborted. Any other failure stays one. */
export const resolvingWait =
  (wait: Wait): Wait =>
  async (milliseconds, signal) => {
    try {
      await wait(milliseconds, signal)
    } catch (error) {
      if (signal?.aborted !== true) throw error
    }
  }
