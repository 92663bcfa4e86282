/** Texts that are the same for worlds in which the same can happen. */

import type { Known } from '../../../../packages/till/src/engine/run.js'
import type { PaymentDocument } from '../../../../packages/till/src/state/document.js'
import type { Fact } from '../../../../packages/till/src/state/facts.js'
import { fromNow, runName } from '../walk/alike.js'
import type { LateWrite, Process, World } from './world.js'

/** Fields that hold a moment. */
const moments: ReadonlySet<string> = new Set([
  'at',
  'reservedAt',
  'sendBy',
  'startBy',
  'until',
  'word',
  'heardAt',
  'spokenAt',
  'askedAt',
  'answeredAt',
  'wakesAt',
  'quietSince',
  'neverSeenAt',
  'endsAt',
])

/** No rule tells moments apart that are longer ago, in ticks. */
export const longestAgo = 5

/** Fields of what follows from others, or by which nothing is decided. */
const leftOut: ReadonlySet<string> = new Set([
  'known',
  'document',
  'payment',
  'first',
  'leftAt',
  'history',
  'cause',
  'saying',
])

/** Many worlds share a part: its text is written once. */
const texts = new WeakMap<object, string>()

function once<Part extends object>(part: Part, make: (part: Part) => string): string {
  const before = texts.get(part)
  if (before !== undefined) return before
  const text = numbered(make(part))
  texts.set(part, text)
  return text
}

/** The parts that were met, without their moments and the names of their runs, by their number. */
const skeletons = new Map<string, number>()

const variable = /@-?\d+|run-\d+/g

/** A number in the place of a text, and what differs between texts of its kind. */
function numbered(text: string): string {
  const found = text.match(variable) ?? []
  const skeleton = text.replace(variable, '%')
  const number = skeletons.get(skeleton) ?? skeletons.size
  skeletons.set(skeleton, number)
  return `#${number}(${found.join()})`
}

/** The text of a value, in which moments and the names of runs can be found. */
function textAt(value: unknown, field: string): string {
  if (typeof value === 'number') return moments.has(field) ? `@${value}` : `${value}`
  if (typeof value !== 'object' || value === null) return `${value}`
  return field === 'answers' || field === 'staged' ? once(value, fieldsOf) : fieldsOf(value)
}

function fieldsOf(value: object): string {
  let text = '{'
  for (const name of Object.keys(value))
    if (!leftOut.has(name)) text += `${name}:${textAt((value as Readonly<Record<string, unknown>>)[name], name)},`
  return `${text}}`
}

const factsText = (document: PaymentDocument | undefined): string =>
  document === undefined
    ? '-'
    : `${once(document.facts, facts => facts.map(factText).join())}${document.telling === undefined ? '' : once(document.telling, fieldsOf)}`

/** Nothing is decided by when a fact became known; by when a request ended, only where nobody knows how. */
function factText(fact: Fact): string {
  const { at: _known, ...rest }: { readonly kind: string; readonly at?: number } = fact
  if (fact.kind !== 'answered' || fact.end.kind === 'unknown') return fieldsOf(rest)
  const { at: _ended, ...end } = fact.end
  return fieldsOf({ ...rest, end })
}

const keptText = (known: Known): string =>
  once(known, ({ document, writeId }) => `${factsText(document)}${writeId ?? 'new'}`)

const lateText = (write: LateWrite): string =>
  once(write, ({ id, after, document }) => `${id}${after}${factsText(document)}`)

const processText = (process: Process | undefined): string =>
  process === undefined
    ? '-'
    : once(process, ({ run, answer, ...rest }) => {
        const { known, doing, saying } = run
        const said = saying?.result as { readonly kind?: string; readonly formUrl?: string } | undefined
        const heard = answer && 'known' in answer.event ? keptText(answer.event.known) : ''
        const writing = doing.kind === 'write' ? factsText(doing.document) : ''
        return [
          keptText(known),
          heard,
          writing,
          `${said?.kind}${said?.formUrl}`,
          fieldsOf(run),
          fieldsOf({ answer, ...rest }),
        ].join(' ')
      })

/** Worlds of one text have one future: moments count from now, runs are named by their order, equal processes are in no order. */
export function textOf({
  now,
  processes,
  runs: _named,
  known,
  earlier,
  lateWrites,
  left,
  books,
  ...world
}: World): string {
  const inOrder = processes
    .map(each => processText(each))
    .map(each => [each.replace(runName, ''), each] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1))
  const parts = [
    keptText(known),
    earlier.map(keptText),
    lateWrites.map(lateText),
    once(left, fieldsOf),
    once(books, fieldsOf),
    fieldsOf(world),
    inOrder.map(([, each]) => each),
  ]
  return fromNow(parts.join('|'), { now, longestAgo })
}
