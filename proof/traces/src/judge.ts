/**
 * Judges a trace: its runs come out the same when they are lived again, and all processes together are a behaviour of one store and one
 * gateway.
 *
 * @module
 */
import { judgeGateway } from './gateway-order.js'
import type { StepLine } from './lines.js'
import { bodyOf, type LivedRun, type LivedStep, Refused, replay } from './replay.js'
import { judgeStore } from './store-order.js'
import type { RecordedCall, Trace } from './trace.js'

/** @throws {Refused} with the reason why it is none. */
export function judge(trace: Trace): readonly LivedRun[] {
  const runs = replay(trace)
  for (const { steps } of runs) judgeClocks(steps, trace)
  judgeStore(trace)
  judgeCalls(trace, runs)
  judgeGateway(trace, runs)
  return runs
}

/** Why a trace is refused; undefined: it is accepted. */
export function problemOf(trace: Trace): Refused | undefined {
  try {
    judge(trace)
    return undefined
  } catch (error) {
    if (error instanceof Refused) return error
    throw error
  }
}

/** The time that a run knows never goes back, and neither do the lines. */
function judgeClocks(steps: readonly LivedStep[], { slack }: Pick<Trace, 'slack'>): void {
  for (const [place, { at, line }] of steps.entries()) {
    const before = steps[place - 1]
    if (at.earliest > at.latest)
      throw new Refused('store', `Step ${line.nth} of ${line.run} has its moments in disorder.`)
    if (before === undefined) continue
    if (before.line.t >= line.t)
      throw new Refused('store', `Step ${line.nth} of ${line.run} came before the one before it.`)
    const isBack = (at.lived ?? 0) < (before.at.lived ?? 0) || at.earliest < before.at.earliest - slack
    if (isBack) throw new Refused('store', `The time of step ${line.nth} of ${line.run} goes back.`)
  }
}

/** Each step of a run that heard of the store has a call of the store that says so, between its start and its answer. */
function judgeCalls({ calls }: Trace, runs: readonly LivedRun[]): void {
  const writes = new Map<string, RecordedCall[]>()
  for (const each of calls) {
    const { id } = each.call
    if (id !== undefined) writes.set(id, [...(writes.get(id) ?? []), each])
  }
  for (const { steps } of runs) {
    for (const [place, start] of steps.entries()) {
      const { effect } = start
      const heard = steps[place + 1]
      if (effect.kind === 'write')
        for (const { call } of writes.get(effect.id) ?? [])
          if (call.after !== effect.after || call.body !== bodyOf(effect))
            throw new Refused('store', `The write ${effect.id} was another one where it came to the store.`)
      if (heard === undefined || !isOfStore(heard)) continue
      const between = (line: { readonly t: number }): boolean => start.line.t < line.t && line.t < heard.line.t
      const isSaid = calls.some(
        each => each.answer !== undefined && between(each.call) && between(each.answer) && says(each, { start, heard }),
      )
      if (!isSaid) throw new Refused('store', `The store has not said "${heard.event.kind}" in ${nameOf(heard.line)}.`)
    }
  }
}

const isOfStore = ({ event }: LivedStep): boolean =>
  event.kind === 'read' ||
  event.kind === 'written' ||
  event.kind === 'conflict' ||
  (event.kind === 'handled' && event.end.kind === 'committed')

function says(
  { call, answer }: RecordedCall,
  { start: { effect, line }, heard: { event } }: { readonly start: LivedStep; readonly heard: LivedStep },
): boolean {
  if (line.process !== call.process || answer === undefined) return false
  switch (event.kind) {
    case 'read':
      return answer.came === 'read' && answer.seen?.writeId === event.known.writeId
    case 'written':
      return effect.kind === 'write' && call.id === effect.id && answer.came === 'written'
    case 'conflict':
      return answer.came !== 'written' && answer.seen?.writeId === event.known.writeId
    default:
      return call.does === 'commit' && answer.came === 'written'
  }
}

const nameOf = ({ nth, run }: StepLine): string => `step ${nth} of ${run}`
