/**
 * What is wrong with a reservation, in words.
 *
 * @module
 */
import { isDeepStrictEqual } from 'node:util'
import type { Attempt, AttemptEnd, Reservation } from '@tillkit/protocol'

/** What is wrong where something should have been reserved. */
export const notReserved = (reservation: Reservation): string | undefined =>
  reservation?.reserved === true ? undefined : `"reserve" gave ${show(reservation)}; expected { reserved: true }.`

/** The refusal that is expected. */
export interface ExpectedRefusal {
  readonly reason: Extract<Reservation, { reserved: false }>['reason']
  readonly earlier: Attempt
  readonly end?: AttemptEnd | undefined
}

/** What is wrong where something should have been refused for this reason. */
export function notRefused(reservation: Reservation, { reason, earlier, end }: ExpectedRefusal): string | undefined {
  const expected = { reserved: false, reason, earlier: end === undefined ? earlier : { ...earlier, end } }
  return isDeepStrictEqual(plain(reservation), plain(expected))
    ? undefined
    : `"reserve" gave ${show(reservation)}; expected ${show(expected)}.`
}

/** As it comes out of a store: without what is undefined, and in plain objects. */
export const plain = (value: unknown): unknown => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)))

/** A value in a complaint. */
export const show = (value: unknown): string => JSON.stringify(value) ?? 'nothing'
