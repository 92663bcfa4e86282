/**
 * Requests that take payments: sale, preauth, account verification, their hosted forms, and rebill.
 *
 * @module
 */
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
  /**
   * Absolute address that the customer's browser comes back to, whatever the outcome, at most 1024 characters; wire name
   * `redirect_url`.
   */
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
  /**
   * Amounts in major units that are tried in turn until one is approved, joined by commas, at most 128 characters; wire
   * name `enumerate_amounts`.
   */
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
