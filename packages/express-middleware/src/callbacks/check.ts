import {
  defaultProfile,
  describeNoId,
  isNoId,
  type NotificationParameters,
  quote,
  type WireProfile,
} from '@tillkit/protocol'
import { type ControlKeys, type Parameter, verifyControlValue } from '@tillkit/signing'
import { type Rejection, refused } from '../config/errors.js'
import { checkProfile } from '../config/options.js'

/** The items of a callback that its control value covers. */
export interface SignedFields {
  /** The gateway's word of status, as it was sent. */
  readonly status: string
  /** The gateway's order id. */
  readonly orderId: string
  /** The merchant's order id. */
  readonly clientOrderId: string
}

/** Ids that a callback gives itself, not verified: look up keys by them, and do nothing else. */
export type UnverifiedIds = SignedFields

/** Parameters to check, and the keys to check them with. `decodeForm` of `@tillkit/signing` makes the parameters. */
export interface CheckCallbackOptions {
  /** Every key is tried; several may verify while one is being replaced. */
  readonly controlKeys: ControlKeys
  /** Decoded parameters, repeated names included. */
  readonly parameters: readonly Parameter[]
  /** Default: `defaultProfile`. */
  readonly profile?: WireProfile | undefined
  /** Which names of the profile apply. Default: `callback`. */
  readonly kind?: 'callback' | 'browser-return' | undefined
}

/** Most parameters, and most characters of a name. A gateway sends about twenty, with short names. */
const maxParameters = 200
const maxNameLength = 128
/** Most characters of a status word or of the gateway's order id. */
const maxWordLength = 128

/** Checks the shape of a callback, and not its control value. It never throws. */
function readCallback({
  parameters,
  profile = defaultProfile,
  kind = 'callback',
}: Omit<CheckCallbackOptions, 'controlKeys'>) {
  const names = (kind === 'callback' ? profile.callbackParameters : profile.browserReturnParameters).value
  const covered: ReadonlySet<string> = new Set([names.status, names.orderId, ...names.clientOrderId, names.control])
  const values = clearValues(parameters, covered)
  if ('kind' in values) return values

  const given = names.clientOrderId.map(name => values.get(name)).filter(value => value !== undefined && value !== '')
  if (new Set(given).size > 1) {
    return refused(
      'contradicting-order-ids',
      `${names.clientOrderId.map(quote).join(' and ')} name different orders: ${given.map(quote).join(', ')}.`,
    )
  }
  const ids = {
    status: values.get(names.status) ?? '',
    orderId: values.get(names.orderId) ?? '',
    clientOrderId: given[0] ?? '',
  }
  const wrong = findWrong(ids, names, profile)
  if (wrong !== undefined) return wrong
  const others = [...values].filter(([name]) => !covered.has(name))
  return { kind: 'unverified' as const, ids, control: values.get(names.control), others }
}

/** The values of names about which there is no doubt. A doubt about a covered name is a refusal; other names are left out. */
function clearValues(
  parameters: readonly Parameter[],
  covered: ReadonlySet<string>,
): ReadonlyMap<string, string> | Rejection {
  if (parameters.length > maxParameters) {
    return refused('too-large', `${parameters.length} parameters came; at most ${maxParameters} may.`)
  }
  const values = new Map<string, string>()
  const doubtful = new Set<string>()
  for (const [name, value] of parameters) {
    const doubt = doubtAbout([name, value], values)
    if (doubt === undefined) values.set(name, value)
    else if (covered.has(name.split('[', 1)[0] ?? '')) return doubt
    else doubtful.add(name)
  }
  for (const name of doubtful) values.delete(name)
  return values
}

