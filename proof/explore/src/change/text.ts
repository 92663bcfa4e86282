/** Texts that are the same for worlds in which the same can happen. */

import { createTextOf } from '../walk/text.js'
import type { World } from './world.js'

/**
 * Says the same of worlds that are alike. Nothing is decided by when a question was answered, and by when a fact became known only whether
 * that was an hour ago.
 */
export const textOf = createTextOf<World>({
  moments: new Set(['began', 'reservedAt', 'sendBy', 'startBy', 'until', 'askedAt']),
  hours: new Set(['at', 'since']),
  longestAgo: 6,
  leftOut: new Set(['payment', 'first', 'cause', 'raw', 'answeredAt']),
  shared: new Set(['facts', 'heard', 'staged', 'gate', 'doing', 'answer']),
})
