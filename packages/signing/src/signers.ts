/**
 * Signers: what turns a signature base string into a signature, RFC 5849 sections 3.4.2 and 3.4.3.
 *
 * @module
 */

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
