/**
 * How far a customer has got with 3DS: what was handed over already, and when the 3DS method began.
 *
 * @module
 */
import { boundedMap } from '../state/bounded-map.js'

/** Progress of one order. Plain JSON, no card data. */
export interface ThreeDSecureProgress {
  /** Steps that were handed over or whose result was uploaded. */
  readonly done: readonly string[]
  /** The latest 3DS method. Times are in milliseconds since the epoch. */
  readonly method?: {
    /** Transaction id of the 3DS server. */
    readonly id: string
    /** When its hidden frame was shown. */
    readonly startedAt: number
    /** When the bank notified us through that frame. */
    readonly notifiedAt?: number
  }
}

/**
 * Keeps progress by the merchant's order id. With several processes keep it where all of them see it, for about a day; the
 * last one to save wins.
 */
export interface ThreeDSecureStore {
  find(clientOrderId: string): Promise<ThreeDSecureProgress | undefined>
  save(clientOrderId: string, progress: ThreeDSecureProgress): Promise<void>
}

/**
 * Progress in memory: for one process, and forgotten when it stops.
 *
 * @param capacity How many orders are remembered; beyond it the oldest one goes. Default: 20000.
 */
export function memoryProgress({ capacity = 20_000 }: { readonly capacity?: number } = {}): ThreeDSecureStore {
  const orders = boundedMap<ThreeDSecureProgress>(capacity)
  return {
    find: async clientOrderId => orders.get(clientOrderId),
    save: async (clientOrderId, progress) => orders.set(clientOrderId, progress),
  }
}
