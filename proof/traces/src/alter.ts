/**
 * Alters a trace in one place, drawn by a seed. An altered trace has to be refused, or to be another lawful run: the judge then finds every
 * effect in it again, and one store and one gateway that could have answered so.
 *
 * @module
 */
import type { Chance } from '../../../packages/client/test/worlds/chance.js'
import type { AnswerLine, StepLine } from './lines.js'
import type { RecordedRun, Trace } from './trace.js'

/** Kinds of alterations. */
export const alterations = [
  'effect swapped',
  'answer changed',
  'version skipped',
  'time moved back',
  'step dropped',
  'log changed',
] as const

/** One of them. */
export type Alteration = (typeof alterations)[number]

/** @returns Undefined where the trace has no place for it. */
export function alter(trace: Trace, kind: Alteration, chance: Chance): Trace | undefined {
  switch (kind) {
    case 'effect swapped':
      return swapEffect(trace, chance)
    case 'answer changed':
      return chance.of(0.7) ? changeEvent(trace, chance) : changeAnswer(trace, chance)
    case 'version skipped':
      return skipVersion(trace, chance)
    case 'time moved back':
      return moveBack(trace, chance)
    case 'step dropped':
      return dropStep(trace, chance)
    case 'log changed':
      return changeLog(trace, chance)
  }
}

interface Place {
  readonly run: RecordedRun
  readonly step: StepLine
}

const placesIn = ({ runs }: Trace, is: (step: StepLine) => boolean): readonly Place[] =>
  runs.flatMap(run => run.steps.filter(is).map(step => ({ run, step })))

/** The trace with another step in the place of one. */
const withStep = (trace: Trace, { run, step }: Place, other: StepLine): Trace =>
  withSteps(
    trace,
    run,
    run.steps.map(each => (each === step ? other : each)),
  )

const withSteps = (trace: Trace, run: RecordedRun, steps: readonly StepLine[]): Trace => ({
  ...trace,
  runs: trace.runs.map(each => (each === run ? { ...run, steps } : each)),
})

/** A run seems to have done what another step does. */
function swapEffect(trace: Trace, chance: Chance): Trace | undefined {
  const all = placesIn(trace, () => true)
  const place = chance.pick(all)
  const others = all.filter(({ step }) => step.digest !== place?.step.digest)
  if (place === undefined || others.length === 0) return undefined
  const { effect, digest } = chance.pick(others).step
  return withStep(trace, place, { ...place.step, effect, digest })
}

type Fields = Readonly<Record<string, unknown>>

/** A run seems to have heard something else. */
function changeEvent(trace: Trace, chance: Chance): Trace | undefined {
  const writes = trace.calls.flatMap(({ answer }) => answer?.seen?.writeId ?? [])
  const all = placesIn(trace, ({ nth }) => nth > 1)
  if (all.length === 0) return undefined
  const place = chance.pick(all)
  const event = otherEvent(place.step.event as Fields, chance, writes)
  return event === undefined ? undefined : withStep(trace, place, { ...place.step, event })
}

function otherEvent(event: Fields, chance: Chance, writes: readonly string[]): Fields | undefined {
  const otherThan = <Value>(value: unknown, ...list: readonly Value[]): Value =>
    chance.pick(list.filter(each => each !== value))
  const otherKnown = (): Fields | undefined => {
    const { writeId } = Object(event.known) as { readonly writeId?: string }
    const others = writes.filter(each => each !== writeId)
    return others.length === 0 ? undefined : { ...event, known: { writeId: chance.pick(others) } }
  }
  const changed = (name: string, change: (inner: Fields) => Fields): Fields => ({
    ...event,
    [name]: change(event[name] as Fields),
  })
  switch (event.kind) {
    case 'written': {
      const cause = { $: 'error', name: 'Error', message: 'The answer was lost.', own: {} }
      return { kind: otherThan(event.kind, 'unknown', 'failed'), cause }
    }
    case 'read':
    case 'conflict':
      return otherKnown()
    case 'unknown':
    case 'failed':
      return { kind: 'written' }
    case 'sent':
      return changed('end', end => ({
        ...end,
        kind: otherThan(end.kind, 'accepted', 'refused', 'not-sent', 'unknown'),
      }))
    case 'asked':
      return changed('answer', answer => {
        if (answer.kind !== 'reply')
          return { ...answer, kind: otherThan(answer.kind, 'no-answer', 'refused', 'never-seen') }
        const reply = answer.reply as Fields
        const status = otherThan(reply.status, 'approved', 'declined', 'processing')
        return { ...answer, reply: chance.of(0.7) ? { ...reply, status } : { ...reply, amount: '99.00' } }
      })
    case 'handled':
      return changed('end', end => ({ ...end, kind: otherThan(end.kind, 'told', 'lost', 'overstayed') }))
    case 'slept':
      return { kind: 'slept', isWoken: event.isWoken !== true }
    default:
      return undefined
  }
}

