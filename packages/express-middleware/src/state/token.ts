/**
 * A JWT in the path of the return address: the cross-site POST that brings the customer back has no cookies. It says which order
 * the customer comes back for, and of a hosted form also for which price it was opened. It is never a login.
 *
 * @see RFC 7519; RFC 8725 sections 3.1, 3.8 and 3.9 for the pinned algorithm, the audience and the purpose
 * @module
 */
import { createHmac } from 'node:crypto'
import { isNoId, type OperationName, type OptionCheck, operations, quote } from '@tillkit/protocol'
import { errors, jwtVerify } from 'jose'
import { type Rejection, refused } from '../config/errors.js'

/** One secret. */
export interface StateSecret {
  /** Names the secret inside the state, in clear; changes when the secret does. */
  readonly id: string
  /** At least 32 bytes. Text counts in UTF-8. Not the control key: a secret of its own. */
  readonly secret: string | Uint8Array
}

/** The first one signs, all of them verify: put a new one in front, and drop the old one a state's lifetime later. */
export type StateSecrets = readonly [StateSecret, ...StateSecret[]] | readonly StateSecret[]

/** Purpose of a state. One made for another purpose is refused. */
export type StatePurpose = 'hosted-form' | '3d-secure' | 'payment-page'

/** The request that a customer comes back from. */
export interface ExpectedPayment {
  /** The operation that opened the form. */
  readonly operation: OperationName
  /** Amount in major units, as it was sent. Absent where the operation has none. */
  readonly amount?: string
  /** ISO 4217 code, with the amount. */
  readonly currency?: string
}

/** A state to sign. */
export interface SignStateOptions {
  /** The merchant's order id. */
  readonly clientOrderId: string
  /** The request that status has to show. `customerReturn` shows `checking` without it. The customer can read it. */
  readonly expected?: ExpectedPayment
  readonly purpose: StatePurpose
  /** The first one signs, all of them verify. */
  readonly secrets: StateSecrets
  /** How long the state is fresh, in seconds. */
  readonly lifetime: number
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** A state to read, and the secrets to read it with. */
export interface ReadStateOptions extends Pick<SignStateOptions, 'purpose' | 'secrets' | 'now'> {
  readonly token: string
}

/** A state that a state secret has signed, or why it is refused. An expired one still says which order it is for. */
export type ReadState =
  | { readonly kind: 'fresh' | 'expired'; readonly clientOrderId: string; readonly expected?: ExpectedPayment }
  | Rejection

const algorithm = 'HS256'
const audience = 'tillkit:customer-return'

/** Longest token that is looked at, in characters: the longest order id makes one of less than a thousand. */
const maxTokenLength = 2048

/**
 * Signs a state.
 *
 * @returns A compact JWT: letters, digits, `-`, `_` and `.`, safe as a path segment.
 * @see RFC 7515 section 3.1; RFC 7518 section 3.2
 */
export function signState({ clientOrderId, expected, purpose, secrets, lifetime, now }: SignStateOptions): string {
  const { id, secret } = signingSecret(secrets)
  const issuedAt = Math.floor(now / 1000)
  const claim = expected === undefined ? {} : { for: claimOf(expected) }
  const claims = { clientOrderId, ...claim, purpose, aud: audience, iat: issuedAt, exp: issuedAt + lifetime }
  const signed = [{ alg: algorithm, kid: id }, claims].map(part => base64url(JSON.stringify(part))).join('.')
  return `${signed}.${createHmac('sha256', stateSecretBytes(secret)).update(signed).digest('base64url')}`
}

/** A list, because every letter of a claim makes the address of the customer longer. */
const claimOf = ({ operation, amount, currency }: ExpectedPayment): readonly string[] =>
  amount === undefined || currency === undefined ? [operation] : [operation, amount, currency]

/** @returns Nothing for a claim that this release does not write. */
function expectedOf(claim: unknown): { readonly expected?: ExpectedPayment } {
  const list: readonly unknown[] = Array.isArray(claim) ? claim : []
  const [operation, amount, currency] = list
  if (typeof operation !== 'string' || !Object.hasOwn(operations, operation)) return {}
  const name = operation as OperationName
  if (list.length === 1) return { expected: { operation: name } }
  if (typeof amount !== 'string' || typeof currency !== 'string') return {}
  return { expected: { operation: name, amount, currency } }
}

const base64url = (text: string): string => Buffer.from(text).toString('base64url')

/** @throws {TypeError} when there is no secret. */
function signingSecret([signing]: StateSecrets): StateSecret {
  if (signing === undefined) throw new TypeError('There is no state secret to sign with.')
  return signing
}

/** Reads a state. Text of any kind gives a result, never a throw. */
export async function readState({ token, purpose, secrets, now }: ReadStateOptions): Promise<ReadState> {
  if (token.length > maxTokenLength) return forged(`The state is ${token.length} characters long.`)
  const verified = await verify(token, { secrets, now })
  if (verified.kind === 'refused') return verified
  const { kind, claims } = verified
  if (claims.purpose !== purpose) return forged('The state was signed for another purpose.')
  if (typeof claims.clientOrderId !== 'string' || isNoId(claims.clientOrderId))
    return forged('The state names no order.')
  return { kind, clientOrderId: claims.clientOrderId, ...expectedOf(claims.for) }
}

/** A state that was not signed by us, with a sentence for the log. */
const forged = (explanation: string): Rejection => refused('forged-state', explanation)

async function verify(
  token: string,
  { secrets, now }: Pick<ReadStateOptions, 'secrets' | 'now'>,
): Promise<{ readonly kind: 'fresh' | 'expired'; readonly claims: Readonly<Record<string, unknown>> } | Rejection> {
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
    return { kind: 'fresh', claims: payload }
  } catch (error) {
    // The signature and every other claim were checked before the expiry.
    if (error instanceof errors.JWTExpired) return { kind: 'expired', claims: error.payload }
    // It names what the sender wrote into the header.
    const why = error instanceof Error ? quote(error.message) : 'it cannot be read'
    return forged(`The state was not signed by us: ${why}.`)
  }
}

/** RFC 7518 section 3.2: an HS256 key is at least as long as the digest. */
const leastBytes = 32

export const stateSecretsOption: OptionCheck = secrets => {
  if (!Array.isArray(secrets) || secrets.length === 0) {
    return '"stateSecrets" must be a list of { id, secret }; the first one signs.'
  }
  const ids = new Set<unknown>()
  for (const { id, secret } of secrets as readonly StateSecret[]) {
    if (typeof id !== 'string' || id === '' || ids.has(id)) {
      return '"stateSecrets": every secret needs an "id" of its own, text that is not empty.'
    }
    ids.add(id)
    if (stateSecretBytes(secret).length < leastBytes) {
      return (
        `"stateSecrets": secret "${id}" is shorter than ${leastBytes} bytes. Make one with ` +
        'node -p "crypto.randomBytes(32).toString(\'base64url\')".'
      )
    }
  }
  return undefined
}

/** The bytes that sign; none where the value is no secret. */
function stateSecretBytes(secret: StateSecret['secret']): Uint8Array {
  if (secret instanceof Uint8Array) return secret
  return new TextEncoder().encode(typeof secret === 'string' ? secret : '')
}
