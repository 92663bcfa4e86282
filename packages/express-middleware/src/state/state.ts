import { createHmac } from 'node:crypto'
import {
  addressKey,
  aFlag,
  type DocumentStore,
  type KeptPayments,
  type PaymentPlace,
  type Stored,
} from '@tillkit/protocol'
import { storeOption } from '../config/options.js'
import { systemId } from '../config/time.js'
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
  /** The store of your client. Where it is given, short addresses that were kept in it are found. */
  readonly store?: DocumentStore
  /**
   * Where the gateway takes only short addresses: the path holds a reference of 22 characters, and what it stands for is kept in the
   * store. Default: false; the path holds a signed state of some 250 characters and nothing is kept.
   */
  readonly shortAddresses?: boolean
}

/** Checks of those options. */
export const stateKeepingOptions = {
  stateSecrets: stateSecretsOption,
  store: storeOption,
  shortAddresses: aFlag,
} as const

/** How states are kept, and for which client. */
export interface StatePlace extends StateKeeping {
  readonly payments?: PaymentPlace | undefined
}

/** @throws {TypeError} where short addresses are asked for, and there is nowhere to keep them where `customerReturn` finds them. */
export function checkStateKeeping({
  store,
  shortAddresses,
  payments,
}: StateKeeping & { readonly payments?: KeptPayments | undefined }): void {
  if (shortAddresses !== true || (store !== undefined && payments?.store === store)) return
  throw new TypeError(
    'Option "shortAddresses" needs "store", and a client with the same one: what a short address stands for is kept there.',
  )
}

/** What a reference stands for. No personal data. */
interface KeptReference {
  readonly clientOrderId: string
  readonly purpose: StatePurpose
  /** Until when it is fresh, in milliseconds since the epoch. An expired one is still known. */
  readonly expiresAt: number
}

type StateSubject = Omit<SignStateOptions, 'secrets'>

/** Makes the state in the path of a return address, one segment: a JWT, or a reference where the gateway takes only short ones. */
export async function issueState(subject: StateSubject, place: StatePlace): Promise<string> {
  const { stateSecrets, store, shortAddresses, payments } = place
  if (shortAddresses !== true || store === undefined || payments === undefined)
    return signState({ ...subject, secrets: stateSecrets })
  const { clientOrderId, purpose, lifetime, now } = subject
  const reference = referenceTo(subject, stateSecrets)
  await keep(store, addressKey(reference, payments), { clientOrderId, purpose, expiresAt: now + lifetime * 1000 })
  return reference
}

/** Keeps what a reference stands for, and for how long: the later of two wins. */
async function keep(store: DocumentStore, key: string, kept: KeptReference): Promise<void> {
  const entry = { body: JSON.stringify({ v: 1, ...kept }), due: null, list: null }
  let { stored } = await store.read(key)
  for (;;) {
    if (stored !== undefined && readReference(stored).expiresAt >= kept.expiresAt) return
    const written = await store.write(key, entry, { after: stored?.writeId, id: systemId() })
    if (written.kind === 'written') return
    stored = written.current
  }
}

const readReference = ({ body }: Stored): KeptReference => JSON.parse(body)

/** The same order has the same reference. Guessing it takes the secret. */
function referenceTo({ clientOrderId, purpose }: StateSubject, secrets: StateSecrets): string {
  const mac = createHmac('sha256', stateSecretBytes(signingSecret(secrets).secret))
  return mac.update(`${purpose}\n${clientOrderId}`).digest().subarray(0, 16).toString('base64url')
}

/** Reads a state of either kind, so that those under way survive a change from one to the other. */
export async function findState(
  { token, purpose, now }: Omit<ReadStateOptions, 'secrets'>,
  { stateSecrets, store, payments }: StatePlace,
): Promise<ReadState> {
  if (store === undefined || payments === undefined || !isReference(token))
    return readState({ token, purpose, now, secrets: stateSecrets })
  const { stored } = await store.read(addressKey(token, payments))
  if (stored === undefined) return forged('The reference was not kept here.')
  const kept = readReference(stored)
  if (kept.purpose !== purpose) return forged('The reference was made for another purpose.')
  return { kind: now >= kept.expiresAt ? 'expired' : 'fresh', clientOrderId: kept.clientOrderId }
}

/** 128 bits in Base64url. A JWT has dots. */
const isReference = (token: string): boolean => /^[\w-]{22}$/.test(token)
