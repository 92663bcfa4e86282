/**
 * Requests about stored cards and subscriptions.
 *
 * @module
 */
import type { Extra } from './common.js'
import type { OrderIds } from './order-changes.js'

/** Stores the card of a finished order. */
export interface CreateCardRefRequest extends OrderIds, Extra {}

/** Stores the card of a finished order; signed with RSA-SHA256. */
export interface CreateCardRefV4Request extends OrderIds, Extra {}

/** Asks for BIN, brand, masked PAN and expiration of a stored card. */
export interface GetCardInfoRequest extends Extra {
  /** From create-card-ref, at most 20 characters; wire name `cardrefid`. */
  readonly cardRefId: string
}

/** What a subscription charges each time: one amount, a range, or a sequence. Major units. */
export type RecurringAmount =
  | { readonly amount: string; readonly amountFrom?: never; readonly amountTo?: never; readonly amountSequence?: never }
  | { readonly amountFrom: string; readonly amountTo: string; readonly amount?: never; readonly amountSequence?: never }
  | { readonly amountSequence: string; readonly amount?: never; readonly amountFrom?: never; readonly amountTo?: never }

/** Creates a subscription. Its wire names are hyphenated, unlike those of the card operations. */
export type RecurringPaymentForCreation = RecurringAmount &
  Extra & {
    /** Wire name `client-orderid`, at most 128 characters. */
    readonly clientOrderId: string
    /** ISO 4217 code; wire name `currency`. */
    readonly currency: string
    /** `SRC` charges the card, `DST` pays to it; wire name `rp_card_type`. */
    readonly rpCardType: 'SRC' | 'DST'
    /** Wire name `order_desc`. */
    readonly orderDesc?: string
    /** Wire name `credit-card-number`. */
    readonly creditCardNumber: string
    /** Wire name `card-printed-name`. */
    readonly cardPrintedName?: string
    /** Wire name `expire-month`. */
    readonly expireMonth?: string
    /** Four digits; wire name `expire-year`. */
    readonly expireYear?: string
    /** Wire name `cvv2`. */
    readonly cvv2?: string
    /** Unit of the schedule, e.g. `month`; wire name `period`. The specification does not show its values. */
    readonly period?: string
    /** Periods between two charges; wire name `interval`. */
    readonly interval?: string
    /** Wire name `first-name`. */
    readonly firstName?: string
    /** Wire name `last-name`. */
    readonly lastName?: string
    /** Wire name `email`. */
    readonly email?: string
    /** Wire name `address1`. */
    readonly address1?: string
    /** Wire name `city`. */
    readonly city?: string
    /** Wire name `zip-code`. */
    readonly zipCode?: string
    /** ISO 3166-1 alpha-2; wire name `country`. */
    readonly country?: string
    /** Wire name `customer-ip`. */
    readonly customerIp?: string
  }
