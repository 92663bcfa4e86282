/**
 * Verification of a callback, and of the customer's browser return, which is signed the same way.
 *
 * The specification does not show the payload of callbacks or how they are signed: both come from the wire profile.
 *
 * @module
 */
import { defaultProfile, quote, type WireProfile } from '@tillkit/protocol'
import { type ControlKeys, type Parameter, verifyControlValue } from '@tillkit/signing'
import { CallbackUnsettledError, type Rejection, refused } from '../config/errors.js'
import { checkProfile } from '../config/options.js'
import { atEndOfTurn, systemWait, withDeadline } from '../config/time.js'
import { readParameters } from '../http/parameters.js'
import type { AnyRequest } from '../http/request.js'
import {
  type ReadCallbackOptions,
  readCallback,
  type SignedFields,
  type UnverifiedCallback,
  type UnverifiedIds,
} from './read.js'

/** A callback whose control value matches. It is a hint that makes us ask status; it is not an outcome to deliver on. */
export interface VerifiedCallback {
  /** What the control value covers. */
  readonly signed: SignedFields
  /**
   * Everything else under its wire name, **amount, currency and type included**: anyone may have written these. The word
   * that a browser return writes for no error message (`null`) is left out.
   */
  readonly unsigned: Readonly<Record<string, string>>
  /** Label of the control key that matched; `key 1`, `key 2`, … by its place where it has none. */
  readonly keyLabel: string
}

/** What to check, and with which keys. `decodeForm` of `@tillkit/signing` makes the parameters. */
export interface CheckCallbackOptions extends ReadCallbackOptions {
  /** Every key is tried; several may verify while one is being replaced. */
  readonly controlKeys: ControlKeys
}

/** The verdict on a callback. The explanation of a refusal is for your log, not for the sender. */
export type CallbackVerdict = { readonly kind: 'verified'; readonly callback: VerifiedCallback } | Rejection

/**
 * Checks a callback. Text of any kind gives a verdict, never a throw.
 *
 * Signed items are joined without a separator, so a sender who has seen one callback can move characters across the
 * borders of status, order id and merchant's order id. Look the order up by both ids, and ask status before you act.
 *
 * @throws {@link InvalidKeyError} when your own control keys are missing or empty.
 * @throws {TypeError} when the profile leaves out the status or an order id: `signed` would hold what is not signed.
 */
export function checkCallback(options: CheckCallbackOptions): CallbackVerdict {
  checkProfile(options.profile, options.kind === 'browser-return' ? 'browserReturnItems' : 'callbackItems')
  const read = readCallback(options)
  return read.kind === 'refused' ? read : verify(read, options)
}

function verify(
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
  if (verification.kind === 'refused') return refused(controlReasons[verification.reason], verification.explanation)
  const isAbsent = ([name, value]: Parameter) =>
    kind === 'browser-return' &&
    name === profile.unsignedReturnParameters.value.errorMessage &&
    value === profile.noErrorMessage.value
  const others = parameters.filter(each => !covered.has(each[0]) && !isAbsent(each))
  const unsigned = Object.freeze(Object.fromEntries(others))
  return { kind: 'verified', callback: { signed: ids, unsigned, keyLabel: verification.keyLabel } }
}

const controlReasons = {
  missing: 'missing-control',
  malformed: 'malformed-control',
  mismatch: 'control-mismatch',
} as const

interface CheckCallbackForOptions<Holder> extends ReadCallbackOptions {
  /** Finds the merchant by what the callback says of itself, which is not verified. */
  readonly find: (ids: UnverifiedIds) => Holder | undefined | Promise<Holder | undefined>
}

/** Checks a callback with the keys of the merchant it says it is for. Only what `find` throws is thrown. */
export async function checkCallbackFor<Holder extends { readonly controlKeys: ControlKeys }>({
  parameters,
  profile,
  find,
}: CheckCallbackForOptions<Holder>): Promise<
  { readonly kind: 'verified'; readonly callback: VerifiedCallback; readonly holder: Holder } | Rejection
> {
  const read = readCallback({ parameters, profile })
  if (read.kind === 'refused') return read
  const { ids } = read
  // A database says null for nothing; that is no reason to answer otherwise than with a refusal.
  const holder = (await find(ids)) ?? undefined
  if (holder === undefined || (holder.controlKeys ?? undefined) === undefined) {
    return refused(
      'unknown-merchant',
      `No control keys were found for order ${quote(ids.clientOrderId)} (orderid ${quote(ids.orderId)}).`,
    )
  }
  const verdict = verify(read, { parameters, controlKeys: holder.controlKeys, profile })
  return verdict.kind === 'refused' ? verdict : { ...verdict, holder }
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
 * @throws {@link BodyConsumedError} when another middleware has read the body and `body` was not handed in.
 * @throws {@link InvalidKeyError} when your own control keys are missing or empty.
 * @throws {TypeError} when the profile leaves out the status or an order id: `signed` would hold what is not signed.
 * @throws {@link CallbackUnsettledError} when looking them up takes longer than five seconds.
 */
export async function checkCallbackRequest(
  request: AnyRequest,
  { controlKeys, body, maxBodyBytes, profile }: CheckCallbackRequestOptions,
): Promise<CallbackVerdict> {
  checkProfile(profile, 'callbackItems')
  const read = await readParameters(request, { maxBytes: maxBodyBytes, body })
  await atEndOfTurn()
  if (read.kind === 'refused') return read
  const find = typeof controlKeys === 'function' ? holderBy(controlKeys) : () => ({ controlKeys })
  const verdict = await checkCallbackFor({ parameters: read.parameters, profile, find })
  return verdict.kind === 'refused' ? verdict : { kind: 'verified', callback: verdict.callback }
}

/** Longest time that looking up keys may take, in milliseconds: a request must not hang on a database that never answers. */
const longestLookup = 5_000

const holderBy = (lookUp: KeyLookup) => async (ids: UnverifiedIds) => {
  const late = () => {
    throw new CallbackUnsettledError(`Option "controlKeys" found no keys within ${longestLookup} ms.`)
  }
  const looking = Promise.resolve(lookUp(ids))
  const controlKeys = await withDeadline(looking, { milliseconds: longestLookup, wait: systemWait, late })
  return controlKeys === undefined ? undefined : { controlKeys }
}
