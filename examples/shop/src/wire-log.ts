/**
 * What went over the wire for an order, for its page. Everything here is already safe to show: the client masks what it
 * reports, and of a callback only the verdict and its parameters without the control value are kept.
 *
 * @module
 */
import type { Exchange } from '@tillkit/client'

/** One thing that went over the wire. Times are in milliseconds since the epoch. */
export type WireEntry =
  | { readonly kind: 'exchange'; readonly at: number; readonly exchange: Exchange }
  | {
      readonly kind: 'callback' | 'browser-return'
      readonly at: number
      readonly verdict: 'verified' | 'refused'
      /** Why, in words for the merchant; a refused sender learns nothing. */
      readonly explanation: string
      readonly parameters: readonly (readonly [name: string, value: string])[]
    }

/** Parameters of a callback or a browser return as they may be shown: without the control value. */
export function shownParameters(
  parameters: Iterable<readonly [string, unknown]>,
): readonly (readonly [string, string])[] {
  return [...parameters].map(([name, value]) => [name, name === 'control' ? '(control value)' : String(value)])
}
