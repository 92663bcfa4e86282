/**
 * Secrets that sign the state which travels through the customer's browser.
 *
 * @module
 */

/** One secret. */
export interface StateSecret {
  /** Names the secret inside the state, in clear; changes when the secret does. */
  readonly id: string
  /** At least 32 bytes. Text counts in UTF-8. Not the control key: a secret of its own. */
  readonly secret: string | Uint8Array
}

/** The first one signs, all of them verify: put a new one in front, and drop the old one a state's lifetime later. */
export type StateSecrets = readonly [StateSecret, ...StateSecret[]] | readonly StateSecret[]

/** RFC 7518 section 3.2: an HS256 key is at least as long as the digest. */
const leastBytes = 32

/**
 * @throws {TypeError} when there is no secret, one is too short, or an id is missing or used twice.
 * @see RFC 7518 section 3.2
 */
export function checkStateSecrets(secrets: StateSecrets): void {
  if (!Array.isArray(secrets) || secrets.length === 0) {
    throw new TypeError('Option "stateSecrets" must be a list of { id, secret }; the first one signs.')
  }
  const ids = new Set<unknown>()
  for (const { id, secret } of secrets as readonly StateSecret[]) {
    if (typeof id !== 'string' || id === '' || ids.has(id)) {
      throw new TypeError('Option "stateSecrets": every secret needs an "id" of its own, text that is not empty.')
    }
    ids.add(id)
    if (stateSecretBytes(secret).length < leastBytes) {
      throw new TypeError(
        `Option "stateSecrets": secret "${id}" is shorter than ${leastBytes} bytes. Make one with ` +
          'node -p "crypto.randomBytes(32).toString(\'base64url\')".',
      )
    }
  }
}

/** The bytes that sign. Anything that is no secret has none. */
export function stateSecretBytes(secret: StateSecret['secret']): Uint8Array {
  if (secret instanceof Uint8Array) return secret
  return new TextEncoder().encode(typeof secret === 'string' ? secret : '')
}
