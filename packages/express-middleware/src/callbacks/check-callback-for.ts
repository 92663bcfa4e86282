/**
 * Verification of a callback where the keys depend on whom it is for.
 *
 * @module
 */
import type { WireProfile } from '@tillkit/protocol'
import type { ControlKeys, Parameter } from '@tillkit/signing'
import { quote, type Rejection } from '../config/errors.js'
import { type VerifiedCallback, verifyReading } from './callback.js'
import { readCallback, type UnverifiedIds } from './read-callback.js'

/** Whoever a callback is for. */
export interface KeyHolder {
  readonly controlKeys: ControlKeys
}

/** How a callback is checked. */
export interface CheckCallbackForOptions<Holder extends KeyHolder> {
  readonly parameters: readonly Parameter[]
  readonly profile: WireProfile | undefined
  /** Finds whom it is for, by what it says of itself; anybody may have written that. */
  readonly find: (ids: UnverifiedIds) => Holder | undefined | Promise<Holder | undefined>
}

/** Checks a callback with the keys of whom it says it is for. Only what `find` throws is thrown. */
export async function checkCallbackFor<Holder extends KeyHolder>({
  parameters,
  profile,
  find,
}: CheckCallbackForOptions<Holder>): Promise<
  | { readonly verified: true; readonly callback: VerifiedCallback; readonly holder: Holder }
  | ({ readonly verified: false } & Rejection)
> {
  const reading = readCallback({ parameters, profile })
  if (!reading.read) return { verified: false, reason: reading.reason, explanation: reading.explanation }
  const { ids } = reading.callback
  // A database says null for nothing; that is no reason to answer otherwise than with a refusal.
  const holder = (await find(ids)) ?? undefined
  if (holder === undefined || (holder.controlKeys ?? undefined) === undefined) {
    const explanation = `No control keys were found for order ${quote(ids.clientOrderId)} (orderid ${quote(ids.orderId)}).`
    return { verified: false, reason: 'unknown-merchant', explanation }
  }
  const verdict = verifyReading(reading.callback, { parameters, controlKeys: holder.controlKeys, profile })
  return verdict.verified ? { ...verdict, holder } : verdict
}
