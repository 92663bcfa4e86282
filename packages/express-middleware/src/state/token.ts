/**
 * The state that travels through the customer's browser: a JWT in the path of the return address.
 *
 * The browser's cross-site POST back loses cookies, a path survives. The token says which order the customer comes back
 * for, and nothing else: no personal data, and it is never a login. No type of jose appears in what is exported.
 *
 * @see RFC 7519; RFC 8725 sections 3.1, 3.8 and 3.9 for the pinned algorithm, the audience and the purpose
 * @module
 */
import { isNoId } from '@tillkit/protocol'
import { errors, jwtVerify, SignJWT } from 'jose'
import { type StateSecrets, stateSecretBytes } from './secrets.js'

/** What a state is for. One made for another purpose is refused. */
export type StatePurpose = 'hosted-form' | '3d-secure'

/** What to sign. */
export interface SignStateOptions {
  /** The merchant's order id. */
  readonly clientOrderId: string
  readonly purpose: StatePurpose
  /** The first one signs. */
  readonly secrets: StateSecrets
  /** How long the state is fresh, in seconds. */
  readonly lifetime: number
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** What to read, and with which secrets. */
export interface ReadStateOptions {
  readonly token: string
  readonly purpose: StatePurpose
  /** All of them verify. */
  readonly secrets: StateSecrets
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** A state we signed, fresh or expired, or why it is none. */
export type ReadState =
  | { readonly valid: true; readonly expired: boolean; readonly clientOrderId: string }
  | {
      readonly valid: false
      /** One sentence for the log. */
      readonly reason: string
    }

const algorithm = 'HS256'
const audience = 'tillkit:customer-return'

/** Longest token that is looked at, in characters: the longest order id makes one of less than a thousand. */
const maxTokenLength = 2048

/** Signs a state. @returns A compact JWT: letters, digits, `-`, `_` and `.`, safe as a path segment. */
export function signState(options: SignStateOptions): Promise<string> {
  const { clientOrderId, purpose, secrets, lifetime, now } = options
  const [signing] = secrets
  if (signing === undefined) return Promise.reject(new TypeError('There is no state secret to sign with.'))
  const issuedAt = seconds(now)
  return new SignJWT({ clientOrderId, purpose })
    .setProtectedHeader({ alg: algorithm, kid: signing.id })
    .setAudience(audience)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + lifetime)
    .sign(stateSecretBytes(signing.secret))
}

/**
 * Reads a state. Whatever came gives a verdict, never a throw.
 *
 * Expired is not forged: an expired state still says which order the customer comes back for.
 */
export async function readState({ token, purpose, secrets, now }: ReadStateOptions): Promise<ReadState> {
  if (token.length > maxTokenLength) return { valid: false, reason: `The state is ${token.length} characters long.` }
  const verified = await verify(token, { secrets, now })
  if ('reason' in verified) return { valid: false, reason: verified.reason }
  const { clientOrderId } = verified.claims
  if (verified.claims.purpose !== purpose) return { valid: false, reason: 'The state was signed for another purpose.' }
  if (typeof clientOrderId !== 'string' || isNoId(clientOrderId)) {
    return { valid: false, reason: 'The state names no order.' }
  }
  return { valid: true, expired: verified.expired, clientOrderId }
}

type Claims = Readonly<Record<string, unknown>>

async function verify(token: string, { secrets, now }: Pick<ReadStateOptions, 'secrets' | 'now'>) {
  const keyOf = ({ kid }: { readonly kid?: string }) => {
    const found = secrets.find(({ id }) => id === kid)
    if (found === undefined) throw new errors.JWSInvalid('It names no state secret that we have.')
    return stateSecretBytes(found.secret)
  }
  try {
    const { payload } = await jwtVerify(token, keyOf, {
      algorithms: [algorithm],
      audience,
      requiredClaims: ['clientOrderId', 'purpose', 'iat', 'exp'],
      currentDate: new Date(now),
    })
    return { expired: false, claims: payload as Claims }
  } catch (error) {
    // The signature and every other claim were checked before the expiry.
    if (error instanceof errors.JWTExpired) return { expired: true, claims: error.payload as Claims }
    return { reason: `The state is none of ours: ${error instanceof Error ? error.message : 'it cannot be read'}.` }
  }
}

const seconds = (milliseconds: number): number => Math.floor(milliseconds / 1000)
