import { InvalidInputError } from '../errors.js'
import { nodeCrypto } from '../keys/node-crypto.js'
import { type ControlKeys, labelControlKeys, type Refused, refuse } from '../verification.js'
import { type ControlEncoding, type ControlValues, controlString } from './value.js'

/** What to verify, and with which keys. */
export interface VerifyControlValueOptions<Items extends readonly string[]> {
  /** The items the control value covers, in order. */
  readonly items: Items
  /** What was received for each item. */
  readonly values: ControlValues<Items>
  /** The control value that was received. */
  readonly received: string | undefined
  /** Every key is tried; the result names the one that matched. */
  readonly controlKeys: ControlKeys
  /** How the digest is written. Default: `hex-lower`. */
  readonly encoding?: ControlEncoding
}

/** Why a control value is refused. */
export type ControlRefusal = 'missing' | 'malformed' | 'mismatch'

/** The verdict on a control value. Explanations are for your log, not for the sender. */
export type ControlVerification = { readonly kind: 'verified'; readonly keyLabel: string } | Refused<ControlRefusal>

/**
 * Verifies a control value in constant time. What the sender got wrong gives a refusal, never a throw.
 *
 * It proves the joined text only: items are joined without a separator, so check each value as well. A request whose
 * items are all empty is refused as malformed, with any control value.
 *
 * @throws {@link InvalidKeyError} when your own control keys are missing or empty.
 * @see Interface specification, section 5.1
 */
export function verifyControlValue<const Items extends readonly string[]>({
  items,
  values,
  received,
  controlKeys,
  encoding = 'hex-lower',
}: VerifyControlValueOptions<Items>): ControlVerification {
  const keys = labelControlKeys(controlKeys)
  if (received === undefined || received === null || received === '') {
    return refuse('missing', 'There is no control value.')
  }
  const digest = decodeDigest(received, encoding)
  if (digest === undefined) return refuse('malformed', malformedText(received, encoding))
  const known: Readonly<Record<string, unknown>> = values ?? {}
  if (items.every(item => known[item] === '')) {
    return refuse('malformed', `Every item is empty (${items.join(', ')}): such a control value proves nothing.`)
  }
  let matched: string | undefined
  for (const { label, key } of keys) {
    const made = digestOf(() => controlString(items, known as ControlValues<Items>, key))
    if (typeof made === 'string') return refuse('malformed', made)
    if (nodeCrypto().timingSafeEqual(made, digest)) matched ??= label
  }
  if (matched !== undefined) return { kind: 'verified', keyLabel: matched }
  const tried = keys.length === 1 ? 'the control key' : `any of ${keys.length} control keys`
  return refuse(
    'mismatch',
    `The control value does not match ${tried}. Items covered: ${items.join(', ')}. One of them was altered, or the sender uses another key.`,
  )
}

/** @returns The digest, or what is wrong with the items. */
function digestOf(join: () => string): Buffer | string {
  try {
    return nodeCrypto().createHash('sha1').update(join(), 'utf8').digest()
  } catch (error) {
    if (error instanceof InvalidInputError) return error.message
    throw error
  }
}

const digestForms: Readonly<Record<ControlEncoding, { readonly pattern: RegExp; readonly text: string }>> = {
  'hex-lower': { pattern: /^[0-9a-f]{40}$/, text: '40 lower-case hexadecimal characters' },
  'hex-upper': { pattern: /^[0-9A-F]{40}$/, text: '40 upper-case hexadecimal characters' },
  base64: { pattern: /^[A-Za-z0-9+/]{26}[AEIMQUYcgkosw048]=$/, text: '28 characters of Base64' },
}

function decodeDigest(received: unknown, encoding: ControlEncoding): Buffer | undefined {
  if (typeof received !== 'string' || !digestForms[encoding].pattern.test(received)) return undefined
  return Buffer.from(received, encoding === 'base64' ? 'base64' : 'hex')
}

function malformedText(received: unknown, encoding: ControlEncoding): string {
  const found =
    typeof received !== 'string'
      ? `of type ${Array.isArray(received) ? 'list (sent more than once)' : typeof received}`
      : `${received.length} characters long${/^[0-9a-fA-F]{40}$/.test(received) ? ' in another letter case' : ''}`
  return `The control value must be ${digestForms[encoding].text}; what came is ${found}.`
}
