/**
 * Verification of a callback, and of the customer's browser return, which is signed the same way. Framework-free.
 *
 * The specification does not show the payload of callbacks or how they are signed: both come from the wire profile.
 *
 * @module
 */
import { defaultProfile, type WireProfile } from '@tillkit/protocol'
import { type ControlKeys, type Parameter, verifyControlValue } from '@tillkit/signing'
import { CallbackUnsettledError, quote, type Rejection } from '../config/errors.js'
import { checkOptionalProfile } from '../config/options.js'
import { defaultMaxBodyBytes, endOfTurn, systemWait, timeLimit } from '../config/time.js'
import { readParameters } from '../http/parameters.js'
import type { AnyRequest } from '../http/request.js'
import { readCallback, type UnverifiedCallback, type UnverifiedIds } from './read.js'

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

type KeyLookup = (ids: UnverifiedIds) => ControlKeys | undefined | Promise<ControlKeys | undefined>

/** How {@link checkCallbackRequest} checks. */
export interface CheckCallbackRequestOptions {
  /**
   * Merchant control key, or several while one is being replaced. A function where several merchants share an address: what
   * it is given is not verified yet, so look keys up by it and do nothing else. Undefined refuses the callback.
   */
  readonly controlKeys: ControlKeys | KeyLookup
  /** What a body parser of the framework made of the form, if one ran. Default: `request.body` of Node.js. */
  readonly body?: unknown
  /** Most bytes of a query or a form body. Default: 65536. */
  readonly maxBodyBytes?: number | undefined
  /** Default: `defaultProfile`. */
  readonly profile?: WireProfile | undefined
}

/**
 * Checks whether a request is a callback that the gateway has signed: GET with a query or POST with a form. Answer what is
 * not verified with 403 and nothing else; the explanation is for your log.
 *
 * A verified callback is a hint: ask status before you deliver anything. `callbackReceiver` does.
 *
 * @throws {@link BodyConsumedError} when something has read the body and `body` was not handed in.
 * @throws {@link InvalidKeyError} when your own control keys are missing or empty.
 * @throws {TypeError} when the profile leaves out the status or an order id: what is given out as signed would not be.
 * @throws {@link CallbackUnsettledError} when looking them up takes longer than five seconds.
 */
export async function checkCallbackRequest(
  request: AnyRequest,
  { controlKeys, body, maxBodyBytes = defaultMaxBodyBytes, profile }: CheckCallbackRequestOptions,
): Promise<CallbackVerdict> {
  checkOptionalProfile(profile, 'callbackItems')
  const read = await readParameters(request, { maxBytes: maxBodyBytes, body })
  await endOfTurn()
  if (!read.read) return { verified: false, reason: read.reason, explanation: read.explanation }
  const find = typeof controlKeys === 'function' ? holderBy(controlKeys) : () => ({ controlKeys })
  const verdict = await checkCallbackFor({ parameters: read.parameters, profile, find })
  return verdict.verified ? { verified: true, callback: verdict.callback } : verdict
}

/** Longest time that looking up keys may take, in milliseconds: a request must not hang on a database that never answers. */
const longestLookup = 5_000

const holderBy = (lookUp: KeyLookup) => async (ids: UnverifiedIds) => {
  const limit = timeLimit(longestLookup, systemWait)
  try {
    const controlKeys = await limit.race(Promise.resolve(lookUp(ids)), () => {
      throw new CallbackUnsettledError(`Option "controlKeys" found no keys within ${longestLookup} ms.`)
    })
    return controlKeys === undefined ? undefined : { controlKeys }
  } finally {
    limit.end()
  }
}
