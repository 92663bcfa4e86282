import { isWellFormed, percentEncode } from '../encoding.js'
import { InvalidKeyError } from '../errors.js'
import { type KeyObject, nodeCrypto } from '../keys/node-crypto.js'
import type { PrivateKey } from '../keys/private-key.js'
import { refuseUnseen } from '../keys/unseen.js'
import type { HmacKeyEncoding } from '../profile.js'

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

/** A signer whose signature is there at once, so that a header can be made without waiting for a promise. */
export interface SynchronousSigner extends Signer {
  sign(data: Uint8Array): Uint8Array
}

/** What an HMAC-SHA1 signature is made with. */
export interface HmacSecrets {
  /** Merchant control key. */
  readonly consumerSecret: string
  /** Token secret. Default: empty, as the gateway has no tokens. */
  readonly tokenSecret?: string
  /** Default: `as-is`, as the interface has it. RFC 5849, which other services follow, has `percent-encoded`. */
  readonly keyEncoding?: HmacKeyEncoding
}

/**
 * Makes a signer for HMAC-SHA1. Its key is the control key, `&` and the token secret, each as it is (the specification) or
 * percent-encoded (RFC 5849): `keyEncoding` says which. For the usual control key (a UUID) both are the same.
 *
 * @throws {@link InvalidKeyError} when `consumerSecret` is empty, not text or has a character in it that nobody sees, or a secret
 * holds half of a surrogate pair.
 * @see RFC 5849 section 3.4.2; interface specification section 5.2, steps 3 and 4
 */
export function hmacSha1Signer({ consumerSecret, tokenSecret = '', keyEncoding }: HmacSecrets): SynchronousSigner {
  if (typeof consumerSecret !== 'string' || consumerSecret === '') {
    throw new InvalidKeyError('"consumerSecret" is empty or not text. Pass the merchant control key.')
  }
  refuseUnseen('"consumerSecret"', consumerSecret)
  if (typeof tokenSecret !== 'string') {
    throw new InvalidKeyError('"tokenSecret" is not text. Leave it out if there is none.')
  }
  if (!isWellFormed(`${consumerSecret}&${tokenSecret}`)) {
    throw new InvalidKeyError('A secret holds half of a surrogate pair: it has no UTF-8 form.')
  }
  const parts = [consumerSecret, tokenSecret].map(part =>
    keyEncoding === 'percent-encoded' ? percentEncode(part) : part,
  )
  return new HmacSigner(nodeCrypto().createSecretKey(parts.join('&'), 'utf8'))
}

/**
 * A signer that a request signer asks for Base64 of text: copies of both as bytes would take a sixth of the time of a header.
 * It is a class because a copy of it with another `sign` must not be asked for text.
 */
export class HmacSigner implements SynchronousSigner {
  readonly method = 'HMAC-SHA1'
  readonly sign: SynchronousSigner['sign']
  readonly signText: (baseString: string) => string

  constructor(key: KeyObject) {
    const { createHmac } = nodeCrypto()
    this.sign = data => createHmac('sha1', key).update(data).digest()
    this.signText = baseString => createHmac('sha1', key).update(baseString).digest('base64')
    Object.freeze(this)
  }
}

/** Where an RSA signature is computed. */
export interface RsaSignerOptions {
  /**
   * Computes signatures on the thread pool of Node.js: the event loop stays free meanwhile, and several are made at
   * once, on four threads unless `UV_THREADPOOL_SIZE` says otherwise. Default: `false`, at once on the calling thread.
   */
  readonly threadPool?: boolean
}

/**
 * Makes a signer for RSA-SHA256, PKCS#1 v1.5 padding. To sign with a key that never enters the process, write a
 * {@link Signer} of your own instead.
 *
 * @param privateKey A key from `importPrivateKey`.
 * @throws {@link InvalidKeyError} when the key was not imported.
 * @see RFC 8017 section 8.2; interface specification section 5.3
 */
export function rsaSha256Signer(privateKey: PrivateKey, options?: { readonly threadPool?: false }): SynchronousSigner
/** The same, on the calling thread or on the thread pool; a signature may come as a promise. */
export function rsaSha256Signer(privateKey: PrivateKey, options?: RsaSignerOptions): Signer
export function rsaSha256Signer({ key }: PrivateKey, { threadPool = false }: RsaSignerOptions = {}): Signer {
  if (!(key instanceof nodeCrypto().KeyObject)) {
    throw new InvalidKeyError('"privateKey" was not imported. Write rsaSha256Signer(importPrivateKey(pem)).')
  }
  return {
    method: 'RSA-SHA256',
    sign: threadPool ? data => signOnThreadPool(key, data) : data => nodeCrypto().sign('sha256', data, key),
  }
}

const signOnThreadPool = (key: KeyObject, data: Uint8Array): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    nodeCrypto().sign('sha256', data, key, (error, signature) => (error === null ? resolve(signature) : reject(error)))
  })
