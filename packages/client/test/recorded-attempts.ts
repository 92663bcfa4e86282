import type { Attempt, AttemptEnd } from '@tillkit/protocol'
import type { ClientObserver, SentDescription } from '../src/index.js'

/** Keeps what an observer is told of attempts: each in the order in which it was begun, with its end once it has one. */
export function recordAttempts(): { readonly observer: ClientObserver; attempts(): readonly SentDescription[] } {
  const told = new Map<Attempt, AttemptEnd | undefined>()
  return {
    observer: { attempt: (attempt, end) => void told.set(attempt, end) },
    attempts: () => [...told].map(([attempt, end]) => (end === undefined ? attempt : { ...attempt, end })),
  }
}

/** A pause that lasts one turn of the event loop, however long it should be. */
export const oneTurn = (): Promise<void> => new Promise(resolve => setImmediate(resolve))
