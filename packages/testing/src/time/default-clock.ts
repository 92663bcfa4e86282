import { createFakeClock, type FakeClock } from './clock.js'

/**
 * Makes one. This is the one place where time comes from outside.
 *
 * @param base Milliseconds since the epoch. Default: the system clock.
 */
export const defaultClock = (base: () => number = Date.now): FakeClock => createFakeClock({ base, realTime: true })
