import { type ControlKeys, labelControlKeys, labelOf } from '../control/value.js'
import { type ParametersInput, pairsOf } from '../encoding.js'
import { InvalidInputError, InvalidKeyError, quoted, type Refused, refuse } from '../errors.js'
import { type KeyObject, nodeCrypto } from '../keys/node-crypto.js'
import { rsaBits } from '../keys/public-key.js'
import type { HmacKeyEncoding } from '../profile.js'
import { gatherParameters, misplacedOauth, signatureBaseString } from './base-string.js'
import { type AuthorizationRefusal, parseAuthorizationHeader, readProtocolParameters } from './received-header.js'
import { hmacSha1Signer, type SignatureMethod } from './signers.js'

/** Keys a signature may be made with. A method without keys is refused, so give those of the operation's scheme only. */
export interface VerificationKeys {
  /** Control keys, for HMAC-SHA1. */
  readonly hmacSecrets?: ControlKeys
  /** Secret of the request's `oauth_token`, for HMAC-SHA1. Default: empty, as the gateway has no tokens. */
  readonly tokenSecret?: string
  /** How the key of HMAC-SHA1 is joined. Default: `as-is`, as for `hmacSha1Signer`. */
  readonly keyEncoding?: HmacKeyEncoding
  /** Public keys, for RSA-SHA256: what `importPublicKey` returns, with a label if you like. */
  readonly publicKeys?: readonly { readonly label?: string | undefined; readonly key: KeyObject }[]
}

/** How fresh a request must be. The specification shows neither a clock difference nor a nonce window. */
export interface VerificationPolicy {
  /** Seconds since the epoch. */
  readonly now: number
  /**
   * How far the request's timestamp may be from `now` in either direction, in seconds. There is no default; the profile of
   * `@tillkit/protocol` assumes 300 (`oauthWindow`).
   */
  readonly windowSeconds: number
  /** Default: nonces are not remembered, so a request can be replayed within the window. */
  readonly nonces?: NonceStore
  /** Accepts a header without `oauth_version`, as RFC 5849 section 3.1 does. Default: refused, section 5.2. */
  readonly versionOptional?: boolean
}

/** A request to verify. */
export interface VerifyAuthorizationOptions {
  readonly method: string
  /** The address as the signer saw it: behind a proxy, the public one. */
  readonly url: URL
  /** Parameters of the form body, decoded. */
  readonly parameters: ParametersInput
  /** Value of the `Authorization` header. */
  readonly authorization: string | undefined
  readonly keys: VerificationKeys
  readonly policy: VerificationPolicy
}

/** The verdict on a signed request. Explanations are for your log, not for the sender. */
export type AuthorizationVerification =
  | {
      readonly kind: 'verified'
      /** The merchant login that signed. Which keys belong to it is yours to decide. */
      readonly consumerKey: string
      readonly method: SignatureMethod
      readonly keyLabel: string
      /** Seconds since the epoch. */
      readonly timestamp: number
      readonly nonce: string
      /** Value of `oauth_token`, where the request has one. */
      readonly token?: string
    }
  | Refused<AuthorizationRefusal>

/**
 * Verifies the signature of a request in constant time. What the sender got wrong gives a refusal, never a throw.
 *
 * The nonce is claimed only after the signature is right, so that a forger cannot use up nonces. Of a stale timestamp the
 * explanation says whether the signature is right as well.
 *
 * @throws {@link InvalidKeyError} when your own keys are unusable. An error of the nonce store is passed on.
 * @see RFC 5849 section 3.2; interface specification sections 5.2 and 5.3
 */
