import { systemWait } from '@tillkit/express-middleware/core'
import type { TillOptions } from '../../src/index.js'

/** Waits of a till in a test: a pause takes a fiftieth of its time, and what bounds something, from four and a half seconds on, all of it. */
export const quickWait: NonNullable<TillOptions['wait']> = (milliseconds, signal) =>
  systemWait(milliseconds < 4_500 ? milliseconds / 50 : milliseconds, signal)
