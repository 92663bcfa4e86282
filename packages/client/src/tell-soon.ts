/**
 * Telling of results together: those that come in one turn of the event loop are told at its end, one after the other.
 *
 * Between two answers Node.js reads from sockets. What concludes an answer would have to be brought back into the caches of
 * the processor for each one; together it is there for all but the first: adr/0028. An answer that comes alone is told in the
 * same turn as without it.
 *
 * @module
 */
/** That of when this was loaded: a test of somebody's may replace timers later and never let them come. */
const { setImmediate: atEndOfTurn } = process.getBuiltinModule('node:timers')

let waiting: (() => void)[] = []

/** Has `tell` called at the end of this turn of the event loop. */
export function tellSoon(tell: () => void): void {
  if (waiting.length === 0) atEndOfTurn(tellAll)
  waiting.push(tell)
}

function tellAll(): void {
  const told = waiting
  waiting = []
  for (const tell of told) tell()
}
