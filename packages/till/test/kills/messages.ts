/**
 * The messages between the two processes.
 *
 * @module
 */
import type { Payment } from './payments.js'
import type { Blow } from './points.js'

/** The options of a life, as JSON on its command line. */
export interface LifeOptions {
  readonly store:
    | { readonly engine: 'sqlite'; readonly file: string }
    | { readonly engine: 'postgres'; readonly url: string; readonly schema: string }
  readonly gateway: {
    readonly baseUrl: string
    readonly endpointId: string
    readonly login: string
    readonly controlKey: string
  }
  /** The gateway sends callbacks to it. */
  readonly door: string
  /** How long a call may take, in milliseconds. */
  readonly timeout: number
  readonly payments: readonly Payment[]
  readonly blow?: (Blow & { readonly reference: string }) | undefined
  /** A mistake that is planted, to see that it is found. */
  readonly planted?: Planted | undefined
}

/**
 * `early`: the store answers before it has written. `hasty`: a person says that nothing arrived while it is on its way. `forgetful`: unknown is taken for not sent, past the till.
 * `outside`: what the handler does is not in the transaction of the telling.
 */
export type Planted = 'early' | 'hasty' | 'forgetful' | 'outside'

/** A statement of a process that it believes. */
export interface Belief {
  readonly reference: string
  readonly clientOrderId: string
  /** The movement, see `movementKey`. */
  readonly key: string
  /**
   * `accepted`: the call said so; `known`: the store did, when it was to be sent again; `happened` and `no-trace`: status
   * did. `decided`: what a person said is written. `unresolved`: nobody knows what became of it. `unanswered`: the call's own request
   * had no answer; another process may know more by now. `unsettled`: the ending could not be written in time. `status`: what the gateway says of the order. `told`: what the handler was told.
   */
  readonly what:
    | 'accepted'
    | 'known'
    | 'happened'
    | 'no-trace'
    | 'decided'
    | 'unresolved'
    | 'unanswered'
    | 'unsettled'
    | 'status'
    | 'told'
    | 'over'
  readonly word?: string
  readonly stage?: string | undefined
  readonly amount?: string | undefined
}

/** From the process that pays. */
export type Told =
  | { readonly kind: 'step'; readonly context: string; readonly reference: string }
  | { readonly kind: 'belief'; readonly belief: Belief }
  /** It takes callbacks. */
  | { readonly kind: 'listening'; readonly port: number }
  /** It stands at its blow, and goes on when it is answered. */
  | { readonly kind: 'paused' }
  /** Asks a person what became of a movement. */
  | { readonly kind: 'person'; readonly key: string }
  /** Something was not sent, and is tried again. */
  | { readonly kind: 'trouble'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'done' }

/** Its answer. */
export interface Answered {
  readonly id: number
  readonly decision?: 'accepted' | 'not-sent'
  /** The ids that the gateway's books have of what has arrived. */
  readonly serialNumber?: string
  readonly orderId?: string
}
