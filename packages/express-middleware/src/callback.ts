/**
 * Verification of a callback, and of the customer's browser return, which is signed the same way. Framework-free.
 *
 * The specification does not show the payload of callbacks or how they are signed: both come from the wire profile.
 *
 * @module
 */
import { defaultProfile, type NotificationParameters, type WireProfile } from '@tillkit/protocol'
import { type ControlKeys, type Parameter, verifyControlValue } from '@tillkit/signing'
import { quote, type Rejection } from './rejection.js'

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
  /** Everything else under its wire name, **amount, currency and type included**: anybody may have written these. */
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

/** Most parameters, and most characters of a name. A gateway sends about twenty, with short names. */
const maxParameters = 200
const maxNameLength = 128
/** Most characters of a status word or of the gateway's order id. */
const maxWordLength = 128

/**
 * Checks a callback. Whatever the sender wrote gives a verdict, never a throw.
 *
 * Signed items are joined without a separator, so a sender who has seen one callback can move characters across the
 * borders of status, order id and merchant's order id. Look the order up by both ids, and ask status before you act.
 *
 * @throws {@link InvalidKeyError} when your own control keys are missing or empty.
 */
export function checkCallback(options: CheckCallbackOptions): CallbackVerdict {
  const { parameters, controlKeys, profile = defaultProfile, kind = 'callback' } = options
  const names = (kind === 'callback' ? profile.callbackParameters : profile.browserReturnParameters).value
  const items: readonly string[] = (kind === 'callback' ? profile.callbackItems : profile.browserReturnItems).value
  const misshapen = findMisshapen(parameters)
  if (misshapen !== undefined) return { verified: false, ...misshapen }

  const values = new Map(parameters)
  const ids = names.clientOrderId.map(name => values.get(name)).filter(value => value !== undefined && value !== '')
  if (new Set(ids).size > 1) {
    return refuse(
      'contradicting-order-ids',
      `${names.clientOrderId.map(quote).join(' and ')} name different orders: ${ids.map(id => quote(id ?? '')).join(', ')}.`,
    )
  }
  const signed = {
    status: values.get(names.status) ?? '',
    orderId: values.get(names.orderId) ?? '',
    clientOrderId: ids[0] ?? '',
  }
  const wrong = findWrong(signed, names, profile)
  if (wrong !== undefined) return { verified: false, ...wrong }

  const verification = verifyControlValue({
    items,
    values: { ...signed, merchantOrderId: signed.clientOrderId },
    received: values.get(names.control),
    controlKeys,
    encoding: profile.controlEncoding.value,
  })
  if (!verification.verified) return refuse(controlReasons[verification.reason], verification.explanation)
  const covered = new Set([names.status, names.orderId, ...names.clientOrderId, names.control])
  const unsigned = Object.freeze(Object.fromEntries(parameters.filter(([name]) => !covered.has(name))))
  return { verified: true, callback: { signed, unsigned, keyLabel: verification.keyLabel } }
}

const controlReasons = {
  missing: 'missing-control',
  malformed: 'malformed-control',
  mismatch: 'control-mismatch',
} as const

function findMisshapen(parameters: readonly Parameter[]): Rejection | undefined {
  if (parameters.length > maxParameters) {
    return { reason: 'too-large', explanation: `${parameters.length} parameters came; at most ${maxParameters} may.` }
  }
  const seen = new Set<string>()
  for (const [name, value] of parameters) {
    if (typeof value !== 'string') {
      return { reason: 'nested-parameter', explanation: `${quote(name)} is of type ${typeof value}, not text.` }
    }
    if (name.length > maxNameLength) {
      return { reason: 'too-large', explanation: `The name ${quote(name)} is longer than ${maxNameLength} characters.` }
    }
    if (name.includes('[')) {
      return { reason: 'nested-parameter', explanation: `The name ${quote(name)} has brackets; no gateway sends such.` }
    }
    if (seen.has(name)) {
      return { reason: 'repeated-parameter', explanation: `${quote(name)} came more than once; which one counts?` }
    }
    seen.add(name)
  }
  return undefined
}

/** All three are required: the items of an all-empty callback have a control value like any others. */
function findWrong(
  signed: VerifiedCallback['signed'],
  names: NotificationParameters,
  profile: WireProfile,
): Rejection | undefined {
  const limits = [
    [names.status, signed.status, maxWordLength],
    [names.orderId, signed.orderId, maxWordLength],
    [names.clientOrderId.join('" or "'), signed.clientOrderId, profile.maxLengths.value.clientOrderId ?? maxWordLength],
  ] as const
  for (const [name, value, limit] of limits) {
    if (value.trim() === '') {
      return { reason: 'missing-parameter', explanation: `"${name}" is missing or empty; it is signed and required.` }
    }
    if (value.length > limit) {
      return { reason: 'too-long', explanation: `"${name}" has ${value.length} characters; at most ${limit} may come.` }
    }
  }
  return undefined
}

const refuse = (reason: Rejection['reason'], explanation: string): CallbackVerdict => ({
  verified: false,
  reason,
  explanation,
})
