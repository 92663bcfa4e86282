/**
 * Checks of what a request signer is given: a mistake is named before anything is signed.
 *
 * @module
 */
import { InvalidInputError } from '../errors.js'
import { shown } from '../shown.js'
import type { RequestSignerOptions, RequestToSign } from './request-signer.js'

/**
 * Checks what a request signer is made of. An unset setting would otherwise be signed as the word `undefined`.
 *
 * @throws {@link InvalidInputError} naming the option.
 */
export function checkSignerOptions({ consumerKey, signer, realm, token }: RequestSignerOptions): void {
  if (!isFilledText(consumerKey)) throw noText('consumerKey', consumerKey, 'Pass the merchant login.')
  for (const [option, value] of Object.entries({ realm, token })) {
    if (value !== undefined && typeof value !== 'string') throw noText(option, value, 'Leave it out if there is none.')
  }
  if (!isFilledText(signer?.method) || typeof signer.sign !== 'function') {
    throw new InvalidInputError(
      'signer',
      '"signer" has no "method" or no "sign". Pass what hmacSha1Signer or rsaSha256Signer returns.',
    )
  }
}

const isFilledText = (value: unknown): boolean => typeof value === 'string' && value !== ''

function noText(option: string, value: unknown, cure: string): InvalidInputError {
  return new InvalidInputError(option, `"${option}" is ${value === '' ? 'empty' : shown(value)}. ${cure}`)
}

/**
 * Checks what is new in every request.
 *
 * @throws {@link InvalidInputError} when the timestamp is no whole number of seconds, or the nonce is missing.
 */
export function checkFreshness({ timestamp, nonce }: Pick<RequestToSign, 'timestamp' | 'nonce'>): void {
  if (!Number.isSafeInteger(timestamp) || timestamp <= 0 || timestamp > 99_999_999_999) {
    throw new InvalidInputError(
      'timestamp',
      `"timestamp" is ${String(timestamp)}; it must be whole seconds since the epoch. From milliseconds write ` +
        'Math.floor(milliseconds / 1000).',
    )
  }
  if (!isFilledText(nonce)) throw noText('nonce', nonce, 'Pass text that is new for every request.')
}
