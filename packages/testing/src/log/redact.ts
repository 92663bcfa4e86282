import { maskCardNumber, maskCardNumbers, replyFields, wireNames } from '@tillkit/protocol'
import type { Parameter } from '@tillkit/signing'
import { ownText } from './own-text.js'

/** Things that are never shown, wherever they turn up. */
export interface Redaction {
  readonly controlKeys: readonly string[]
  readonly controlField: string
}

const cardNumberName = /card[-_]?(no|number)$/i
const secretName = /cvv|cvc|csc|expire|card-exp|^oauth_|^c_?res$|^pa_?res$|^md$|password|secret|token|key$/i
/** Ids are digits that may look like a card number and are none. */
const idName =
  /(order[-_]?id|merchant[-_]order|paynet-order-id|card-?ref(-id|id)$|recurring[-_]payment[-_]id|serial-number|-sn$|rrn)/i

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
  switch (kindOf(name)) {
    case 'card number':
      return maskCardNumber(value)
    case 'secret':
      return '<hidden>'
    case 'unknown':
      return `<${value.length} characters>`
    case 'id':
      return hideKey(value, redaction)
    case 'text':
      return redactText(value, redaction)
  }
}

type Kind = 'card number' | 'secret' | 'unknown' | 'id' | 'text'

/** Parameters out of which everything secret was taken, in one text: a thousand calls of twenty pieces each would cost more. */
export type KeptParameters = string

/** Stands between the pieces. In them {@link shownSeparator} stands for it. */
const separator = '\0'
const shownSeparator = '\u2400'

/**
 * Takes out of parameters what must not be kept. What is left is for {@link finishParameters} to redact before it is shown:
 * few calls ever are.
 */
export function keepParameters(parameters: readonly Parameter[], redaction: Redaction): KeptParameters {
  const pieces: string[] = []
  for (const parameter of parameters) {
    const kind = kinds.get(parameter[0])
    const isPlain = (kind === 'id' || kind === 'text') && parameter[0] !== redaction.controlField
    const [name, value] =
      kind === undefined
        ? redactParameter(parameter, redaction)
        : [parameter[0], isPlain ? parameter[1] : redactValue(parameter, redaction)]
    pieces.push(ownPiece(name), ownPiece(value))
  }
  return pieces.join(separator)
}

const ownPiece = (piece: string): string =>
  piece.includes(separator) ? piece.replaceAll(separator, shownSeparator) : piece

/** Redacts what {@link keepParameters} left. */
export function finishParameters(kept: KeptParameters, redaction: Redaction): Parameter[] {
  const pieces = kept === '' ? [] : kept.split(separator)
  return pieces.flatMap((name, at): Parameter[] => {
    if (at % 2 === 1) return []
    const value = pieces[at + 1] ?? ''
    const kind = kinds.get(name)
    return [kind === 'id' || kind === 'text' ? redactParameter([name, value], redaction) : [name, value]]
  })
}

/** What is in a value, by its name. Names the gateway knows are judged once: every request carries them. */
function kindOf(name: string): Kind {
  const before = kinds.get(name)
  if (before !== undefined) return before
  const kind = judge(name)
  if (known.has(name)) kinds.set(ownText(name), kind)
  return kind
}

const kinds = new Map<string, Kind>()

function judge(name: string): Kind {
  if (cardNumberName.test(name)) return 'card number'
  if (secretName.test(name)) return 'secret'
  if (!known.has(name) && !name.startsWith('tds')) return 'unknown'
  return idName.test(name) ? 'id' : 'text'
}

/** Masks card numbers and keys in a value and shows the rest of it, whatever its name. */
export const maskValue = ([name, value]: Parameter, redaction: Redaction): string =>
  idName.test(name) ? hideKey(value, redaction) : redactText(value, redaction)

/** Redacts parameters. A name that is itself a card number is masked too. */
export const redactParameters = (parameters: readonly Parameter[], redaction: Redaction): Parameter[] =>
  parameters.map(parameter => redactParameter(parameter, redaction))

const redactParameter = (parameter: Parameter, redaction: Redaction): Parameter => [
  redactText(parameter[0], redaction),
  redactValue(parameter, redaction),
]

/** Masks every card number and the control key in a text. */
export function redactText(text: string, redaction: Redaction): string {
  const shown = hideKey(text, redaction)
  return shown.length < shortestCardNumber ? shown : maskCardNumbers(shown)
}

/** In digits. */
const shortestCardNumber = 13

function hideKey(text: string, { controlKeys }: Redaction): string {
  let shown = text
  for (const key of controlKeys) if (shown.length >= key.length) shown = shown.replaceAll(key, '<control key>')
  return shown
}
