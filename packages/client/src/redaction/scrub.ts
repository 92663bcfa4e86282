/**
 * Scrubbing: takes the secrets of one request out of text that others wrote, such as the gateway's error message.
 *
 * @module
 */
import { maskCardNumbers, maskNumber } from '@tillkit/protocol'
import { percentEncode } from '@tillkit/signing'
import { withoutBegun, withoutEnd } from '../words/cut-text.js'
import { whenNeeded } from '../words/when-needed.js'
import { hidden } from './redact.js'

/** Takes secrets out of text. */
export interface Scrubber {
  /** For identifiers: takes out the long secrets only. */
  exact(text: string): string
  /** For free text: also whatever looks like a card number, a CVV or an expiry of this request. */
  prose(text: string): string
  /** For free text that breaks off: also a secret of which only the beginning is there. */
  broken(text: string): string
}

/** The secrets of one request that no id may show. */
export interface LongSecrets {
  /** Control key, control value, signature and the like. */
  readonly texts: readonly string[]
  readonly cardNumbers: readonly string[]
}

/** The secrets of one request. */
export interface Secrets extends LongSecrets {
  /** CVV and expiry year: taken out of free text where they stand alone. */
  readonly digits: readonly string[]
  readonly expiry?: { readonly month: string; readonly year: string }
  /** Values that are not shown where they stand, and so not in free text either, as they are or form-encoded. */
  readonly unshown?: () => readonly string[]
}

/** Makes a scrubber for one request. */
export function createScrubber({ texts, cardNumbers, digits, expiry, unshown }: Secrets): Scrubber {
  const secrets = longestFirst(texts)
  const cards = cardNumbers.flatMap(cardMask)
  const exact = (text: string) => cards.reduce((done, mask) => mask(done), hideAll(text, secrets))
  const others = whenNeeded(() => longestFirst((unshown?.() ?? []).flatMap(spellings)))
  const patterns = whenNeeded(() => [
    ...(expiry === undefined ? [] : expiryPatterns(expiry)),
    ...digits.filter(value => /^\d{3,}$/.test(value)).map(value => new RegExp(`(?<!\\d)${value}(?!\\d)`, 'g')),
  ])
  const prose = (text: string) =>
    patterns().reduce((done, pattern) => done.replace(pattern, hidden), maskCardNumbers(hideAll(exact(text), others())))
  return {
    exact,
    prose,
    broken: text => prose(withoutBegun(withoutEnd(text), [...secrets, ...others()])),
  }
}

/** How much of a text is looked at, in characters: far more than is shown, and not whatever a server may send. */
const mostRead = 16_384

/**
 * The beginning of free text that others wrote, as it may be shown. It is scrubbed first and cut then: half a secret would
 * not be recognized.
 *
 * @param most How many characters are shown.
 */
export function excerpt(
  text: string,
  { scrubber, most }: { readonly scrubber: Scrubber; readonly most: number },
): string {
  const read = text.length > mostRead ? scrubber.broken(text.slice(0, mostRead)) : scrubber.prose(text)
  return read.slice(0, most)
}

/** Where the secrets of a request are found. */
export interface SecretsOf<Source> {
  /** Those that are taken out of ids too. */
  long(source: Source): LongSecrets
  /** The rest of the request's secrets. */
  others(source: Source): Omit<Secrets, keyof LongSecrets>
}

/**
 * A scrubber that is made when it is first needed. Most texts are ids, which a port is told of after each call: they are looked
 * at for secrets first, and have none.
 */
export function scrubberWhenNeeded<Source>(source: Source, secretsOf: SecretsOf<Source>): Scrubber {
  return new LateScrubber(source, secretsOf)
}

/** A class, since closures would be made anew for each call: adr/0033. */
class LateScrubber<Source> implements Scrubber {
  private readonly source: Source
  private readonly secretsOf: SecretsOf<Source>
  private long: LongSecrets | undefined = undefined
  private scrubber: Scrubber | undefined = undefined

  constructor(source: Source, secretsOf: SecretsOf<Source>) {
    this.source = source
    this.secretsOf = secretsOf
  }

  exact(text: string): string {
    return mayHold(text, this.longSecrets()) ? this.made().exact(text) : text
  }

  prose(text: string): string {
    return this.made().prose(text)
  }

  broken(text: string): string {
    return this.made().broken(text)
  }

  private longSecrets(): LongSecrets {
    this.long ??= this.secretsOf.long(this.source)
    return this.long
  }

  private made(): Scrubber {
    this.scrubber ??= createScrubber({ ...this.longSecrets(), ...this.secretsOf.others(this.source) })
    return this.scrubber
  }
}

/** Short ones are left alone: hiding every `true` or `DE` would leave nothing to read. */
const longestFirst = (texts: readonly string[]): readonly string[] =>
  texts.filter(isLong).sort((a, b) => b.length - a.length)

const isLong = (text: string): boolean => text.length > 5

const mayHold = (text: string, { texts, cardNumbers }: LongSecrets): boolean =>
  texts.some(secret => isLong(secret) && text.includes(secret)) || cardNumbers.some(number => holdsDigits(text, number))

const hideAll = (text: string, secrets: readonly string[]): string =>
  secrets.reduce((done, secret) => (done.includes(secret) ? done.replaceAll(secret, hidden) : done), text)

const spellings = (value: string): readonly string[] => [
  value,
  percentEncode(value),
  `${new URLSearchParams([['', value]])}`.slice(1),
]

/** Masks a card number however its digits are written. */
function cardMask(number: string): readonly ((text: string) => string)[] {
  const digits = number.replace(/\D/g, '')
  if (digits.length <= 5) return []
  // Few texts hold the digits at all.
  return [text => (holdsDigits(text, digits) ? maskNumber(text, digits) : text)]
}

/** Whether a text has the digits of a number in their order, whatever stands between them. */
function holdsDigits(text: string, number: string): boolean {
  let at = 0
  for (const digit of number) {
    if (digit < '0' || digit > '9') continue
    at = text.indexOf(digit, at) + 1
    if (at === 0) return false
  }
  return true
}

/** `11/2083`, `11/83`, `11 - 83`, `1183` and the like. Every repetition has an end: a server may send any amount of spaces. */
function expiryPatterns({ month, year }: NonNullable<Secrets['expiry']>): readonly RegExp[] {
  if (!/^\d{1,2}$/.test(month) || !/^\d{2,4}$/.test(year)) return []
  const digits = `0?${month.replace(/^0/, '')}`
  return [new RegExp(`(?<!\\d)${digits}\\s{0,3}[/.-]?\\s{0,3}(?:\\d\\d)?${year.slice(-2)}(?!\\d)`, 'g')]
}