export async function verifyAuthorization(options: VerifyAuthorizationOptions): Promise<AuthorizationVerification> {
  const { keys, policy } = options
  const read = readRequest(options)
  if (read.kind === 'refused') return read
  const { consumerKey, nonce, timestamp, method, token, signature } = read.protocol
  const matched = matchingKey(method, signature, read.baseString, keys)
  const age = Math.abs(policy.now - timestamp)
  if (!(age <= policy.windowSeconds)) {
    const judgement = matched.kind === 'refused' ? matched.explanation : 'The signature is right.'
    return refuse(
      'stale-timestamp',
      `The timestamp ${timestamp} is ${age} s from our clock, ${policy.now}; ${policy.windowSeconds} s are allowed. ${judgement}`,
    )
  }
  if (matched.kind === 'refused') return matched
  if (policy.nonces !== undefined && !(await policy.nonces.claim({ consumerKey, nonce, timestamp }))) {
    return refuse('repeated-nonce', `The nonce ${quoted(nonce)} was used before: this request is a replay.`)
  }
  return { ...matched, consumerKey, method, timestamp, nonce, ...(token === undefined ? {} : { token }) }
}

function readRequest(options: VerifyAuthorizationOptions) {
  const { method, url, parameters, authorization, policy } = options
  if (!authorization) return refuse('missing-header', 'There is no Authorization header.')
  const header = parseAuthorizationHeader(authorization)
  if (header === undefined) {
    return refuse('malformed-header', 'The Authorization header is not of the form: OAuth name="value", …')
  }
  const protocol = readProtocolParameters(header.parameters, policy.versionOptional === true)
  if (protocol.kind === 'refused') return protocol
  try {
    const body = pairsOf(parameters)
    const misplaced = misplacedOauth(gatherParameters(url, body))
    if (misplaced !== undefined) {
      return refuse('oauth-outside-header', `${quoted(misplaced)} is outside the Authorization header.`)
    }
    const all = [...body, ...header.parameters]
    return { kind: 'read', protocol, baseString: signatureBaseString({ method, url, parameters: all }) } as const
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error
    return refuse('unreadable-request', `The request cannot be normalized. ${error.message}`)
  }
}

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

/** Finds the key a signature was made with. Every key is tried, in constant time each. */
function matchingKey(method: SignatureMethod, signature: Buffer, baseString: string, keys: VerificationKeys) {
  const known = method === 'HMAC-SHA1' ? knownSecrets(keys) : knownPublicKeys(keys)
  if (known.length === 0) {
    return refuse('unsupported-method', `${method} is not accepted here: there is no key for it.`)
  }
  const data = Buffer.from(baseString)
  const [matched] = known.filter(({ verifies }) => verifies(data, signature))
  if (matched !== undefined) return { kind: 'verified', keyLabel: matched.label } as const
  return refuse('mismatch', `The ${method} signature does not match: compare base strings first.`)
}

interface KnownKey {
  readonly label: string
  readonly verifies: (data: Buffer, signature: Buffer) => boolean
}

function knownSecrets({ hmacSecrets, tokenSecret, keyEncoding }: VerificationKeys): KnownKey[] {
  if (hmacSecrets === undefined) return []
  const more = { ...(tokenSecret && { tokenSecret }), ...(keyEncoding && { keyEncoding }) }
  return labelControlKeys(hmacSecrets).map(({ label, key }) => {
    const signer = hmacSha1Signer({ consumerSecret: key, ...more })
    const verifies = (data: Buffer, signature: Buffer): boolean => {
      const made = signer.sign(data)
      return made.length === signature.length && nodeCrypto().timingSafeEqual(made, signature)
    }
    return { label, verifies }
  })
}

const knownPublicKeys = ({ publicKeys = [] }: VerificationKeys): KnownKey[] =>
  publicKeys.map((entry, index) => {
    const key = usable(entry?.key, index)
    const verifies = (data: Buffer, signature: Buffer) => nodeCrypto().verify('sha256', data, key, signature)
    return { label: labelOf(entry, index), verifies }
  })

function usable(key: KeyObject | undefined, index: number): KeyObject {
  if (key instanceof nodeCrypto().KeyObject && rsaBits(key) > 0) return key
  throw new InvalidKeyError(`"publicKeys[${index}]" has no key. Write publicKeys: [importPublicKey(pem)].`)
}
