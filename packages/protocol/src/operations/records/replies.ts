/**
 * Response records, interface specification section 2. Every value is text: ids keep all their digits.
 *
 * The specification names the records and hardly any of their fields; the fields here are those of the wire profile's
 * `replyFields`, and every one that is not listed is in `raw`.
 *
 * @module
 */

/** A reply as it was read, under its wire names. Not enumerable, so that it is not logged by accident. */
export type RawReply = Readonly<Record<string, string>>

/** What every reply may carry. */
export interface Reply {
  /** Kind of reply, wire name `type`, e.g. `async-response`. */
  readonly type?: string
  /** Id the gateway gave to this request, wire name `serial-number`; `status` takes it as `byRequestSn`. */
  readonly serialNumber?: string
  /** The merchant's order id echoed, wire name `merchant-order-id`. */
  readonly clientOrderId?: string
  /** The gateway's order id, wire name `paynet-order-id`. */
  readonly orderId?: string
  /** The endpoint that took the order, wire name `end-point-id`. */
  readonly endpointId?: string
  /** The gateway's status word, wire name `status`. Absent means processing. */
  readonly status?: string
  /** Code of a failure, wire name `error-code`. No list of codes is public. */
  readonly errorCode?: string
  /** Text of a failure, wire name `error-message`. */
  readonly errorMessage?: string
  /** Every field of the reply under its wire name. Not enumerable. */
  readonly raw: RawReply
}

/** Acknowledges an asynchronous operation: an order exists, its outcome is not known yet. */
export interface AsyncResponse extends Reply {
  /** The gateway's order id, wire name `paynet-order-id`. */
  readonly orderId: string
}

/** Where to send the customer. */
export interface AsyncCheckoutFormRedirect extends Reply {
  /** Address of the hosted form, wire name `redirect-url`. */
  readonly redirectUrl: string
}

/** A card reference made by the v2 operation. */
export interface CardRefAsyncResponse extends Reply {
  /** The card reference, wire name `card-ref-id`; the request field `cardRefId` of rebill and card info. */
  readonly cardRefId: string
  /** One per card number, wire name `unq-card-ref-id`. */
  readonly uniqueCardRefId?: string
}

/** A card reference made by the v4 operation. */
export interface CardRefV4AsyncResponse extends CardRefAsyncResponse {
  /** The card as a subscription, wire name `recurring-payment-id`; what `transfer` names cards by. */
  readonly recurringPaymentId?: string
}

/** A stored card. The specification promises BIN, brand, masked PAN and expiration. */
export interface CardInfoAsyncResponse extends Reply {
  /** First six digits of the card number, wire name `bin`. */
  readonly bin: string
  /** Last four digits of the card number, wire name `last-four-digits`. The specification does not promise them. */
  readonly lastFourDigits?: string
  /**
   * First six and last four digits with asterisks between, wire name `masked-pan` (assumed); built from the two where the
   * gateway sends none.
   */
  readonly maskedPan?: string
  /** Brand such as `VISA`, wire name `card-type` (assumed). */
  readonly brand?: string
  /** 1 to 12, wire name `expire-month`. */
  readonly expireMonth?: string
  /** Four digits, wire name `expire-year`. */
  readonly expireYear?: string
  /** Holder as printed, wire name `card-printed-name`. */
  readonly cardPrintedName?: string
  /** Outcome of 3DS on the order that the card was stored from, wire name `result-3d`. */
  readonly result3d?: string
}

/** A subscription. */
export interface CreateRecurringPaymentResponse extends Reply {
  /** The subscription's id, wire name `recurring-payment-id`. */
  readonly recurringPaymentId: string
}

/** HTTP 400: the request was refused. Carries an order id only when an order exists. */
export interface ValidationErrorResponse extends Reply {}

/** HTTP 500: the gateway failed. Whether it acted is not known. */
export interface ServerErrorResponse extends Reply {}

/** Names of the records that HTTP 200 can carry, and the fields without which a reply is not one. */
export const responseRecords = {
  AsyncResponse: ['orderId'],
  AsyncCheckoutFormRedirect: ['redirectUrl'],
  CardRefAsyncResponse: ['cardRefId'],
  CardRefV4AsyncResponse: ['cardRefId'],
  CardInfoAsyncResponse: ['bin'],
  StatusResponse: ['status'],
  CreateRecurringPaymentResponse: ['recurringPaymentId'],
} as const satisfies Record<string, readonly string[]>

/** Name of a record that HTTP 200 can carry. */
export type ResponseRecordName = keyof typeof responseRecords

/** Name of any record a reply can be read as, the error records included. */
export type ReplyRecordName = ResponseRecordName | 'ValidationErrorResponse' | 'ServerErrorResponse'

/** Fields of a reply that no record has, with their wire names. All of them are required. */
export type OwnReplyFields = { readonly [field: string]: string }
