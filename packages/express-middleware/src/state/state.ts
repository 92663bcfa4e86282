import { createHmac } from 'node:crypto'
import { aCount, anObjectWith, checkOptions } from '@tillkit/protocol'
import { boundedMap } from '../config/bounded-map.js'
import {
  forged,
  type ReadState,
  type ReadStateOptions,
  readState,
  type SignStateOptions,
  type StatePurpose,
  type StateSecrets,
  signingSecret,
  signState,
  stateSecretBytes,
  stateSecretsOption,
} from './token.js'

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

/** Checks of those options. */
export const stateKeepingOptions = {
  stateSecrets: stateSecretsOption,
  references: anObjectWith(['put', 'find'], 'memoryReferences()'),
} as const

/** What a reference stands for. No personal data. */
export interface KeptReference {
  readonly clientOrderId: string
  readonly purpose: StatePurpose
  /** Until when it is fresh, in milliseconds since the epoch. An expired one is still known, so keep it longer. */
  readonly expiresAt: number
}

/** Keeps references. A reference that is not found is taken for forged. */
export interface ReferenceStore {
  /** Keeps what a reference stands for; the same reference comes again for the same order. */
  put(reference: string, kept: KeptReference): Promise<void>
  find(reference: string): Promise<KeptReference | undefined>
}

/**
 * References in memory: for one process, and forgotten when it stops.
 *
 * @param options `capacity`: how many are kept; beyond it the oldest one goes. Default: 20000.
 * @throws {TypeError} when the capacity is no count.
 */
export function memoryReferences(options: { readonly capacity?: number } = {}): ReferenceStore {
  checkOptions('memoryReferences', options, { capacity: aCount() })
  const references = boundedMap<KeptReference>(options.capacity ?? 20_000)
  return {
    put: async (reference, kept) => references.set(reference, kept),
    find: async reference => references.get(reference),
  }
}

type StateSubject = Omit<SignStateOptions, 'secrets'>

/** Makes the state in the path of a return address, one segment: a JWT, or a reference where the gateway takes only short ones. */
export async function issueState(subject: StateSubject, { stateSecrets, references }: StateKeeping): Promise<string> {
  if (references === undefined) return signState({ ...subject, secrets: stateSecrets })
  const { clientOrderId, purpose, lifetime, now } = subject
  const reference = referenceTo(subject, stateSecrets)
  await references.put(reference, { clientOrderId, purpose, expiresAt: now + lifetime * 1000 })
  return reference
}

/** The same order has the same reference. Guessing it takes the secret. */
function referenceTo({ clientOrderId, purpose }: StateSubject, secrets: StateSecrets): string {
  const mac = createHmac('sha256', stateSecretBytes(signingSecret(secrets).secret))
  return mac.update(`${purpose}\n${clientOrderId}`).digest().subarray(0, 16).toString('base64url')
}

/** Reads a state of either kind, so that those under way survive a change from one to the other. */
export async function findState(
  { token, purpose, now }: Omit<ReadStateOptions, 'secrets'>,
  { references, stateSecrets }: StateKeeping,
): Promise<ReadState> {
  if (references === undefined || !isReference(token)) return readState({ token, purpose, now, secrets: stateSecrets })
  const kept = (await references.find(token)) ?? undefined
  if (kept === undefined) return forged('The reference was not kept here.')
  if (kept.purpose !== purpose) return forged('The reference was made for another purpose.')
  return { kind: now >= kept.expiresAt ? 'expired' : 'fresh', clientOrderId: kept.clientOrderId }
}

/** 128 bits in Base64url. A JWT has dots. */
const isReference = (token: string): boolean => /^[\w-]{22}$/.test(token)
