import { percentEncode } from '@tillkit/signing'
import { hidden, maskCardNumber, maskCardNumbers, maskNumber, shortMasked } from './mask-card-number.js'

/** Takes the secrets of one request out of text that others wrote, such as the gateway's error message. */
export interface Scrubber {
  /** For identifiers: takes out texts and card numbers only. */
  exact(text: string): string
  /** For free text: also takes out anything that looks like a card number, and a CVV or an expiry of this request. */
  prose(text: string): string
  /** For free text that breaks off: also takes out a secret of which only the beginning is there. */
  broken(text: string): string
}

/** The secrets of one request. */
export interface Secrets {
  /** Control key, control value, signature and the like. Texts of five characters or fewer are left alone. */
  readonly texts?: readonly string[]
  readonly cardNumbers?: readonly string[]
  /** CVV and expiry year: taken out of free text where they stand alone. */
  readonly digits?: readonly string[]
  readonly expiry?: { readonly month: string; readonly year: string }
  /** Values that are hidden in their own field, and so are taken out of free text too, as they are or form-encoded. */
  readonly unshown?: () => readonly string[]
}

/**
 * Makes a scrubber for one request.
 *
 * @param secretsOf Called once, when the first text comes: most requests end well and nothing of them is shown.
 */
export const createScrubber = (secretsOf: () => Secrets): Scrubber => new SecretsScrubber(secretsOf)

/** A class, since closures would be made anew for each request: adr/0033. */
class SecretsScrubber implements Scrubber {
  private readonly secretsOf: () => Secrets
  private secrets: Secrets | undefined = undefined
  private texts: readonly string[] = []
  private unshown: readonly string[] | undefined = undefined
  private patterns: readonly RegExp[] | undefined = undefined

  constructor(secretsOf: () => Secrets) {
    this.secretsOf = secretsOf
  }

  exact(text: string): string {
    const { cardNumbers = [] } = this.read()
    return cardNumbers.reduce(withoutNumber, hideAll(text, this.texts))
  }

  prose(text: string): string {
    const shown = maskCardNumbers(hideAll(this.exact(text), this.readUnshown()))
    this.patterns ??= patternsOf(this.read())
    return this.patterns.reduce((done, pattern) => done.replace(pattern, hidden), shown)
  }

  broken(text: string): string {
    this.read()
    return this.prose(withoutBegun(withoutEnd(text), [...this.texts, ...this.readUnshown()]))
  }

  private read(): Secrets {
    if (this.secrets === undefined) {
      this.secrets = this.secretsOf()
      this.texts = longestFirst(this.secrets.texts ?? [])
    }
    return this.secrets
  }

  private readUnshown(): readonly string[] {
    this.unshown ??= longestFirst((this.read().unshown?.() ?? []).flatMap(spellings))
    return this.unshown
  }
}

/** How much of a text is looked at, in characters: far more than is shown, and not all that a server may send. */
const mostRead = 16_384

/**
 * The beginning of free text that others wrote, as it may be shown. It is scrubbed before it is cut: half a secret would
 * not be recognized. Card numbers are looked for once more afterwards.
 *
 * @param most How many characters are shown.
 */
export function excerpt(
  text: string,
  { scrubber, most }: { readonly scrubber: Scrubber; readonly most: number },
): string {
  const read = text.length > mostRead ? scrubber.broken(text.slice(0, mostRead)) : scrubber.prose(text)
  return shortMasked(read, most)
}

/** Short ones are left alone: if every `true` or `DE` were hidden, nothing would be left to read. */
const longestFirst = (texts: readonly string[]): readonly string[] =>
  texts.filter(text => text.length > 5).sort((a, b) => b.length - a.length)

const hideAll = (text: string, secrets: readonly string[]): string =>
  secrets.reduce((done, secret) => (done.includes(secret) ? done.replaceAll(secret, hidden) : done), text)

