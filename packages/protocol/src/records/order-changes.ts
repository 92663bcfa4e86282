/**
 * Requests about an order that exists: capture, return, void, status and the 3DS uploads.
 *
 * @module
 */
import type { Extra, OptionalAmountFields } from './common.js'

/** The two ids of an order. */
export interface OrderIds {
  /** The merchant's id of the original order; wire name `client_orderid`. */
  readonly clientOrderId: string
  /** The gateway's id of the original order, at most 20 digits; wire name `orderid`. */
  readonly orderId: string
}

/** Settles held funds; the whole unless `amount` and `currency` are given. */
export type CaptureRequest = OrderIds & OptionalAmountFields & Extra

/** Gives money back, or releases a hold; the whole unless `amount` and `currency` are given. */
export type ReturnRequest = OrderIds &
  OptionalAmountFields &
  Extra & {
    /** Reason, at most 50 characters; wire name `comment`. */
    readonly comment?: string
  }

/** Releases a whole hold. There is no partial void. */
export interface VoidRequest extends OrderIds, Extra {
  /** Reason, at most 50 characters; wire name `comment`. */
  readonly comment?: string
}

/** Asks for the state of an order. */
export interface StatusRequest extends Extra {
  /** The merchant's order id; wire name `client_orderid`. */
  readonly clientOrderId: string
  /** The gateway's order id; leave it out only if it was never received; wire name `orderid`. */
  readonly orderId?: string
  /** `serialNumber` of one request on the order: the reply then speaks of that one; wire name `by-request-sn`. */
  readonly byRequestSn?: string
}

/** Sends the CRes that ends a 3DS 2 challenge. */
export interface TdsCResResultRequest extends OrderIds, Extra {
  /** As the issuer's server posted it: Base64 without padding, at most 4096 characters; wire name `cres`. */
  readonly cres: string
}

/** Sends the PaRes of a 3DS 1.0.2 flow. */
export interface TdsPaResResultRequest extends OrderIds, Extra {
  /** As the issuer's server posted it, at most 10240 characters; wire name `paRes`. */
  readonly paRes: string
  /** Merchant data of 3DS 1.0.2; wire name `md`. */
  readonly md?: string
}

/** Sends the result of the 3DS 2 method step. */
export interface TdsMethodUrlResultRequest extends OrderIds, Extra {
  /** `Y` completed, `N` not within 10 seconds, `U` no method address was given. See `threeDSCompInd()`. */
  readonly threeDSCompInd: 'Y' | 'N' | 'U'
  /** Transaction id of the 3DS server, 36 characters; wire name `threeDSServerTransID`. */
  readonly threeDSServerTransId?: string
  /** Wire name `browserAcceptHeader`. */
  readonly browserAcceptHeader?: string
  /** Wire name `browserIP`. */
  readonly browserIp?: string
  /** Wire name `browserJavaEnabled`. */
  readonly browserJavaEnabled?: boolean
  /** Wire name `browserJavascriptEnabled`. */
  readonly browserJavascriptEnabled?: boolean
  /** BCP 47 tag, at most 8 characters; wire name `browserLanguage`. */
  readonly browserLanguage?: string
  /** Bits per pixel; wire name `browserColorDepth`. */
  readonly browserColorDepth?: string
  /** Pixels; wire name `browserScreenHeight`. */
  readonly browserScreenHeight?: string
  /** Pixels; wire name `browserScreenWidth`. */
  readonly browserScreenWidth?: string
  /** Minutes between UTC and local time; wire name `browserTZ`. */
  readonly browserTimeZone?: string
  /** Wire name `browserUserAgent`. */
  readonly browserUserAgent?: string
}
