import type {
  AmountFields,
  BrowserFields,
  CallbackFields,
  CardFields,
  CardReferenceFields,
  CustomerFields,
  Extra,
  OrderFields,
  ReturnFields,
} from './common.js'
import type { OrderIds } from './order-changes.js'

/** What a sale and a preauth carry besides the card. */
export interface PaymentFields extends OrderFields, AmountFields, CustomerFields, ReturnFields, BrowserFields, Extra {}

/** A sale with card data. */
export interface SaleByCardRequest extends PaymentFields, CardFields {
  readonly cardRefId?: never
}

/** A sale with a stored card. */
export interface SaleByReferenceRequest extends PaymentFields, CardReferenceFields {}

/**
 * Authorization and capture in one request, with card data or with `cardRefId`, never with both.
 *
 * @see Interface specification, section 4, "sale" and "create-card-ref"
 */
export type SaleRequest = SaleByCardRequest | SaleByReferenceRequest

/** A preauth with card data. */
export interface AuthByCardRequest extends SaleByCardRequest {
  /** What is bought, at most 125 characters; wire name `order_desc`. */
  readonly orderDesc?: string
}

/** A preauth with a stored card. */
export interface AuthByReferenceRequest extends SaleByReferenceRequest {
  /** What is bought, at most 125 characters; wire name `order_desc`. */
  readonly orderDesc?: string
}

/** Reserves funds, with card data or with `cardRefId`, never with both. */
export type AuthRequest = AuthByCardRequest | AuthByReferenceRequest

/** What every hosted form that takes a card may carry. The page itself asks for the card. */
export interface CardFormFields extends OrderFields, CustomerFields, ReturnFields, BrowserFields, Extra {
  readonly redirectUrl: string
}

/** Asks for a hosted page that takes a sale. */
export interface SaleFormRequest extends CardFormFields, AmountFields {}

/** Asks for a hosted page that takes a preauth. */
export interface AuthFormRequest extends CardFormFields, AmountFields {}

/** Asks for the universal hosted page. Its fields are not shown and taken to be those of the other forms. */
export interface PaymentFormRequest extends CardFormFields, AmountFields {}

/** Confirms that a card is in good standing; takes no amount. */
export interface AccountVerificationRequest
  extends OrderFields,
    CardFields,
    CustomerFields,
    ReturnFields,
    BrowserFields,
    Extra {}

/** Asks for a hosted page that verifies a card. */
export interface AccountVerificationFormRequest extends CardFormFields {}

/** Charges a stored card while its holder is absent. */
export interface RebillRequest extends OrderFields, AmountFields, CallbackFields, Extra {
  /** From create-card-ref, at most 20 characters; wire name `cardrefid`. */
  readonly cardRefId: string
  /** Payer's IPv4 or IPv6 address, at most 45 characters; wire name `ipaddress`. */
  readonly ipAddress?: string
  /** Major units, tried in turn until approved, joined by commas, at most 128 characters; wire name `enumerate_amounts`. */
  readonly enumerateAmounts?: string
  /** Whether the charge is one of a schedule, some acquirers only; wire name `recurrent_scenario`. */
  readonly recurrentScenario?: 'REGULAR' | 'IRREGULAR'
  /** Who asked for the charge, some acquirers only; wire name `recurrent_initiator`. */
  readonly recurrentInitiator?: 'CARDHOLDER' | 'MERCHANT'
  /** Code on the card, 3 or 4 digits; wire name `cvv2`. */
  readonly cvv2?: string
  /** Note, at most 50 characters; wire name `comment`. */
  readonly comment?: string
}

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
    /** Unit of the schedule, e.g. `month`; its values are not shown and no length is public; wire name `period`. */
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