function doubtAbout([name, value]: Parameter, before: ReadonlyMap<string, string>): Rejection | undefined {
  if (typeof value !== 'string') {
    return refused('nested-parameter', `${quote(name)} is of type ${typeof value}, not text.`)
  }
  if (name.length > maxNameLength) {
    return refused('too-large', `The name ${quote(name)} is longer than ${maxNameLength} characters.`)
  }
  if (name.includes('[')) {
    return refused('nested-parameter', `The name ${quote(name)} has brackets; no gateway sends such.`)
  }
  return before.has(name)
    ? refused('repeated-parameter', `${quote(name)} came more than once; which one counts?`)
    : undefined
}

/** All three are required: the items of an all-empty callback have a control value like any others. */
function findWrong(ids: UnverifiedIds, names: NotificationParameters, profile: WireProfile): Rejection | undefined {
  const limits = [
    [names.status, ids.status, maxWordLength],
    [names.orderId, ids.orderId, maxWordLength],
    [names.clientOrderId.join('" or "'), ids.clientOrderId, profile.maxLengths.value.clientOrderId ?? maxWordLength],
  ] as const
  for (const [name, value, limit] of limits) {
    if (value.trim() === '') {
      return refused('missing-parameter', `"${name}" is missing or empty; it is signed and required.`)
    }
    if (isNoId(value) && name !== names.status) {
      return refused('missing-parameter', `"${name}" is ${describeNoId(value)}.`)
    }
    if (value.includes('\0')) {
      return refused('undecodable', `"${name}" holds a zero byte, which databases do not take as text.`)
    }
    if (value.includes('\uFFFD')) {
      return refused('undecodable', `"${name}" holds bytes that are no UTF-8, so what was signed is not known.`)
    }
    if (value.length > limit) {
      return refused('too-long', `"${name}" has ${value.length} characters; at most ${limit} may come.`)
    }
  }
  return undefined
}

/** A callback whose control value matches. It is a hint that makes us ask status; it is not an outcome to deliver on. */
export interface VerifiedCallback {
  /** The items that the control value covers. */
  readonly signed: SignedFields
  /**
   * Everything else under its wire name, **amount, currency and type included**: anyone may have written these. The word
   * that a browser return writes for no error message (`null`) is left out, and so is a name that came with different values.
   */
  readonly unsigned: Readonly<Record<string, string>>
  /** Label of the control key that matched; `key 1`, `key 2`, … by its place where it has none. */
  readonly keyLabel: string
}

/** The verdict on a callback. The explanation of a refusal is for your log, not for the sender. */
export type CallbackVerdict = { readonly kind: 'verified'; readonly callback: VerifiedCallback } | Rejection

/**
 * Checks a callback, or the customer's browser return, which is signed the same way. The specification does not show their
 * payload or how they are signed: both come from the wire profile. Text of any kind gives a verdict, never a throw.
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
  { ids, control, others }: Exclude<ReturnType<typeof readCallback>, Rejection>,
  { controlKeys, profile = defaultProfile, kind = 'callback' }: Omit<CheckCallbackOptions, 'parameters'>,
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
  const unsigned = Object.freeze(Object.fromEntries(others.filter(each => !isAbsent(each))))
  return { kind: 'verified', callback: { signed: ids, unsigned, keyLabel: verification.keyLabel } }
}

const controlReasons = {
  missing: 'missing-control',
  malformed: 'malformed-control',
  mismatch: 'control-mismatch',
} as const

/** Checks a callback with the keys that `find` finds by what the callback says of itself. It throws what `find` throws. */
export async function checkCallbackFor<Holder extends { readonly controlKeys: ControlKeys }>({
  parameters,
  profile,
  find,
}: Pick<CheckCallbackOptions, 'parameters' | 'profile'> & {
  readonly find: (ids: UnverifiedIds) => Holder | undefined | Promise<Holder | undefined>
}): Promise<{ readonly kind: 'verified'; readonly callback: VerifiedCallback; readonly holder: Holder } | Rejection> {
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
  const verdict = verify(read, { controlKeys: holder.controlKeys, profile })
  return verdict.kind === 'refused' ? verdict : { ...verdict, holder }
}
