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
  | {
      /** Charged each time, in major units with exactly the currency's digits, at most 255 characters; wire name `amount`. */
      readonly amount: string
      readonly amountFrom?: never
      readonly amountTo?: never
      readonly amountSequence?: never
    }
  | {
      /** Least of a random charge, in major units, no length is public; wire name `amount-from`. */
      readonly amountFrom: string
      /** Most of a random charge, in major units, no length is public; wire name `amount-to`. */
      readonly amountTo: string
      readonly amount?: never
      readonly amountSequence?: never
    }
  | {
      /** Amounts in major units charged in turn, no length or separator is public; wire name `amount-sequence`. */
      readonly amountSequence: string
      readonly amount?: never
      readonly amountFrom?: never
      readonly amountTo?: never
    }

/**
 * Creates a subscription. Its wire names are hyphenated, unlike those of the card operations. The name of the date on
 * which it ends is not public: ask, and send it in `extra`.
 */
export type RecurringPaymentForCreation = RecurringAmount &
  Extra & {
    /** The merchant's order id, at most 128 characters; wire name `client-orderid`. */
    readonly clientOrderId: string
    /** ISO 4217 code, three capital letters; wire name `currency`. */
    readonly currency: string
    /** `SRC` charges the card, `DST` pays to it; wire name `rp_card_type`. */
    readonly rpCardType: 'SRC' | 'DST'
    /** What is paid for, at most 65536 characters; wire name `order_desc`. */
    readonly orderDesc?: string
    /** Card number, 13 to 19 digits; wire name `credit-card-number`. */
    readonly creditCardNumber: string
    /** Holder as printed, at most 128 characters; wire name `card-printed-name`. */
    readonly cardPrintedName?: string
    /** Month, `1` to `12`, at most 2 digits; wire name `expire-month`. */
    readonly expireMonth?: string
    /** Year, 4 digits; wire name `expire-year`. */
    readonly expireYear?: string
    /** Code on the card, 3 or 4 digits; wire name `cvv2`. */
    readonly cvv2?: string
    /**
     * Unit of the schedule, e.g. `month`, no length is public; wire name `period`. The specification does not show its
     * values.
     */
    readonly period?: string
    /** Periods between two charges, no length is public; wire name `interval`. */
    readonly interval?: string
    /** First name, at most 128 characters; wire name `first-name`. */
    readonly firstName?: string
    /** Last name, at most 128 characters; wire name `last-name`. */
    readonly lastName?: string
    /** Customer's e-mail, at most 128 characters; wire name `email`. */
    readonly email?: string
    /** Street, at most 256 characters; wire name `address1`. */
    readonly address1?: string
    /** City, at most 128 characters; wire name `city`. */
    readonly city?: string
    /** Postal code, at most 10 characters; wire name `zip-code`. */
    readonly zipCode?: string
    /** ISO 3166-1 alpha-2 code, 2 letters; wire name `country`. */
    readonly country?: string
    /** Customer's IPv4 or IPv6 address, no length is public; wire name `customer-ip`. */
    readonly customerIp?: string
  }
