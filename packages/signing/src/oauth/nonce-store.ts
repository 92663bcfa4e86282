/**
 * Remembering nonces, RFC 5849 section 3.3.
 *
 * @module
 */

/** A nonce that was used in a request whose signature is right. */
export interface UsedNonce {
  readonly consumerKey: string
  readonly nonce: string
  /** Seconds since the epoch, as the request says. */
  readonly timestamp: number
}

/** Remembers nonces for at least twice the window of the timestamp. */
export interface NonceStore {
  /** @returns Whether this is the first time: `false` for one seen before with the same consumer key and timestamp. */
  claim(nonce: UsedNonce): boolean | Promise<boolean>
}
