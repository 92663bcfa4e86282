/**
 * Which engine lives each intent. Both read and write the same histories, so that an intent may go back to the old engine by one word.
 *
 * @module
 */

/** An engine: `old`, the documents of client, middleware and till; `new`, runs of intents. */
export type Engine = 'old' | 'new'

/** The intents that can be lived by either. */
export interface Who {
  /** A request of `till.client`, and each that the till sends itself. */
  readonly send: Engine
  /** A question about what is open of an order. */
  readonly ask: Engine
  /** Each question for a callback, and of the work in the background; and each delivery to the handler. */
  readonly deliver: Engine
  /** A payment, a verification and a payout that is asked for. The new engine has to deliver as well. */
  readonly pay: Engine
  /** A capture, a return and a void, and those that follow up an outcome. The new engine has to deliver as well. */
  readonly change: Engine
  /** Each question for a customer who is back, or looks at a page of 3DS. The new engine has to deliver as well. */
  readonly visit: Engine
  /** What a person decides, and the orders that a person takes up. The new engine has to deliver as well. */
  readonly people: Engine
}

/** Who lives what now. */
export const who: Who = {
  send: 'new',
  ask: 'new',
  deliver: 'new',
  pay: 'new',
  change: 'new',
  visit: 'new',
  people: 'new',
}

/** The old engine lives everything. */
export const allOld: Who = {
  send: 'old',
  ask: 'old',
  deliver: 'old',
  pay: 'old',
  change: 'old',
  visit: 'old',
  people: 'old',
}
