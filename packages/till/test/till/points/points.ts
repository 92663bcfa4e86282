/**
 * Lives of payments, and the named points at which a shop with a till is killed in them.
 *
 * @module
 */

/** The act of one step of a life. */
export type Act = 'pay' | 'hold' | 'customer' | 'customer-declined' | 'tick' | 'return' | 'payout'

/** A payment from its beginning to its end. */
export type LifeName = 'sold' | 'second-card' | 'captured-by-wish' | 'returned-in-part' | 'paid-out'

/** The steps of each life. */
export const lives: { readonly [Name in LifeName]: readonly Act[] } = {
  sold: ['pay', 'customer'],
  'second-card': ['pay', 'customer-declined', 'pay', 'customer'],
  'captured-by-wish': ['hold', 'customer', 'tick'],
  'returned-in-part': ['pay', 'customer', 'return', 'tick'],
  'paid-out': ['payout', 'tick', 'payout', 'tick'],
}

/** An effect that outlives its process, or that others see. Each has a point before it and one after it. */
export type Effect = 'read' | 'write' | 'take' | 'commit' | 'handler' | 'callback' | 'way-back' | `request ${string}`

const telling = ['read', 'write', 'request status', 'commit', 'handler'] as const

const customer = [...telling, 'callback', 'way-back'] as const

const opening = ['read', 'write', 'request saleForm'] as const

/**
 * The effects of each step. The run fails for one that is never struck, and for one that is not listed. No callback comes for a change: a
 * round of work finds its outcome.
 */
export const effectsOf: { readonly [Name in LifeName]: readonly (readonly Effect[])[] } = {
  sold: [opening, customer],
  'second-card': [opening, customer, [...opening, 'request status'], customer],
  'captured-by-wish': [
    ['read', 'write', 'request preauthForm'],
    [...customer, 'request capture'],
    ['take', ...telling],
  ],
  'returned-in-part': [opening, customer, ['read', 'write', 'request status', 'request return'], ['take', ...telling]],
  'paid-out': [
    [...telling, 'callback', 'request payoutCheck'],
    ['take'],
    ['read', 'write', 'request status', 'request payoutPay'],
    ['take', ...telling],
  ],
}

/** One passage of one side of an effect. */
export interface Point {
  /** Place of the step in its life. */
  readonly step: number
  readonly effect: Effect
  readonly side: 'before' | 'after'
  /** Which passage of it in the step, from 1 on. */
  readonly nth: number
}

/** The label that a point is counted under. */
export const labelOf = (life: LifeName, { step, effect, side, nth }: Point): string =>
  `${life}: ${step + 1} ${lives[life][step]}, ${side} ${effect}${nth === 1 ? '' : ` #${nth}`}`

/** Every point that must be struck, each at its first passage. What another life begins with alike is struck there. */
export const namedPoints = (life: LifeName): readonly Point[] =>
  effectsOf[life].flatMap((effects, step) =>
    life !== 'sold' && isLikeSold(life, step)
      ? []
      : effects.flatMap(effect => (['before', 'after'] as const).map(side => ({ step, effect, side, nth: 1 }))),
  )

const isLikeSold = (life: LifeName, step: number): boolean =>
  lives[life].slice(0, step + 1).join() === lives.sold.slice(0, step + 1).join()
