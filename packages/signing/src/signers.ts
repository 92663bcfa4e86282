/**
 * Signers: what turns a signature base string into a signature, RFC 5849 sections 3.4.2 and 3.4.3.
 *
 * @module
 */
import { createHmac, sign } from 'node:crypto'
import { InvalidKeyError } from './errors.js'
import { percentEncode } from './percent-encoding.js'
import type { PrivateKey } from './private-key.js'

/** Value of `oauth_signature_method`. RSA-SHA256 is the gateway's; RFC 5849 itself defines RSA-SHA1 only. */
export type SignatureMethod = 'HMAC-SHA1' | 'RSA-SHA256'

/**
 * Turns the bytes of a signature base string into a signature. It sees nothing else, so a key that lives in a KMS
 * or HSM fits: let `sign` return a promise.
 */
export interface Signer {
  readonly method: SignatureMethod
  /**
   * @param data UTF-8 bytes of the signature base string.
   * @returns The raw signature, not Base64.
   */
  sign(data: Uint8Array): Uint8Array | Promise<Uint8Array>
}

/** What an HMAC-SHA1 signature is made with. */
export interface HmacSecrets {
  /** Merchant control key. */
  readonly consumerSecret: string
  /** Token secret. Default: empty, as the gateway has no tokens. */
  readonly tokenSecret?: string
}

/**
 * Makes a signer for HMAC-SHA1. Its key is the control key, `&` and the token secret, the two percent-encoded as the
 * RFC says; the specification does not mention that, and for the usual control key (a UUID) it changes nothing.
 *
 * @throws {@link InvalidKeyError} when `consumerSecret` is no string or empty.
 * @see RFC 5849 section 3.4.2; interface specification section 5.2, steps 3 and 4
 */
export function hmacSha1Signer({ consumerSecret, tokenSecret = '' }: HmacSecrets): Signer {
  if (typeof consumerSecret !== 'string' || consumerSecret === '') {
    throw new InvalidKeyError(
      '"consumerSecret" is empty: HMAC-SHA1 signs with the merchant control key. Check where it is read from.',
    )
  }
  const key = `${percentEncode(consumerSecret)}&${percentEncode(tokenSecret)}`
  return { method: 'HMAC-SHA1', sign: data => createHmac('sha1', key).update(data).digest() }
}

/**
 * Makes a signer for RSA-SHA256, PKCS#1 v1.5 padding. To sign with a key that never enters the process, write a
 * {@link Signer} of your own instead.
 *
 * @param privateKey A key from `importPrivateKey`.
 * @see RFC 8017 section 8.2; interface specification section 5.3
 */
export function rsaSha256Signer(privateKey: PrivateKey): Signer {
  return { method: 'RSA-SHA256', sign: data => sign('sha256', data, privateKey.key) }
}
