/**
 * Requests that take payments: sale, preauth, account verification, their hosted forms, and rebill.
 *
 * @module
 */
import type {
  AmountFields,
  BrowserFields,
  CardFields,
  CustomerFields,
  Extra,
  OrderFields,
  ReturnFields,
} from './common.js'

/** Authorization and capture in one request, with card data. @see Interface specification, section 4 */
export interface SaleRequest
  extends OrderFields,
    AmountFields,
    CardFields,
    CustomerFields,
    ReturnFields,
    BrowserFields,
    Extra {
  /** Wire name `destination`, at most 128 characters. */
  readonly destination?: string
}

/** Reserves funds, with card data. */
export interface AuthRequest
  extends OrderFields,
    AmountFields,
    CardFields,
    CustomerFields,
    ReturnFields,
    BrowserFields,
    Extra {}

/** Asks for a hosted page that takes a sale. */
export interface SaleFormRequest extends OrderFields, AmountFields, CustomerFields, ReturnFields, Extra {
  /** The customer's browser comes back here, whatever the outcome; wire name `redirect_url`. */
  readonly redirectUrl: string
}

/** Asks for a hosted page that takes a preauth. */
export interface AuthFormRequest extends OrderFields, AmountFields, CustomerFields, ReturnFields, Extra {
  /** The customer's browser comes back here, whatever the outcome; wire name `redirect_url`. */
  readonly redirectUrl: string
}

/** Asks for the universal hosted page. */
export interface PaymentFormRequest extends OrderFields, AmountFields, CustomerFields, ReturnFields, Extra {
  /** The customer's browser comes back here, whatever the outcome; wire name `redirect_url`. */
  readonly redirectUrl: string
}

/** Confirms that a card is in good standing; takes no amount. */
export interface AccountVerificationRequest
  extends OrderFields,
    CardFields,
    CustomerFields,
    ReturnFields,
    BrowserFields,
    Extra {}

/** Asks for a hosted page that verifies a card. */
export interface AccountVerificationFormRequest extends OrderFields, CustomerFields, ReturnFields, Extra {
  /** The customer's browser comes back here, whatever the outcome; wire name `redirect_url`. */
  readonly redirectUrl: string
}

/** Charges a stored card while its holder is absent. */
export interface RebillRequest extends OrderFields, AmountFields, Extra {
  /** From create-card-ref, at most 20 characters; wire name `cardrefid`. */
  readonly cardRefId: string
  /** Wire name `ipaddress`. */
  readonly ipAddress?: string
  /** Amounts tried in turn until one is approved, joined by commas; wire name `enumerate_amounts`. */
  readonly enumerateAmounts?: string
  /** `REGULAR` or `IRREGULAR`, some acquirers only; wire name `recurrent_scenario`. */
  readonly recurrentScenario?: 'REGULAR' | 'IRREGULAR'
  /** Wire name `cvv2`. */
  readonly cvv2?: string
  /** At most 50 characters; wire name `comment`. */
  readonly comment?: string
  /** Wire name `server_callback_url`. */
  readonly serverCallbackUrl?: string
}
