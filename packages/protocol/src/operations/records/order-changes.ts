import type { Extra, OptionalAmountFields } from './common.js'

/** The two ids of an order. */
export interface OrderIds {
  /** The merchant's id of the original order, at most 128 characters; wire name `client_orderid`. */
  readonly clientOrderId: string
  /** The gateway's id of the original order, at most 20 characters; wire name `orderid`. */
  readonly orderId: string
}

/** Where the outcome of a change goes. */
export interface ChangeCallbackFields {
  /**
   * Absolute address for the outcome of this request, at most 1024 characters; wire name `server_callback_url`.
   * Public pages of these commands do not list it: the client's option of this name is not sent with them.
   */
  readonly serverCallbackUrl?: string
}

/** Settles held funds; the whole unless `amount` and `currency` are given. */
export type CaptureRequest = OrderIds & OptionalAmountFields & ChangeCallbackFields & Extra

/** Releases all that is still held. There is no partial void. */
export interface VoidRequest extends OrderIds, ChangeCallbackFields, Extra {
  /** Reason, at most 50 characters; wire name `comment`. */
  readonly comment?: string
}

/** Gives money back, or releases a hold; the whole unless `amount` and `currency` are given. */
export type ReturnRequest = VoidRequest & OptionalAmountFields

/** What a question about an order carries besides its ids. */
export interface StatusFields extends Extra {
  /** `serialNumber` of the one request that is asked about, no length is public; wire name `by-request-sn`. */
  readonly byRequestSn?: string
}

/** Asks by the merchant's order id, and by the gateway's where it is known. */
export interface StatusByClientOrderIdRequest extends StatusFields {
  /** The merchant's order id, at most 128 characters; wire name `client_orderid`. */
  readonly clientOrderId: string
  /** The gateway's order id, at most 20 characters; leave it out only if it was never received; wire name `orderid`. */
  readonly orderId?: string
}

/** Asks by the gateway's order id alone. */
export interface StatusByOrderIdRequest extends StatusFields {
  /** The gateway's order id, at most 20 characters; wire name `orderid`. */
  readonly orderId: string
  readonly clientOrderId?: never
}

/**
 * Asks for the state of an order, by both of its ids or by one of them. A reply settles something only where both are known.
 *
 * @see Interface specification, section 4, "status"
 */
export type StatusRequest = StatusByClientOrderIdRequest | StatusByOrderIdRequest

/** The two ids of an order, as 3DS uploads write them. */
export interface UploadOrderIds {
  /** The merchant's id of the original order, at most 128 characters; wire name `client-order-id`. */
  readonly clientOrderId: string
  /** The gateway's id of the original order, at most 128 characters; wire name `orderid`. */
  readonly orderId: string
}

/** Sends the CRes that ends a 3DS 2 challenge. */
export interface TdsCResResultRequest extends UploadOrderIds, Extra {
  /** As the issuer's server posted it: Base64 without padding, at most 4096 characters; wire name `cres`. */
  readonly cres: string
}

/** Sends the PaRes of a 3DS 1.0.2 flow. */
export interface TdsPaResResultRequest extends UploadOrderIds, Extra {
  /** As the issuer's server posted it, at most 10240 characters; wire name `paRes`. */
  readonly paRes: string
  /** Merchant data of 3DS 1.0.2, no length is public; wire name `md`. */
  readonly md?: string
}

/** Sends the result of the 3DS 2 method step. */
export interface TdsMethodUrlResultRequest extends UploadOrderIds, Extra {
  /** `Y` completed, `N` not within 10 seconds, `U` no method address, see `threeDSCompInd()`; wire name `threeDSCompInd`. */
  readonly threeDSCompInd: 'Y' | 'N' | 'U'
  /** Transaction id of the 3DS server, 36 characters; wire name `threeDSServerTransID`. */
  readonly threeDSServerTransId?: string
  /** `Accept` header, at most 2048 characters; wire name `browserAcceptHeader`. */
  readonly browserAcceptHeader?: string
  /** Payer's IPv4 or IPv6 address, at most 45 characters; wire name `browserIP`. */
  readonly browserIp?: string
  /** Whether the browser runs Java; wire name `browserJavaEnabled`. */
  readonly browserJavaEnabled?: boolean
  /** Whether the browser runs scripts; wire name `browserJavascriptEnabled`. */
  readonly browserJavascriptEnabled?: boolean
  /** BCP 47 tag, at most 8 characters; wire name `browserLanguage`. */
  readonly browserLanguage?: string
  /** Bits per pixel, at most 2 digits; wire name `browserColorDepth`. */
  readonly browserColorDepth?: string
  /** Height in pixels, no length is public; wire name `browserScreenHeight`. */
  readonly browserScreenHeight?: string
  /** Width in pixels, no length is public; wire name `browserScreenWidth`. */
  readonly browserScreenWidth?: string
  /** Minutes between UTC and local time, no length is public; wire name `browserTZ`. */
  readonly browserTimeZone?: string
  /** `User-Agent` header, no length is public; wire name `browserUserAgent`. */
  readonly browserUserAgent?: string
}
