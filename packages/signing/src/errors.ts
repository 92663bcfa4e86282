/** Codes of the errors this package raises. */
export type SigningErrorCode = 'ERR_INVALID_INPUT' | 'ERR_INVALID_KEY'

/** Base of every error this package raises on purpose. Narrow with `code`. */
export abstract class SigningError extends Error {
  abstract readonly code: SigningErrorCode
}

/** A value that cannot be signed as it is. `field` names it. */
export class InvalidInputError extends SigningError {
  override readonly name = 'InvalidInputError'
  override readonly code = 'ERR_INVALID_INPUT'
  /** The field or option at fault. */
  readonly field: string

  constructor(field: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.field = field
  }
}

/** A key that cannot be used. The message never contains key material. */
export class InvalidKeyError extends SigningError {
  override readonly name = 'InvalidKeyError'
  override readonly code = 'ERR_INVALID_KEY'
}

/** Every error of this package, for `switch (error.code)`. */
export type AnySigningError = InvalidInputError | InvalidKeyError

/** A refusal, its reason for programs and its explanation for people. */
export interface Refused<Reason extends string> {
  readonly kind: 'refused'
  readonly reason: Reason
  readonly explanation: string
}

/** Makes a refusal. */
export const refuse = <const Reason extends string>(reason: Reason, explanation: string): Refused<Reason> => ({
  kind: 'refused',
  reason,
  explanation,
})

/** Most characters of a quoted text. */
const mostShown = 64

/**
 * Quotes text for a message: cut to 64 characters and escaped, so that what a sender chose can neither write lines of
 * its own into a log nor steer a terminal.
 */
export const quoted = (text: string): string =>
  `${JSON.stringify(text.slice(0, mostShown)).replace(/[\u007f-\u009f\u2028\u2029]/g, escaped)}${text.length > mostShown ? '…' : ''}`

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Says what a value is: text quoted, `null`, `a list`, `of type number`. Never the value of anything but text. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return quoted(value)
  if (value === null || value === undefined) return String(value)
  return Array.isArray(value) ? 'a list' : `of type ${typeof value}`
}
