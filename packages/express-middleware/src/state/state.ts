/**
 * The state in the path of an address that a customer comes back to: a JWT, or a reference where addresses must be short.
 *
 * @module
 */
import { createHmac } from 'node:crypto'
import type { ReferenceStore } from './references.js'
import { type StateSecrets, stateSecretBytes } from './secrets.js'
import { type ReadState, readState, type StatePurpose, signState } from './token.js'

/** How states are made and read. */
export interface StateKeeping {
  /** The first one signs, all of them verify. */
  readonly stateSecrets: StateSecrets
  /**
   * Where the gateway takes only short addresses: the path holds a reference of 22 characters, and what it stands for is
   * kept here. Default: none, the path holds a signed state of some 250 characters and nothing is kept.
   */
  readonly references?: ReferenceStore
}

/** Which order a state is for, and when. */
export interface StateSubject {
  readonly clientOrderId: string
  readonly purpose: StatePurpose
  /** How long it is fresh, in seconds. */
  readonly lifetime: number
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** Makes a state. @returns One path segment. */
export async function issueState(subject: StateSubject, { stateSecrets, references }: StateKeeping): Promise<string> {
  if (references === undefined) return signState({ ...subject, secrets: stateSecrets })
  const { clientOrderId, purpose, lifetime, now } = subject
  const reference = referenceTo(subject, stateSecrets)
  await references.put(reference, { clientOrderId, purpose, expiresAt: now + lifetime * 1000 })
  return reference
}

/** What to look for in the path. */
export interface FindStateOptions {
  readonly token: string
  readonly purpose: StatePurpose
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** Reads a state of either kind, so that those that are under way survive a change from one to the other. */
export async function findState(options: FindStateOptions, keeping: StateKeeping): Promise<ReadState> {
  const { token, purpose, now } = options
  const { references, stateSecrets } = keeping
  if (references === undefined || !isReference(token)) return readState({ token, purpose, now, secrets: stateSecrets })
  const kept = (await references.find(token)) ?? undefined
  if (kept === undefined) return { valid: false, reason: 'The reference is none that was kept.' }
  if (kept.purpose !== purpose) return { valid: false, reason: 'The reference was made for another purpose.' }
  return { valid: true, expired: now >= kept.expiresAt, clientOrderId: kept.clientOrderId }
}

/** 128 bits in Base64url. A JWT has dots. */
const isReference = (token: string): boolean => /^[\w-]{22}$/.test(token)

/** Nobody without the secret can guess it, and the same order has the same one. */
function referenceTo({ clientOrderId, purpose }: StateSubject, [signing]: StateSecrets): string {
  if (signing === undefined) throw new TypeError('There is no state secret to make a reference with.')
  const mac = createHmac('sha256', stateSecretBytes(signing.secret)).update(`${purpose}\n${clientOrderId}`)
  return mac.digest().subarray(0, 16).toString('base64url')
}
