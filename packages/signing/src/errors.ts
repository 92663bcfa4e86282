/**
 * Errors this package raises on purpose. Narrow with `code`: two copies of a package may be installed.
 *
 * @module
 */

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
