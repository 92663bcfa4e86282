import { clearInterval, setInterval } from 'node:timers'
import type { Till } from './till.js'

/** The longest that a timer takes, in milliseconds. */
const longest = 2_147_483_647

/**
 * The same till, where what a caller awaits keeps the process alive: pauses by themselves do not, for those of the work in the background
 * must not.
 */
export function holdingProcess(till: Till): Till {
  const { client: _client, express: _express, start: _start, close: _close, ...methods } = till
  const held = Object.entries(methods).map(([name, method]) => [name, holding(method as Method)])
  return { ...till, ...(Object.fromEntries(held) as typeof methods) }
}

type Method = (...given: unknown[]) => Promise<unknown>

const holding =
  (method: Method): Method =>
  async (...given) => {
    const hold = setInterval(() => undefined, longest)
    try {
      return await method(...given)
    } finally {
      clearInterval(hold)
    }
  }
