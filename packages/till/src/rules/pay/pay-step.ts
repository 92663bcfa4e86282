import type { StageName, WireProfile } from '@tillkit/protocol'
import type { KnownOrder } from '../../state/known.js'
import type { OtherAmount } from './standing.js'

/** The payment, hold or verification that a merchant wants. */
export interface PayTerms {
  readonly reference: string
  /** The stage that an order of it begins with. */
  readonly purpose: StageName
  /** Major units; absent for a verification. */
  readonly amount?: string | undefined
  /** ISO 4217 code; absent for a verification. */
  readonly currency?: string | undefined
  /** Login of the account. */
  readonly login: string
  /** Who is to get the money of a payout, such as `account NL91***4300`. Absent: that is not said. */
  readonly recipient?: string | undefined
}

/** The permissions and limits of the merchant. Times are in milliseconds. */
export interface PayRules {
  readonly profile: WireProfile
  /** Whether another order may be opened while the form of one is open, so that both could be paid. */
  readonly replaceOpenForm: boolean
  /** Most orders of one payment. */
  readonly mostOrders: number
}

/** The facts that are known besides the document. */
export interface PayFacts {
  /** The time of the store's clock, in milliseconds. */
  readonly at: number
  /** Orders about which status was asked since the merchant asked for the payment. */
  readonly asked: ReadonlySet<string>
  /** When status was asked about an order in `asked`, in milliseconds of the store's clock: as early as it may have been. Default: `at`. */
  readonly askedAt?: ReadonlyMap<string, number> | undefined
  /**
   * Orders of which nobody could say since then how they stand: status gave no answer, or the process that sends it gave none. Default:
   * none.
   */
  readonly unanswered?: ReadonlySet<string> | undefined
  /** The orders in `asked` of which status showed that a customer has begun to pay. */
  readonly begun: ReadonlySet<string>
  /** Orders that the store refused to open again, since the request for them said something else. */
  readonly differs: ReadonlySet<string>
  /** Orders whose form is at an address that no customer may be sent to any more. Default: none. */
  readonly unreachable?: ReadonlySet<string> | undefined
  /** Whether the store was restored from a backup: the gateway may have orders that it lacks. Default: no. */
  readonly restored?: boolean | undefined
  /** Orders that the gateway has never seen, as it said since the merchant asked for the payment. Needed where the store was restored. */
  readonly absent?: ReadonlySet<string> | undefined
}

/**
 * The next step of a payment.
 *
 * `open`: send the request of this order, which the store may still refuse. `go`: the customer goes on with this order: to
 * `formUrl`, or where there is none through 3DS. `ask`: ask status about these orders, and decide again. `find`: ask
 * status whether the gateway has this order, and decide again. `await-answer`: another process
 * sends the request; decide again when it is answered, at `until` at the latest. `leave`: write down that the payment goes on without
 * this order, and decide again. `wait`: nothing may be sent. `over`: it is paid, held or verified as was asked. The others are errors:
 * nothing may be sent.
 */
export type PayStep =
  | { readonly kind: 'open'; readonly clientOrderId: string }
  | { readonly kind: 'go'; readonly order: KnownOrder; readonly formUrl: string | undefined }
  | { readonly kind: 'ask'; readonly orders: readonly KnownOrder[] }
  | { readonly kind: 'find'; readonly clientOrderId: string }
  | { readonly kind: 'await-answer'; readonly order: KnownOrder; readonly until: number }
  | { readonly kind: 'leave'; readonly order: KnownOrder; readonly why: NonNullable<KnownOrder['left']> }
  | { readonly kind: 'wait'; readonly order: KnownOrder }
  | { readonly kind: 'over'; readonly order: KnownOrder }
  | {
      readonly kind: 'other-payment'
      readonly differs: 'purpose' | 'currency' | 'account'
      readonly was: string
      /** Whether an order of it is not known to have failed: another payment could be paid as well. */
      readonly mayHaveMoney: boolean
    }
  /** `isOpen`: nothing says that the money was sent, or that it was not. */
  | { readonly kind: 'other-recipient'; readonly was: string; readonly isOpen: boolean }
  | OtherAmount
  | { readonly kind: 'payment-over'; readonly why: 'returned' | 'purged' }
  | { readonly kind: 'needs-person'; readonly why: 'disputed' | 'surplus' }
  | { readonly kind: 'other-case'; readonly reference: string }
  /** `mayBePaid`: the payment went on without an order that a customer may pay. */
  | { readonly kind: 'too-many-orders'; readonly mayBePaid: boolean }
