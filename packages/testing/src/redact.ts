/**
 * Redaction by allowlist: what of a request or a reply may be kept and shown.
 *
 * @module
 */
import { maskCardNumber, maskCardNumbers, replyFields, wireNames } from '@tillkit/protocol'
import type { Parameter } from '@tillkit/signing'

/** Things that are never shown, wherever they turn up. */
export interface Redaction {
  readonly controlKey: string
  readonly controlField: string
}

const cardNumberName = /card[-_]?(no|number)$/i
const secretName = /cvv|cvc|csc|expire|card-exp|^oauth_|^c_?res$|^pa_?res$|^md$|password|secret|key$/i
/** Ids are digits that may look like a card number and are none. */
const idName = /(order[-_]?id|paynet-order-id|card-?ref(-id|id)$|recurring[-_]payment[-_]id|serial-number|-sn$|rrn)/i

const otherNames = [
  'client-order-id',
  'client-orderid',
  'credit-card-number',
  'card-printed-name',
  'first-name',
  'last-name',
  'zip-code',
  'merchant_order',
  'type',
  'error_code',
  'error_message',
  'card-holder-name',
  'processor-tx-id',
]
const known: ReadonlySet<string> = new Set([
  ...Object.values(wireNames),
  ...Object.values(replyFields).flat(),
  ...otherNames,
])

/** Of the `oauth_*` parameters, those that are no secret and that a signature is compared by. */
export const publicOAuthParameters: ReadonlySet<string> = new Set([
  'oauth_consumer_key',
  'oauth_nonce',
  'oauth_signature_method',
  'oauth_timestamp',
  'oauth_version',
])

/** Shows a value, or something in its place. A name nobody knows shows the length only. */
export function redactValue([name, value]: Parameter, redaction: Redaction): string {
  if (value === '') return ''
  if (name === redaction.controlField) return '<control value>'
  if (cardNumberName.test(name)) return maskCardNumber(value)
  if (secretName.test(name)) return '<hidden>'
  if (!known.has(name) && !name.startsWith('tds')) return `<${value.length} characters>`
  return idName.test(name) ? hideKey(value, redaction) : redactText(value, redaction)
}

/** Redacts parameters. A name that is itself a card number is masked too. */
export const redactParameters = (parameters: readonly Parameter[], redaction: Redaction): Parameter[] =>
  parameters.map(parameter => [redactText(parameter[0], redaction), redactValue(parameter, redaction)])

/** Masks every card number and the control key in a text. */
export const redactText = (text: string, redaction: Redaction): string => maskCardNumbers(hideKey(text, redaction))

const hideKey = (text: string, { controlKey }: Redaction): string => text.replaceAll(controlKey, '<control key>')