const spellings = (value: string): readonly string[] => [
  value,
  percentEncode(value),
  `${new URLSearchParams([['', value]])}`.slice(1),
]

/** Masks a card number however its digits are written. */
function withoutNumber(text: string, number: string): string {
  const digits = number.replace(/\D/g, '')
  // Few texts hold the digits at all.
  return digits.length > 5 && holdsDigits(text, digits) ? maskNumber(text, digits) : text
}

/** Whether a text has these digits in their order, whatever stands between them. */
function holdsDigits(text: string, digits: string): boolean {
  let at = 0
  for (const digit of digits) {
    at = text.indexOf(digit, at) + 1
    if (at === 0) return false
  }
  return true
}

const patternsOf = ({ digits = [], expiry }: Secrets): readonly RegExp[] => [
  ...(expiry === undefined ? [] : expiryPatterns(expiry)),
  ...digits.filter(value => /^\d{3,}$/.test(value)).map(value => new RegExp(`(?<!\\d)${value}(?!\\d)`, 'g')),
]

/** `11/2083`, `11/83`, `11 - 83`, `1183` and the like. Every repetition has a limit: a server may send any amount of spaces. */
function expiryPatterns({ month, year }: NonNullable<Secrets['expiry']>): readonly RegExp[] {
  if (!/^\d{1,2}$/.test(month) || !/^\d{2,4}$/.test(year)) return []
  const digits = `0?${month.replace(/^0/, '')}`
  return [new RegExp(`(?<!\\d)${digits}\\s{0,3}[/.-]?\\s{0,3}(?:\\d\\d)?${year.slice(-2)}(?!\\d)`, 'g')]
}

/**
 * A text that breaks off, without its last word and without the words before it that hold digits or no letter: they may be
 * the beginning of a card number.
 */
function withoutEnd(text: string): string {
  const pieces = text.split(/(\s+)/)
  pieces.pop()
  while (pieces.length > 0 && /\d|^\P{L}*$/u.test(pieces.at(-1) ?? '')) pieces.pop()
  return pieces.join('')
}

/**
 * A text without an ending that only begins one of the secrets, however often: of `… John Smi` and the secret
 * `John Smith` nothing of the name is left.
 */
function withoutBegun(text: string, secrets: readonly string[]): string {
  let left = text.trimEnd()
  for (;;) {
    const begun = Math.max(0, ...secrets.map(secret => begunLength(left, secret)))
    if (begun === 0) return left
    left = left.slice(0, left.length - begun).trimEnd()
  }
}

/** The fewest characters that count as the beginning of a secret. */
const fewest = 4

function begunLength(text: string, secret: string): number {
  for (let length = Math.min(text.length, secret.length); length >= fewest; length -= 1) {
    if (text.endsWith(secret.slice(0, length))) return length
  }
  return 0
}

/** How the value of a field is shown: whole, as free text, by the origin of an address, in part. */
export type Shown = 'whole' | 'prose' | 'origin' | 'card-number' | 'email' | 'last-four'

/** A value as it may be seen. Without a word on how it is shown it is hidden. */
export function show(
  value: string,
  { as, scrubber }: { readonly as: Shown | undefined; readonly scrubber: Scrubber },
): string {
  switch (as) {
    case 'whole':
      return scrubber.exact(value)
    case 'prose':
      return scrubber.prose(value)
    case 'card-number':
      return maskCardNumber(value)
    case 'email':
      return value.includes('@') ? scrubber.exact(value.replace(/^(.?).*(@.*)$/s, `$1${hidden}$2`)) : hidden
    case 'last-four':
      return lastFour(value)
    case 'origin':
      // The rest of an address may carry a token, and with it anyone could act as the customer.
      return URL.canParse(value) ? `${new URL(value).origin}/${hidden}` : hidden
    case undefined:
      return hidden
  }
}

/** The end of an account number or a phone number; of a short one nothing. */
export const lastFour = (value: string): string => `${hidden}${value.length > 8 ? value.slice(-4) : ''}`
