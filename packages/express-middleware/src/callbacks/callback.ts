/**
 * Verification of a callback, and of the customer's browser return, which is signed the same way. Framework-free.
 *
 * The specification does not show the payload of callbacks or how they are signed: both come from the wire profile.
 *
 * @module
 */
import { defaultProfile, type WireProfile } from '@tillkit/protocol'
import { type ControlKeys, type Parameter, verifyControlValue } from '@tillkit/signing'
import type { Rejection } from '../config/errors.js'
import { checkOptionalProfile } from '../config/options.js'
import { readCallback, type UnverifiedCallback } from './read-callback.js'

/** A callback whose control value matches. It is a hint that makes us ask status; it is not an outcome to deliver on. */
export interface VerifiedCallback {
  /** What the control value covers. */
  readonly signed: {
    /** The gateway's word of status, as it was sent. */
    readonly status: string
    /** The gateway's order id. */
    readonly orderId: string
    /** The merchant's order id. */
    readonly clientOrderId: string
  }
  /**
   * Everything else under its wire name, **amount, currency and type included**: anybody may have written these. The word
   * that a browser return writes for no error message (`null`) is left out.
   */
  readonly unsigned: Readonly<Record<string, string>>
  /** Label of the control key that matched; `key 1`, `key 2`, … by its place where it has none. */
  readonly keyLabel: string
}

/** What to check, and with which keys. */
export interface CheckCallbackOptions {
  /** Decoded parameters, repeated names included. `decodeForm` of `@tillkit/signing` makes them. */
  readonly parameters: readonly Parameter[]
  /** Every key is tried; several may verify while one is being replaced. */
  readonly controlKeys: ControlKeys
  /** Default: `defaultProfile`. */
  readonly profile?: WireProfile | undefined
  /** Which names and items of the profile apply. Default: `callback`. */
  readonly kind?: 'callback' | 'browser-return' | undefined
}

/** The verdict on a callback. Explanations are for your log, not for the sender. */
export type CallbackVerdict =
  | { readonly verified: true; readonly callback: VerifiedCallback }
  | ({ readonly verified: false } & Rejection)

/**
 * Checks a callback. Whatever the sender wrote gives a verdict, never a throw.
 *
 * Signed items are joined without a separator, so a sender who has seen one callback can move characters across the
 * borders of status, order id and merchant's order id. Look the order up by both ids, and ask status before you act.
 *
 * @throws {@link InvalidKeyError} when your own control keys are missing or empty.
 * @throws {TypeError} when the profile leaves out the status or an order id: what is given out as signed would not be.
 */
export function checkCallback(options: CheckCallbackOptions): CallbackVerdict {
  const { parameters, controlKeys, profile, kind } = options
  checkOptionalProfile(profile, kind === 'browser-return' ? 'browserReturnItems' : 'callbackItems')
  const reading = readCallback({ parameters, profile, kind })
  if (!reading.read) return { verified: false, reason: reading.reason, explanation: reading.explanation }
  return verifyReading(reading.callback, { parameters, controlKeys, profile, kind })
}

/** The second half of {@link checkCallback}, for whoever looks up the keys of a callback in between. */
export function verifyReading(
  { ids, control, covered }: UnverifiedCallback,
  { parameters, controlKeys, profile = defaultProfile, kind = 'callback' }: CheckCallbackOptions,
): CallbackVerdict {
  const items: readonly string[] = (kind === 'callback' ? profile.callbackItems : profile.browserReturnItems).value
  const verification = verifyControlValue({
    items,
    values: { ...ids, merchantOrderId: ids.clientOrderId },
    received: control,
    controlKeys,
    encoding: profile.controlEncoding.value,
  })
  if (!verification.verified) {
    return { verified: false, reason: controlReasons[verification.reason], explanation: verification.explanation }
  }
  const isAbsent = ([name, value]: Parameter) =>
    kind === 'browser-return' &&
    name === profile.unsignedReturnParameters.value.errorMessage &&
    value === profile.noErrorMessage.value
  const others = parameters.filter(each => !covered.has(each[0]) && !isAbsent(each))
  const unsigned = Object.freeze(Object.fromEntries(others))
  return { verified: true, callback: { signed: ids, unsigned, keyLabel: verification.keyLabel } }
}

const controlReasons = {
  missing: 'missing-control',
  malformed: 'malformed-control',
  mismatch: 'control-mismatch',
} as const
