import type { Till } from './till.js'

/** The same till without what would tell: another one, which has the handler, does that. */
export function toldElsewhere(till: Till): Till {
  const later = async () => notHere()
  return { ...till, express: notHere, answer: later, fetch: later, start: later, tick: later }
}

/** @throws {TypeError} where a till would have to tell, and may not. */
export function notHere(): never {
  throw new TypeError(
    'createTill: "onOutcome" is "told-elsewhere". Use express, answer, fetch, start and tick of the till that has the handler.',
  )
}
