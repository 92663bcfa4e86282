import { setTimeout as pause } from 'node:timers/promises'
import { type Doors, paidWords } from './doors.js'
import type { Driver, Ending } from './drive.js'
import type { FinalAnswer, Verdict } from './judge.js'

/** What the merchant said of an order when it was asked. */
export interface Look {
  readonly word: FinalAnswer
  /** Whether it is worth asking again. */
  readonly isOpen: boolean
  /** What kept the merchant from answering. */
  readonly broken?: Verdict
}

export interface LookContext {
  readonly doors: Doors
  readonly driver: Driver
  /** How long a merchant with a clock of its own is given to find out, in milliseconds. */
  readonly grace: number
  /** Without traffic for this long, in milliseconds, nothing seems to be under way. */
  readonly quiet: number
}

/** Asks the merchant once whether an order is paid. */
export async function look(order: string, { doors, driver }: LookContext): Promise<Look> {
  const ending = await driver.until(() => doors.isPaid(order))
  if (ending.kind !== 'answered') return { word: 'no answer', isOpen: true, broken: breakOf(order, ending) }
  const answer = ending.value
  if (answer === false) return { word: 'not-paid', isOpen: true }
  const word = answer === true ? 'paid' : (paidWords.find(each => each === answer) ?? 'no answer')
  return { word, isOpen: word === 'open' || word === 'no answer' }
}

const breakOf = (order: string, ending: Exclude<Ending<unknown>, { readonly kind: 'answered' }>): Verdict =>
  ending.kind === 'hung'
    ? { kind: 'hung', explanation: `Whether ${order} is paid was never answered.` }
    : { kind: 'failed', explanation: `Whether ${order} is paid could not be asked: ${messageOf(ending.error)}` }

/** The text of anything that was thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** How often the merchant is asked, an hour apart on the gateway's clock. A merchant may find out only when it is asked. */
const looks = 4
const hour = 3_600_000

/** How long it waits before each of them, in milliseconds, and at least so many times `quiet`. */
const longQuiet = 50
const timesQuiet = 10

/** Asks about an order until the merchant has found out, or will not. */
export async function finalLook(order: string, context: LookContext): Promise<Look> {
  const { driver, grace, quiet } = context
  let last = await look(order, context)
  const isWorthAsking = (): boolean => last.isOpen && last.broken?.kind !== 'hung'
  for (let round = 1; round < looks && isWorthAsking(); round += 1) {
    // A request of the merchant's may be on its way to the gateway, which has not seen it yet.
    await pause(Math.max(longQuiet, timesQuiet * quiet))
    await driver.advance(hour)
    last = await look(order, context)
  }
  for (let waited = 0; waited < grace && isWorthAsking(); waited += grace / 20) {
    await pause(grace / 20)
    last = await look(order, context)
  }
  return last
}
