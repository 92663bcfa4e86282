import type { AskedReply, KnownOrder } from '@tillkit/protocol'
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

/** Asks and tells in place of this package: the engine of `@tillkit/till`. */
export interface TellingEngine {
  /** Asks status about an order, and tells what is new. @returns Undefined where the store does not have that order. */
  settle(order: CalledOrder): Promise<AskedOrder | undefined>
  /** Tells everything of a payment that was not told. */
  tell(about: { readonly clientOrderId: string; readonly login: string }): Promise<Told>
}
