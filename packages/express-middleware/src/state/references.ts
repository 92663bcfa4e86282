/**
 * References: short stand-ins for the state that travels through the customer's browser, for gateways that take only short
 * addresses.
 *
 * @module
 */
import { boundedMap } from './bounded-map.js'
import type { StatePurpose } from './token.js'

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
 * @param capacity How many are kept; beyond it the oldest one goes. Default: 20000.
 */
export function memoryReferences({ capacity = 20_000 }: { readonly capacity?: number } = {}): ReferenceStore {
  const references = boundedMap<KeptReference>(capacity)
  return {
    put: async (reference, kept) => references.set(reference, kept),
    find: async reference => references.get(reference),
  }
}

/** @throws {TypeError} when a given option is no store of references. */
export function checkOptionalReferences(references: unknown): void {
  if (references === undefined) return
  const { put, find } = (references ?? {}) as Partial<Record<keyof ReferenceStore, unknown>>
  if (typeof put === 'function' && typeof find === 'function') return
  throw new TypeError('Option "references" must have the methods "put" and "find", as memoryReferences() has.')
}
