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
const settled = Promise.resolve()

/** Somebody with a result to tell. */
export interface Teller {
  tell(): void
}

let waiting: Teller[] = []
let planned: NodeJS.Immediate | undefined
/** Whether the turn has ended in which the first of those that wait came. They are put off no more then. */
let isDue = false

/**
 * Has `teller` tell at the end of this turn of the event loop, behind what whoever calls this still plans for it: undici
 * frees a connection then, and a request that started before would open one of its own. Where answers come at the end of
 * every turn, as those of a dispatcher without sockets do, it is told one turn later and not when there are no more.
 */
export function tellSoon(teller: Teller): void {
  waiting.push(teller)
  void settled.then(plan)
}

function plan(): void {
  if (isDue) return
  if (planned === undefined) atEndOfTurn(endTurn)
  else notAtEndOfTurn(planned)
  planned = atEndOfTurn(tellAll)
}

function endTurn(): void {
  isDue = planned !== undefined
}

function tellAll(): void {
  const told = waiting
  waiting = []
  planned = undefined
  isDue = false
  for (const teller of told) teller.tell()
}