/** The store seems to have answered something else. */
function changeAnswer(trace: Trace, chance: Chance): Trace | undefined {
  return withAnswer(trace, chance, answer => {
    if (answer.came === 'written') return { ...answer, came: 'not-done' }
    const others = trace.calls.flatMap(({ answer: other }) => other?.seen ?? [])
    const seen = others.filter(({ writeId }) => writeId !== answer.seen?.writeId)
    return seen.length === 0 ? undefined : { ...answer, seen: chance.pick(seen) }
  })
}

/** A version seems never to have been there. */
function skipVersion(trace: Trace, chance: Chance): Trace | undefined {
  return withAnswer(trace, chance, answer => {
    if (answer.version !== undefined) return { ...answer, version: answer.version + 1 }
    const { seen } = answer
    return seen === undefined ? undefined : { ...answer, seen: { ...seen, version: seen.version + 1 } }
  })
}

function withAnswer(
  trace: Trace,
  chance: Chance,
  change: (answer: AnswerLine) => AnswerLine | undefined,
): Trace | undefined {
  if (trace.calls.length === 0) return undefined
  const call = chance.pick(trace.calls)
  const answer = call.answer && change(call.answer)
  if (answer === undefined) return undefined
  return { ...trace, calls: trace.calls.map(each => (each === call ? { ...call, answer } : each)) }
}

/** The clocks of one step go back, by up to a day. */
function moveBack(trace: Trace, chance: Chance): Trace | undefined {
  const all = placesIn(trace, ({ nth }) => nth > 1)
  if (all.length === 0) return undefined
  const place = chance.pick(all)
  const by = chance.pick([1, 1_000, 60_000, 86_400_000])
  const at = Object.entries(place.step.at as Fields).map(([name, value]) => [
    name,
    typeof value === 'number' ? value - by : value,
  ])
  return withStep(trace, place, { ...place.step, at: Object.fromEntries(at) })
}

/** A step seems not to have been: the steps after it move up. Without its last step a run is one whose process died: that is lawful. */
function dropStep(trace: Trace, chance: Chance): Trace | undefined {
  const mayBeLast = chance.of(0.1)
  const isLast = ({ run, step }: Place): boolean => step === run.steps.at(-1)
  const all = placesIn(trace, () => true).filter(each => mayBeLast || !isLast(each))
  if (all.length === 0) return undefined
  const { run, step } = chance.pick(all)
  const left = run.steps.filter(each => each !== step)
  return withSteps(
    trace,
    run,
    left.map((each, place) => ({ ...each, nth: place + 1 })),
  )
}

/** The gateway's log lacks a request, has one twice, or says that it was answered otherwise. */
function changeLog(trace: Trace, chance: Chance): Trace | undefined {
  const { logged } = trace
  if (logged.length === 0) return undefined
  const entry = chance.pick(logged)
  const number = Math.max(...logged.map(each => each.number)) + 1
  const { reply = {} } = entry
  const changes = {
    lacks: () => logged.filter(each => each !== entry),
    twice: () => (entry.operation === 'status' ? undefined : [...logged, { ...entry, number }]),
    otherwise: () =>
      logged.map(each => (each === entry ? { ...each, reply: { ...reply, 'serial-number': 'another' } } : each)),
  }
  const changed = changes[chance.pick(['lacks', 'twice', 'otherwise'] as const)]()
  return changed === undefined ? undefined : { ...trace, logged: changed }
}
