import type { AskedReply, AskedSettlement, KnownOrder, Order } from '@tillkit/protocol'
import type { Signed } from './divisions.js'

/** A status reply, and when it was asked for, in milliseconds of this process's clock. */
export interface Answered extends Omit<AskedReply, 'age'> {
  readonly askedAt: number
}

/** The end of telling one outcome. `failed`: the handler threw, or the store did not take its writes; it is told again later. */
export type Tried =
  | { readonly kind: 'told' | 'busy' }
  | { readonly kind: 'failed'; readonly cause: unknown /** Of the payment. */; readonly reference: string }

/** The end of telling. `busy`: somebody else tells an outcome of the payment, the handler has outstayed its lease, or this was closed. */
export type Told = (Tried | { readonly kind: 'nothing' }) & {
  /** The order as it was left. */
  readonly order: KnownOrder | undefined
}

/** An order that verified callbacks are about. */
export interface CalledOrder {
  readonly login: string
  readonly clientOrderId: string
  /** The gateway's order id; empty where it is not known. */
  readonly orderId: string
  /** The callbacks that this process still has to answer. Absent: there is none. */
  readonly callbacks?: readonly SignedAndUnsigned[] | undefined
}

/** The items of a verified callback. Anyone may have written those that are not signed. */
export interface SignedAndUnsigned {
  readonly signed: Signed
  readonly unsigned: Readonly<Record<string, string>>
}

/** The end of asking about an order, and of telling what was not told. */
export interface AskedOrder {
  /** The order as it was before, with the id that the gateway knows it by. */
  readonly order: KnownOrder
  readonly told: Told
  /** The status replies that are about the order. */
  readonly replies: readonly Answered[]
  /** Absent where every question was answered. */
  readonly failure?: { readonly cause: unknown } | undefined
  /** Whether every question was answered, and every answer was about the order. */
  readonly isWhole: boolean
}

/** An order that a customer comes back for, or whose page of 3DS a customer looks at. */
export interface VisitQuestion {
  readonly clientOrderId: string
  /** Whether a settlement that settles nothing is worth stopping for. Default: never. */
  readonly until?: ((settlement: AskedSettlement) => boolean) | undefined
  /** Called where the store does not have the order, for one of the visits that ask together. */
  readonly onUnknown: () => void
}

/** How often status is asked for a visit. */
export interface VisitPolling {
  /** Most questions. */
  readonly attempts: number
  /** Longest pause between two questions, in milliseconds. */
  readonly interval: number
}

/** The order as the store had it before, and what status says. */
export interface SettledVisit {
  readonly order: Order
  readonly settlement: AskedSettlement
}

/** A visit for which status has been asked. */
export interface VisitedOrder extends SettledVisit {
  /** Resolves once everything was told that was not. */
  readonly told: Promise<Told>
}

/** Asks and tells in place of this package: the engine of `@tillkit/till`. */
export interface TellingEngine {
  /** Asks status about an order, and tells what is new. @returns Undefined where the store does not have that order. */
  settle(order: CalledOrder): Promise<AskedOrder | undefined>
  /** Tells everything of a payment that was not told. */
  tell(about: { readonly clientOrderId: string; readonly login: string }): Promise<Told>
  /**
   * Asks status for a customer who waits, and tells what is new. Absent: this package asks, and `tell` tells.
   *
   * @returns Undefined where nothing is waited for.
   */
  visit?(question: VisitQuestion & VisitPolling & { readonly login: string }): Promise<VisitedOrder | undefined>
}
