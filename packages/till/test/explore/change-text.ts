/** Texts that are the same for worlds in which the same can happen. */
import { fromNow, runName } from './alike.js'
import type { World } from './change-world.js'

/** Fields that hold a moment. */
const moments: ReadonlySet<string> = new Set(['began', 'reservedAt', 'sendBy', 'startBy', 'until', 'askedAt'])

/** No rule tells moments apart that are longer ago, in ticks. */
const longestAgo = 6

/** Fields of what follows from others. Nothing is decided by when a fact became known, or a question was answered. */
const leftOut: ReadonlySet<string> = new Set(['document', 'payment', 'first', 'cause', 'raw', 'at', 'answeredAt'])

/** Parts that many worlds share: the text of each is written once, and short. */
const shared: ReadonlySet<string> = new Set(['facts', 'heard', 'staged', 'gate', 'doing', 'answer'])
const texts = new WeakMap<object, string>()

/** The texts that were met, without their moments and the names of runs, by their number. */
const numbers = new Map<string, number>()

const variable = /@-?\d+|run-\d+/g

/** A number in place of a text, with its moments and the names of runs. */
function shortened(text: string): string {
  const rest = text.replace(variable, '%')
  const number = numbers.get(rest) ?? numbers.size
  numbers.set(rest, number)
  return `#${number}(${text.match(variable)?.join() ?? ''})`
}

/** The text of a value, in which moments and names of runs can be found. */
function textAt(value: unknown, field = ''): string {
  if (typeof value === 'number') return moments.has(field) ? `@${value}` : `${value}`
  if (typeof value !== 'object' || value === null) return `${value}`
  const before = texts.get(value)
  if (before !== undefined) return before
  let long = '{'
  for (const [name, each] of Object.entries(value)) if (!leftOut.has(name)) long += `${name}:${textAt(each, name)},`
  const text = shared.has(field) ? shortened(long) : `${long}}`
  texts.set(value, text)
  return text
}

/** What a world is for all that can happen: moments count from now, runs are named by their order, equal processes are in no order. */
export function textOf({ now, processes, runs: _named, ...world }: World): string {
  const inOrder = processes
    .map(each => textAt(each))
    .map(each => [each.replace(runName, ''), each] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1))
  return fromNow(`${textAt(world)}${inOrder.map(([, each]) => each).join()}`, { now, longestAgo })
}
