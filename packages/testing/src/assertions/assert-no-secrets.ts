import { inspect } from 'node:util'
import { maskNumber } from '@tillkit/protocol'
import { percentEncode } from '@tillkit/signing'

/** Secrets by a name to call them by in a failure, or a list of them. */
export type Secrets = Readonly<Record<string, string>> | readonly string[]

/**
 * Throws when something that was logged, stored or thrown holds a secret: as it is, percent-encoded, in Base64 (on its own or
 * within more) or in hexadecimal. A card number is found however its digits are written: set apart,
 * with invisible characters between them, percent-encoded once or twice. Up to four digits, such as a CVV,
 * are found where no other digit is beside them: they turn up in ids and times.
 *
 * @param shown Text, or any value: all that printing or serializing it would show is searched.
 * @throws An error that names the secret by its name and never shows it.
 */
export function assertNoSecrets(shown: unknown, secrets: Secrets): void {
  const found = findSecret(shown, secrets)
  if (found !== undefined) throw new Error(found)
}

/** @returns What was found, in a sentence that does not show it. */
export function findSecret(shown: unknown, secrets: Secrets): string | undefined {
  const haystacks = textsOf(shown)
  const list = Array.isArray(secrets)
    ? secrets.map((secret, index) => [`secret ${index + 1}`, secret] as const)
    : Object.entries(secrets as Readonly<Record<string, string>>)
  for (const [name, secret] of list) {
    if (secret === '') throw new TypeError(`"${name}" is empty: an empty secret is in every text.`)
    const form = formsOf(secret).find(({ text }) => haystacks.some(haystack => holds(haystack, text)))
    if (form !== undefined) return `"${name}" was found${form.how}. Look where this text comes from and leave it out.`
  }
  return undefined
}

function holds(haystack: string, text: string): boolean {
  if (/^\d{13,19}$/.test(text) && maskNumber(haystack, text) !== haystack) return true
  return /^\d{1,4}$/.test(text) ? new RegExp(`(?<!\\d)${text}(?!\\d)`).test(haystack) : haystack.includes(text)
}

function textsOf(shown: unknown): readonly string[] {
  const whole = { depth: Number.POSITIVE_INFINITY, showHidden: true, maxStringLength: null, maxArrayLength: null }
  const texts = typeof shown === 'string' ? [shown] : [inspect(shown, whole), ...serialized(shown)]
  return texts.flatMap(text => [text, text.replace(/(?<=\d)[ -](?=\d)/g, '')])
}

/**
 * A value as JSON, and the bytes in it as text. JSON leaves out messages of errors, and some values cannot be serialized:
 * `inspect` shows both.
 */
function serialized(shown: unknown): readonly string[] {
  const bytes: string[] = []
  function read(this: Record<string, unknown>, name: string, value: unknown): unknown {
    // `toJSON` of a Buffer has turned it into numbers by now.
    const original = this[name]
    if (original instanceof Uint8Array) bytes.push(Buffer.from(original).toString('utf8'))
    return typeof value === 'bigint' ? value.toString() : value
  }
  try {
    return [JSON.stringify(shown, read) ?? '', ...bytes]
  } catch {
    return bytes
  }
}

/** A secret as it may be written, and what a failure says of how. */
type Form = Readonly<Record<'text' | 'how', string>>

function formsOf(secret: string): readonly Form[] {
  const hex = Buffer.from(secret, 'utf8').toString('hex')
  return [
    { text: secret, how: '' },
    { text: JSON.stringify(secret).slice(1, -1), how: ', escaped as in JSON' },
    ...[
      encodeURIComponent(secret),
      percentEncode(secret),
      new URLSearchParams([[secret, '']]).toString().slice(0, -1),
    ].map((text): Form => ({ text, how: ', percent-encoded' })),
    ...[0, 1, 2].flatMap(offset => base64Forms(secret, offset)),
    { text: hex, how: ', in hexadecimal' },
    { text: hex.toUpperCase(), how: ', in hexadecimal' },
  ]
}

/** Shortest piece of Base64 that is looked for within more of it, in characters: a shorter one would be found by chance. */
const shortestPiece = 6

/** The Base64 characters of a secret that do not depend on what stands around it, where `offset` bytes come before it. */
function base64Forms(secret: string, offset: number): readonly Form[] {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret, 'utf8')])
  const whole = Math.floor((bytes.byteLength * 8) / 6)
  const text = bytes.toString('base64').slice(Math.ceil((offset * 8) / 6), whole)
  const alone = offset === 0 ? [bytes.toString('base64').replace(/=+$/, '')] : []
  const within = text.length < shortestPiece ? [] : [text]
  return [...alone, ...within].flatMap(piece =>
    [piece, piece.replaceAll('+', '-').replaceAll('/', '_')].map(form => ({ text: form, how: ', in Base64' })),
  )
}
