/** Taken when this is loaded: a test may replace timers later and never let them come. */
const { setImmediate, clearImmediate } = process.getBuiltinModule('node:timers')
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
 * Has `teller` tell its result at the end of this turn of the event loop, together with the other results of the turn.
 *
 * Between two answers Node.js reads from sockets, so the code that reads an answer would have to be brought back into the
 * caches of the processor for each one: adr/0028. The result comes after what the caller still does in this turn: undici frees a
 * connection then, and a request that started before would open a new one. Where answers come at the end of every turn,
 * as those of a dispatcher without sockets do, the result is told one turn later and not postponed again.
 */
export function atEndOfTurn(teller: Teller): void {
  waiting.push(teller)
  void settled.then(plan)
}

function plan(): void {
  if (isDue) return
  if (planned === undefined) setImmediate(endTurn)
  else clearImmediate(planned)
  planned = setImmediate(tellAll)
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
