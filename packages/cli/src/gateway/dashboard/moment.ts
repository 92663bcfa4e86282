/**
 * Moments, as a person reads them.
 *
 * @module
 */
import { type Html, html } from '@tillkit/testing/gateway'

/** Writes a moment in UTC, to the second. @param at In milliseconds since the epoch. */
export function writeMoment(at: number): Html {
  const text = new Date(at).toISOString()
  return html`<time datetime="${text}">${text.slice(0, 19).replace('T', ' ')}</time>`
}
