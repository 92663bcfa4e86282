/**
 * Looks in the background that can say nothing new are not lived, and the virtual clock goes on as if they were: the same look was lived before, it
 * wrote nothing, and neither the store, nor the gateway, nor a moment that anything goes by lies between. A thorough payment lives each of them, and
 * it is a violation where one says something.
 *
 * @module
 */

import { quietFrom } from '../../../../packages/till/src/state/known.js'
import type { OrderWork } from '../../../../packages/till/src/work/left.js'
import { itemsOf, type Life } from '../life.js'
import { askTakes } from './asking.js'
import type { Living } from './driver.js'
import type { Process } from './process.js'
import { knownOf, type Row } from './store.js'
import { readTakes } from './storing.js'

/** A look that wrote nothing and told nobody: its runs read once, asked, were answered, and ended. */
export interface QuietLook {
  readonly at: number
  /** The write that it found, and how often the books had changed. */
  readonly writeId: string
  readonly changes: number
  /** How many questions each of its orders took. */
  readonly orders: readonly { readonly clientOrderId: string; readonly questions: number }[]
}

/** By how much the store's time, as a run knows it, may differ from the true one, in milliseconds. */
const slack = 1_000

/** Whether a run of the background only read, asked and ended. @returns How many questions it asked; undefined: it did more. */
export function questionsOf({ steps, run: { heard } }: Living): number | undefined {
  const isAnswered = heard.answers.every(({ kind }) => kind === 'reply' || kind === 'refused')
  // It heard that it began, of the store, and of each answer.
  return isAnswered && steps === 2 + heard.answers.length ? heard.answers.length : undefined
}

/**
 * Says how long the next look takes, in milliseconds, where it is the one before once more.
 *
 * @returns Undefined where something may differ.
 */
export function repeats(
  life: Life,
  { row, process, orders }: { readonly row: Row; readonly process: Process; readonly orders: readonly OrderWork[] },
): number | undefined {
  const { quiet: before, books, lags } = life
  if (before === undefined || before.writeId !== row.stored.writeId || before.changes !== books.changes())
    return undefined
  // In a restored store later orders are looked for as well, until that is over.
  if (life.restoredUntil !== undefined) return undefined
  const isSame = ({ clientOrderId, hasNews }: OrderWork, nth: number): boolean =>
    !hasNews && clientOrderId === before.orders[nth]?.clientOrderId
  if (orders.length !== before.orders.length || !orders.every(isSame)) return undefined
  const now = life.now()
  const took = tookBy(life, before)
  const until = now + took
  if (process.stalledUntil > now || life.next() <= until) return undefined
  const questions = before.orders.reduce((sum, each) => sum + each.questions, 0)
  if (life.strikes('read', orders.length) || life.strikes('ask', questions)) return undefined
  const weather = [...lags, ...weatherOf(life)]
  if (weather.some(each => each.since <= until && each.until >= before.at)) return undefined
  const { document } = knownOf(row)
  const isAmid = (moment: number): boolean => moment > before.at - slack && moment <= until + slack
  if (document?.telling !== undefined || document?.wishes !== undefined) return undefined
  return document?.orders.some(({ attempts }) => attempts.some(each => isAmid(quietFrom(each)))) === true
    ? undefined
    : took
}

/** The times in which status is silent or shows what was so before, or in which the store does. */
const weatherOf = ({ plan, birth }: Life): Life['lags'] =>
  (['lag', 'outage', 'stale'] as const)
    .flatMap(kind => itemsOf(plan, kind))
    .map(({ at, lasts }) => ({ since: birth + at, until: birth + at + lasts }))

/** How long its runs take, which go on beside each other, by the numbers that they will have. */
function tookBy(life: Life, { orders }: QuietLook): number {
  const each = orders.map(({ questions }, nth) => {
    const id = `run-${life.runs + nth + 1}`
    const asking = Array.from({ length: questions }, (_, at) => askTakes(life, id, at + 2))
    return asking.reduce((sum, { there, back }) => sum + there + back, readTakes(life, id, 1) + 1)
  })
  return Math.max(0, ...each)
}

/** The look was not lived: all that counts effects goes on as if it was. */
export function passes(life: Life, { orders }: QuietLook): void {
  life.runs += orders.length
  life.passes('read', orders.length)
  life.passes(
    'ask',
    orders.reduce((sum, { questions }) => sum + questions, 0),
  )
  for (const _ of orders) life.count('runs: look after an order, not lived since nothing could differ')
}
