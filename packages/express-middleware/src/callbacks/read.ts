import {
  defaultProfile,
  describeNoId,
  isNoId,
  type NotificationParameters,
  quote,
  type WireProfile,
} from '@tillkit/protocol'
import type { Parameter } from '@tillkit/signing'
import { type Rejection, refused } from '../config/errors.js'

/** What the control value of a callback covers. */
export interface SignedFields {
  /** The gateway's word of status, as it was sent. */
  readonly status: string
  /** The gateway's order id. */
  readonly orderId: string
  /** The merchant's order id. */
  readonly clientOrderId: string
}

/** What a callback says of itself, not verified. Anyone may have written it: look up keys by it, and nothing else. */
export type UnverifiedIds = SignedFields

/** What to read, and by which names. */
export interface ReadCallbackOptions {
  /** Decoded parameters, repeated names included. */
  readonly parameters: readonly Parameter[]
  /** Default: `defaultProfile`. */
  readonly profile?: WireProfile | undefined
  /** Which names of the profile apply. Default: `callback`. */
  readonly kind?: 'callback' | 'browser-return' | undefined
}

/** A callback of the right shape, not verified. */
export interface UnverifiedCallback {
  readonly kind: 'unverified'
  readonly ids: UnverifiedIds
  /** The control value, if there is one. */
  readonly control: string | undefined
  /** Names of everything that is signed or signs. */
  readonly covered: ReadonlySet<string>
}

/** Most parameters, and most characters of a name. A gateway sends about twenty, with short names. */
const maxParameters = 200
const maxNameLength = 128
/** Most characters of a status word or of the gateway's order id. */
const maxWordLength = 128

/**
 * Reads a callback: its shape is checked, its control value is not. Text of any kind gives a reading or a refusal, never a
 * throw.
 */
export function readCallback({
  parameters,
  profile = defaultProfile,
  kind = 'callback',
}: ReadCallbackOptions): UnverifiedCallback | Rejection {
  const names = (kind === 'callback' ? profile.callbackParameters : profile.browserReturnParameters).value
  const misshapen = findMisshapen(parameters)
  if (misshapen !== undefined) return misshapen

  const values = new Map(parameters)
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
  const covered = new Set([names.status, names.orderId, ...names.clientOrderId, names.control])
  return { kind: 'unverified', ids, control: values.get(names.control), covered }
}

function findMisshapen(parameters: readonly Parameter[]): Rejection | undefined {
  if (parameters.length > maxParameters) {
    return refused('too-large', `${parameters.length} parameters came; at most ${maxParameters} may.`)
  }
  const seen = new Set<string>()
  for (const [name, value] of parameters) {
    if (typeof value !== 'string') {
      return refused('nested-parameter', `${quote(name)} is of type ${typeof value}, not text.`)
    }
    if (name.length > maxNameLength) {
      return refused('too-large', `The name ${quote(name)} is longer than ${maxNameLength} characters.`)
    }
    if (name.includes('[')) {
      return refused('nested-parameter', `The name ${quote(name)} has brackets; no gateway sends such.`)
    }
    if (seen.has(name)) {
      return refused('repeated-parameter', `${quote(name)} came more than once; which one counts?`)
    }
    seen.add(name)
  }
  return undefined
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
    if (value.length > limit) {
      return refused('too-long', `"${name}" has ${value.length} characters; at most ${limit} may come.`)
    }
  }
  return undefined
}
