/** A trace: all that was recorded of one payment, in every process, with what it names. */
import type { WireProfile } from '@tillkit/protocol'
import { orderPlace } from '../../../packages/till/src/store/keys.js'
import type {
  AnswerLine,
  BookedLine,
  CallLine,
  FinishLine,
  KeptLine,
  Line,
  LoggedLine,
  RunLine,
  StepLine,
} from './lines.js'

/** One run: its first line, and its steps in their order. */
export interface RecordedRun {
  readonly begun: RunLine
  readonly steps: readonly StepLine[]
}

/** One call of the store. */
export interface RecordedCall {
  readonly call: CallLine
  /** What a commit was about to write, the last time that it was asked. */
  readonly finish: FinishLine | undefined
  readonly answer: AnswerLine | undefined
}

/** A trace. */
export interface Trace {
  readonly name: string
  readonly runs: readonly RecordedRun[]
  readonly calls: readonly RecordedCall[]
  readonly booked: readonly BookedLine[]
  readonly logged: readonly LoggedLine[]
  readonly kept: readonly KeptLine[]
  readonly bodies: ReadonlyMap<string, string>
  readonly profiles: ReadonlyMap<string, WireProfile>
  /** By how much two clocks of it may differ, in milliseconds. */
  readonly slack: number
}

/** A body that a line names. @throws {TypeError} where there is none. */
export const bodyIn = ({ bodies }: Pick<Trace, 'bodies'>, digest: string): string => {
  const body = bodies.get(digest)
  if (body === undefined) throw new TypeError(`There is no body ${digest} in the trace.`)
  return body
}

/** Puts what has the same name together, in the order in which the names came. */
export function grouped<Each, Name>(list: readonly Each[], nameOf: (each: Each) => Name): Map<Name, Each[]> {
  const groups = new Map<Name, Each[]>()
  for (const each of list) {
    const name = nameOf(each)
    const group = groups.get(name)
    if (group === undefined) groups.set(name, [each])
    else group.push(each)
  }
  return groups
}

/** How the lines of several payments are told apart. */
export interface Sorting {
  readonly name: string
  readonly slack: number
  /** The payment of a key of the store; undefined: it is none of a payment. */
  readonly paymentOfKey: (key: string) => string | undefined
  readonly paymentOfOrder: (clientOrderId: string) => string | undefined
}

/** Sorts lines into traces, one for each payment that a run is about. */
export function tracesOf(
  lines: readonly Line[],
  { name, slack, paymentOfKey, paymentOfOrder }: Sorting,
): readonly Trace[] {
  const bodies = new Map<string, string>()
  const profiles = new Map<string, WireProfile>()
  const steps = grouped(
    lines.filter(each => each.line === 'step'),
    ({ run }) => run,
  )
  const answers = new Map<string, AnswerLine>()
  const finishes = new Map<string, FinishLine>()
  for (const each of lines) {
    if (each.line === 'body') bodies.set(each.digest, each.body)
    if (each.line === 'profile') profiles.set(each.name, each.profile)
    if (each.line === 'answer') answers.set(each.call, each)
    if (each.line === 'finish') finishes.set(each.call, each)
  }
  const runs = grouped(
    lines.filter(each => each.line === 'run'),
    ({ key }) => paymentOfKey(key),
  )
  const ofOrder = ({ clientOrderId = '' }: { readonly clientOrderId?: string }) => paymentOfOrder(clientOrderId)
  return [...runs].flatMap(([payment, begun]) => {
    if (payment === undefined) return []
    const trace: Trace = {
      name: `${name} ${payment}`,
      runs: begun.map(each => ({ begun: each, steps: steps.get(each.run) ?? [] })),
      calls: lines.flatMap(each =>
        each.line === 'call' && paymentOfKey(each.key) === payment
          ? [{ call: each, finish: finishes.get(each.call), answer: answers.get(each.call) }]
          : [],
      ),
      booked: lines.filter(each => each.line === 'booked').filter(each => ofOrder(each) === payment),
      logged: lines.filter(each => each.line === 'logged').filter(each => ofOrder(each) === payment),
      kept: lines.filter(each => each.line === 'kept').filter(({ key }) => paymentOfKey(key) === payment),
      bodies,
      profiles,
      slack,
    }
    return [trace]
  })
}

/** How the lines of a till's own store are sorted: by the reference in each key, and in each order's id. */
export const byReference: Pick<Sorting, 'paymentOfKey' | 'paymentOfOrder'> = {
  paymentOfKey: key => (key.startsWith('payment/') ? decodeURIComponent(key.split('/').at(-1) ?? '') : undefined),
  paymentOfOrder: clientOrderId => orderPlace(clientOrderId).reference,
}
