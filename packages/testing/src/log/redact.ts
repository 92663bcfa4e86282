import { maskCardNumber, maskCardNumbers, replyFields, wireNames } from '@tillkit/protocol'
import type { Parameter } from '@tillkit/signing'

export interface Redaction {
  readonly controlKeys: readonly string[]
  readonly controlField: string
}

const cardNumberName = /card[-_]?(no|number)$/i
const secretName = /cvv|cvc|csc|expire|card-exp|^oauth_|^c_?res$|^pa_?res$|^md$|password|secret|token|key$/i
/** Ids are digits that may look like a card number. */
const idName =
  /(order[-_]?id|merchant[-_]order|paynet-order-id|card-?ref(-id|id)$|recurring[-_]payment[-_]id|serial-number|-sn$|rrn)/i

const known: ReadonlySet<string> = new Set([
  ...Object.values(wireNames),
  ...Object.values(replyFields).flat(),
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
])

/** The `oauth_*` parameters that are not secret; signatures are compared by them. */
export const publicOAuthParameters: ReadonlySet<string> = new Set([
  'oauth_consumer_key',
  'oauth_nonce',
  'oauth_signature_method',
  'oauth_timestamp',
  'oauth_version',
])

/** A value as it may be shown; under an unknown name only its length. */
export function redactValue([name, value]: Parameter, redaction: Redaction): string {
  if (value === '') return ''
  if (name === redaction.controlField) return '<control value>'
  if (cardNumberName.test(name)) return maskCardNumber(value)
  if (secretName.test(name)) return '<hidden>'
  if (!known.has(name) && !name.startsWith('tds')) return `<${value.length} characters>`
  return maskValue([name, value], redaction)
}

/** Masks card numbers and keys in a value and shows the rest, whichever name it has. */
export const maskValue = ([name, value]: Parameter, redaction: Redaction): string =>
  idName.test(name) ? hideKey(value, redaction) : redactText(value, redaction)

/** Redacts parameters. A name that is itself a card number is masked too. */
export const redactParameters = (parameters: readonly Parameter[], redaction: Redaction): Parameter[] =>
  parameters.map(parameter => [redactText(parameter[0], redaction), redactValue(parameter, redaction)])

export const redactText = (text: string, redaction: Redaction): string => maskCardNumbers(hideKey(text, redaction))

const hideKey = (text: string, { controlKeys }: Redaction): string =>
  controlKeys.reduce((shown, key) => shown.replaceAll(key, '<control key>'), text)

export const isMasked = (shown: string): boolean => shown.includes('*')

/** Whether `shown`, whose runs of asterisks stand for any text, can be what `value` looks like when it is masked. */
export function couldBe(shown: string, value: string): boolean {
  if (!isMasked(shown)) return shown === value
  const pattern = shown
    .split(/\*+/)
    .map(piece => piece.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
    .join('.*')
  return new RegExp(`^${pattern}$`, 's').test(value)
}
