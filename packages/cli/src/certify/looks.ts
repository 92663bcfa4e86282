/**
 * Asks the merchant whether orders are paid, as often as it takes.
 *
 * @module
 */
import { setTimeout as pause } from 'node:timers/promises'
import { type Doors, paidWords } from './doors.js'
import type { Driver } from './drive.js'
import type { FinalAnswer, Verdict } from './judge.js'

/** One look at an order. */
export interface Look {
  readonly word: FinalAnswer
  /** Whether it is worth asking again. */
  readonly isOpen: boolean
  /** What kept the merchant from answering. */
  readonly broken?: Verdict
}

/** What looking takes. */
export interface LookContext {
  readonly doors: Doors
  readonly driver: Driver
  /** How long a merchant with a clock of its own is given to find out, in milliseconds. */
  readonly grace: number
  /** Without traffic for this long, in milliseconds, nothing seems to be under way. */
  readonly quiet: number
}

/** Looks at an order once. */
export async function look(order: string, { doors, driver }: LookContext): Promise<Look> {
  const ending = await driver.until(() => doors.isPaid(order))
  if (!('value' in ending)) return { word: 'no answer', isOpen: true, broken: breakOf(order, ending) }
  const answer = ending.value
  if (answer === false) return { word: 'not-paid', isOpen: true }
  const word = answer === true ? 'paid' : (paidWords.find(each => each === answer) ?? 'no answer')
  return { word, isOpen: word === 'open' || word === 'no answer' }
}

function breakOf(order: string, ending: { readonly error?: unknown; readonly hung?: true }): Verdict {
  if (ending.hung === true) return { kind: 'hung', explanation: `Whether ${order} is paid was never answered.` }
  return { kind: 'failed', explanation: `Whether ${order} is paid could not be asked: ${messageOf(ending.error)}` }
}

/** Text of whatever was thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Hours on the gateway's clock between looks, and how many there are. A merchant may find out only when somebody looks. */
const looks = 4
const hour = 3_600_000

/** How long it waits before each of them, in milliseconds, and at least so many times `quiet`. */
const longQuiet = 50
const timesQuiet = 10

/** Looks at an order until the merchant has found out, or will not. */
export async function finalLook(order: string, context: LookContext): Promise<Look> {
  const { driver, grace, quiet } = context
  let last = await look(order, context)
  for (let round = 1; round < looks && last.isOpen && last.broken?.kind !== 'hung'; round += 1) {
    // A request of the merchant's may be on its way to the gateway, which has not seen it yet.
    await pause(Math.max(longQuiet, timesQuiet * quiet))
    await driver.advance(hour)
    last = await look(order, context)
  }
  for (let waited = 0; waited < grace && last.isOpen && last.broken?.kind !== 'hung'; waited += grace / 20) {
    await pause(grace / 20)
    last = await look(order, context)
  }
  return last
}
