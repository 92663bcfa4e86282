/**
 * What went over the wire for an order, for its page. Everything here is already safe to show: the client masks what it
 * reports, and of a callback only the verdict and its parameters without the control value are kept.
 *
 * @module
 */
import type { Exchange } from '@tillkit/client'
import type { Orders } from './orders.js'

/** One thing that went over the wire. Times are in milliseconds since the epoch. */
export type WireEntry =
  | { readonly kind: 'exchange'; readonly at: number; readonly exchange: Exchange }
  | {
      readonly kind: 'callback'
      readonly at: number
      readonly verdict: 'verified' | 'refused'
      /** Why, in words for the merchant; a refused sender learns nothing. */
      readonly explanation: string
      readonly parameters: readonly (readonly [name: string, value: string])[]
    }

/** A callback and what was thought of it. */
export interface ReceivedCallback {
  readonly at: number
  readonly verdict: 'verified' | 'refused'
  readonly explanation: string
  readonly parameters: Iterable<readonly [name: string, value: string]>
}

/** Most entries of an order's log. Anyone can send callbacks that are refused; they must not fill the memory. */
const maxEntries = 200

/** Notes a callback in the log of its order, without the control value. Unknown orders have no log. */
export function logCallback(
  orders: Orders,
  clientOrderId: string,
  { parameters, ...callback }: ReceivedCallback,
): void {
  const shown = [...parameters].map(([name, value]) => [name, name === 'control' ? '(control value)' : value] as const)
  orders.update(clientOrderId, current =>
    current.wire.length >= maxEntries
      ? current
      : { ...current, wire: [...current.wire, { kind: 'callback', ...callback, parameters: shown }] },
  )
}
