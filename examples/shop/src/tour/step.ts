/** The tour is made of steps, each of which prints lines. */
import type { OperationName } from '@tillkit/protocol'
import type { FakeGateway } from '@tillkit/testing'
import type { Till, TillClient } from '@tillkit/till'
import type { Orders } from '../orders.js'

/** One line of the tour. */
export interface Line {
  /** Operation that was called, or what came in. */
  readonly operation: OperationName | 'callback'
  /** What was special about it, e.g. `to a phone number`. */
  readonly detail?: string
  readonly outcome: string
  /** How we know. Default: status. */
  readonly evidence?: string
}

/** What steps work with. */
export interface TourContext {
  readonly till: Till
  /** That of the till, for what is no payment of it. */
  readonly client: TillClient
  readonly gateway: FakeGateway
  /** Where the shop listens. */
  readonly shop: URL
  /** The shop's orders. */
  readonly orders: Orders
  /** A merchant's order id that was never used before. */
  readonly newId: () => string
  /** The shop's process as one file of JavaScript. Default: the one of this build. */
  readonly shopProgram?: string | undefined
  /** Prints a line. */
  readonly print: (line: Line) => void
  /** Prints a sentence that tells what happens. */
  readonly say: (sentence: string) => void
}

/** One step: a heading, and what it does. It throws when something is not as it should be. */
export interface Step {
  readonly title: string
  run(context: TourContext): Promise<void>
}

/** Fails the step unless `actual` is `expected`. */
export function mustBe(what: string, actual: unknown, expected: unknown): void {
  if (actual !== expected)
    throw new Error(`${what} is ${JSON.stringify(actual)}, it should be ${JSON.stringify(expected)}.`)
}
