/** Lives recorded runs again: the shipped `advance` over each run's events has to give each recorded effect, byte for byte. */
import { createAdvance, type HeardAt } from '../../../packages/till/src/engine/advance.js'
import { type Effect, type Event, newRun, type Run, type Staged } from '../../../packages/till/src/engine/run.js'
import { entryOf, readDocument } from '../../../packages/till/src/rules/kept/entry.js'
import { createEncoder, type Decoding, decode, digestOf } from './codec.js'
import { intentOf } from './intents.js'
import type { Asked, StepLine } from './lines.js'
import { bodyIn, type RecordedRun, type Trace } from './trace.js'

/** One step, lived again. */
export interface LivedStep {
  readonly line: StepLine
  readonly event: Event
  readonly at: HeardAt
  readonly effect: Effect<unknown>
  /** The run as it is after it. */
  readonly run: Run<unknown>
}

/** A run, lived again. */
export interface LivedRun {
  readonly recorded: RecordedRun
  readonly steps: readonly LivedStep[]
}

/** Why a trace is refused. `part`: which half of the judgement says so. */
export class Refused extends Error {
  override readonly name = 'Refused'

  constructor(
    readonly part: 'replay' | 'store' | 'gateway',
    message: string,
  ) {
    super(message)
  }
}

const refuse = (message: string): never => {
  throw new Refused('replay', message)
}

/** A document that some call of the store has shown, by the write that left it so. */
type Documents = ReadonlyMap<string, { readonly key: string; readonly body: string; readonly version: number }>

/** Lives every run of a trace again. @throws {Refused} at the first step that comes out otherwise. */
export function replay(trace: Trace): readonly LivedRun[] {
  const documents: Documents = new Map(
    trace.calls.flatMap(({ call: { key }, answer }) =>
      answer?.seen === undefined ? [] : [[answer.seen.writeId, { key, ...answer.seen }]],
    ),
  )
  return trace.runs.map(run => liveAgain(run, trace, documents))
}

function liveAgain(recorded: RecordedRun, trace: Trace, documents: Documents): LivedRun {
  const { begun, steps } = recorded
  const names = new Map([...trace.profiles].map(([name, profile]) => [profile, name]))
  const digest = (value: unknown): string => digestOf(JSON.stringify(encode(value)))
  const encode = createEncoder(profile => names.get(profile) ?? refuse(`${begun.run} knows a profile of its own.`))
  let asked: Asked[] = []
  let profiles: (readonly [string, string])[] = []
  const decoding: Decoding = {
    profileOf: name => trace.profiles.get(name) ?? refuse(`There is no profile ${name}.`),
    functionAt:
      path =>
      (...args: unknown[]) => {
        const next = asked.shift()
        if (next === undefined || next.path !== path) throw new Refused('replay', `Nobody has asked ${path} here.`)
        if (next.given !== digest(args)) refuse(`${path} was given something else.`)
        if (next.threw !== undefined) throw decode(next.threw, decoding)
        return decode(next.gave, decoding, `${path}()`)
      },
  }
  const profileOf = (login: string) => {
    const [known, name] = profiles.shift() ?? refuse(`Nobody has asked for the profile of ${login} here.`)
    if (known !== login) refuse(`The profile of ${known} was asked for, not that of ${login}.`)
    return decoding.profileOf(name)
  }
  const eventOf = ({ event }: StepLine): Event => {
    const { known } = event as { readonly known?: { readonly writeId?: string } }
    const heard = decode(event, decoding) as Event
    if (known?.writeId === undefined) return withKnown(heard)
    const { writeId } = known
    const found = documents.get(writeId) ?? refuse(`No call of the store has shown the write ${writeId}.`)
    const document = readDocument({ ...found, writeId, body: bodyIn(trace, found.body) })
    return { ...heard, known: { document, writeId } } as Event
  }
  const advance = createAdvance(intentOf(begun.intent, decode(begun.plan, decoding)), profileOf)
  let run = newRun<unknown>(begun.run, begun.patience, decode(begun.staged, decoding) as readonly Staged[])
  const lived = steps.map((line, place): LivedStep => {
    if (line.nth !== place + 1) refuse(`Step ${place + 1} of ${begun.run} is missing.`)
    if ((Object(line.event).kind === 'began') !== (place === 0))
      refuse(`${begun.run} does not begin with its beginning.`)
    asked = [...line.asked]
    profiles = [...line.profiles]
    const at = decode(line.at, decoding) as HeardAt
    const event = eventOf(line)
    const after = again(() => advance(run, event, at), line)
    if (after.effect.kind !== line.effect || digest(after.effect) !== line.digest)
      refuse(`Step ${line.nth} of ${begun.run} does "${after.effect.kind}" now, and did another "${line.effect}".`)
    if (asked.length + profiles.length > 0) refuse(`Step ${line.nth} of ${begun.run} asks less than it did.`)
    run = after.run
    return { line, event, at, effect: after.effect, run }
  })
  return { recorded, steps: lived }
}

/** An event that shows nothing of the payment says so by fields that are undefined. */
const withKnown = (event: Event): Event =>
  'known' in event && event.known.document === undefined
    ? ({ ...event, known: { document: undefined, writeId: undefined } } as Event)
    : event

function again<Result>(live: () => Result, { nth, run }: StepLine): Result {
  try {
    return live()
  } catch (error) {
    if (error instanceof Refused) throw error
    throw new Refused('replay', `Step ${nth} of ${run} fails: ${String(error)}`)
  }
}

/** The body that a write of a run has to have. */
export const bodyOf = ({ document, history }: Extract<Effect<unknown>, { readonly kind: 'write' }>): string =>
  digestOf(entryOf(document, history).body)
