/**
 * Telling of results together: those that come in one turn of the event loop are told at its end, one after the other.
 *
 * Between two answers Node.js reads from sockets. What concludes an answer would have to be brought back into the caches of
 * the processor for each one; together it is there for all but the first: adr/0028. An answer that comes alone is told in the
 * same turn as without it.
 *
 * @module
 */
/** Those of when this was loaded: a test of somebody's may replace timers later and never let them come. */
const { setImmediate: atEndOfTurn, clearImmediate: notAtEndOfTurn } = process.getBuiltinModule('node:timers')

let waiting: (() => void)[] = []
let planned: NodeJS.Immediate | undefined

/**
 * Has `tell` called at the end of this turn of the event loop, behind what whoever calls this still plans for it: undici
 * frees a connection then, and a request that started before would open one of its own.
 */
export function tellSoon(tell: () => void): void {
  waiting.push(tell)
  queueMicrotask(plan)
}

function plan(): void {
  if (planned !== undefined) notAtEndOfTurn(planned)
  planned = atEndOfTurn(tellAll)
}

function tellAll(): void {
  const told = waiting
  waiting = []
  planned = undefined
  for (const tell of told) tell()
}
