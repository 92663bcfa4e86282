/** Texts that are the same for worlds in which the same can happen. */
import { hour } from '../../../../packages/till/src/rules/orders/callback-shown.js'
import type { PaymentDocument } from '../../../../packages/till/src/state/document.js'
import { fromNow, keptIn, runName } from './alike.js'

/** By what the text of a world is made. */
export interface TextRules {
  /** Fields that hold a moment. */
  readonly moments: ReadonlySet<string>
  /** Fields that hold a moment of which only the hour counts. Default: none. */
  readonly hours?: ReadonlySet<string>
  /** No rule tells moments apart that are longer ago. */
  readonly longestAgo: number
  /** Fields of what follows from others, or by which nothing is decided. */
  readonly leftOut: ReadonlySet<string>
  /** Fields of parts that many worlds share: the text of each is written once, and short. */
  readonly shared: ReadonlySet<string>
}

const variable = /@-?\d+|run-\d+/g

/** Makes what says the same of worlds that are alike: moments count from now, runs are named by their order, equal processes are in no order. */
export function createTextOf<
  World extends { readonly now: number; readonly processes: readonly unknown[]; readonly runs: number },
>({ moments, hours, longestAgo, leftOut, shared }: TextRules): (world: World) => string {
  const texts = new WeakMap<object, string>()
  /** The texts that were met, without their moments and the names of runs, by their number. */
  const numbers = new Map<string, number>()

  /** A number in place of a text, with its moments and the names of runs. */
  const shortened = (text: string): string => {
    const rest = text.replace(variable, '%')
    const number = numbers.get(rest) ?? numbers.size
    numbers.set(rest, number)
    return `#${number}(${text.match(variable)?.join() ?? ''})`
  }

  /** The text of a value, in which moments and names of runs can be found. */
  const textAt = (value: unknown, field = ''): string => {
    if (typeof value === 'number') {
      if (hours?.has(field) === true) return `${Math.floor(value / hour)}`
      return moments.has(field) ? `@${value}` : `${value}`
    }
    if (typeof value !== 'object' || value === null) return `${value}`
    if (field === 'document') return textAt(keptIn(value as PaymentDocument))
    const before = texts.get(value)
    if (before !== undefined) return before
    let long = '{'
    for (const [name, each] of Object.entries(value)) if (!leftOut.has(name)) long += `${name}:${textAt(each, name)},`
    const text = shared.has(field) ? shortened(long) : `${long}}`
    texts.set(value, text)
    return text
  }

  return ({ now, processes, runs: _named, ...world }) => {
    const inOrder = processes
      .map(each => textAt(each))
      .map(each => [each.replace(runName, ''), each] as const)
      .sort(([one], [other]) => (one < other ? -1 : 1))
    return fromNow(`${textAt(world)}${inOrder.map(([, each]) => each).join()}`, { now, longestAgo })
  }
}
