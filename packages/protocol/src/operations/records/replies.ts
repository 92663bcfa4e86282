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
  /** First six and last four digits around asterisks, wire name `masked-pan` (assumed); else built from `bin` and `lastFourDigits`. */
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

/** The state of an order, or of one request on it. */
export interface StatusResponse extends Reply {
  /** The gateway's status word, wire name `status`. A word that is in no list is possible and never final. */
  readonly status: string
  /** Echo of the request's `byRequestSn`, wire name `by-request-sn`. */
  readonly byRequestSn?: string
  /** Amount in major units, wire name `amount`; may change on the way. */
  readonly amount?: string
  /** Amount at the beginning, in major units, wire name `initial-amount`. */
  readonly initialAmount?: string
  /** ISO 4217 code, wire name `currency`. */
  readonly currency?: string
  /** What the reply is about: sale, preauth, capture, reversal, …, wire name `transaction-type`. */
  readonly transactionType?: string
  /** `<family>_<step>`, wire name `order-stage`. Informational. */
  readonly orderStage?: string
  /** Brand such as `VISA`, wire name `card-type`. */
  readonly cardType?: string
  /** First six digits of the card number, wire name `bin`. */
  readonly bin?: string
  /** Last four digits of the card number, wire name `last-four-digits`. */
  readonly lastFourDigits?: string
  /** Holder of the card, wire name `cardholder-name`. */
  readonly cardholderName?: string
  /** Month of the card's expiry, wire name `card-exp-month`. */
  readonly expireMonth?: string
  /** Year of the card's expiry, wire name `card-exp-year`. */
  readonly expireYear?: string
  /** One per card number, wire name `card-hash-id`. */
  readonly cardHashId?: string
  /** Card reference, where the card is stored, wire name `card-ref-id`. */
  readonly cardRefId?: string
  /** Bank that issued the card, wire name `bank-name`. */
  readonly bankName?: string
  /** First six digits of the receiving card, wire name `dest-bin`. */
  readonly destinationBin?: string
  /** Last four digits of the receiving card, wire name `dest-last-four-digits`. */
  readonly destinationLastFourDigits?: string
  /** Brand of the receiving card, wire name `dest-card-type`. */
  readonly destinationCardType?: string
  /** Bank that issued the receiving card, wire name `dest-bank-name`. */
  readonly destinationBankName?: string
  /** One per number of a receiving card, wire name `destination-hash-id`. */
  readonly destinationCardHashId?: string
  /** Card reference of the receiving card, wire name `destination-card-ref-id`. */
  readonly destinationCardRefId?: string
  /** Country of the bank that issued the card, ISO 3166-1 alpha-3 code, wire name `card-country-alpha-three-code`. */
  readonly cardCountry?: string
  /** Customer's first name, wire name `first-name`. */
  readonly firstName?: string
  /** Customer's last name, wire name `last-name`. */
  readonly lastName?: string
  /** Customer's phone, wire name `phone`. */
  readonly phone?: string
  /** Customer's e-mail, wire name `email`. */
  readonly email?: string
  /** Acquirer's transaction id, wire name `processor-tx-id`. */
  readonly processorTxId?: string
  /** Acquirer's retrieval reference number, wire name `processor-rrn`. */
  readonly processorRrn?: string
  /** Retrieval reference number of the credit, wire name `processor-credit-rrn`. */
  readonly processorCreditRrn?: string
  /** Acquirer reference number of the credit, wire name `processor-credit-arn`. */
  readonly processorCreditArn?: string
  /** Acquirer reference number of the debit, wire name `processor-debit-arn`. */
  readonly processorDebitArn?: string
  /** Authorization code of the credit, wire name `processor-auth-credit-code`. */
  readonly processorAuthCreditCode?: string
  /** Authorization code, wire name `approval-code`. */
  readonly approvalCode?: string
  /** Issuer's answer to the authorization, wire name `auth-response-code`. */
  readonly authResponseCode?: string
  /** Acquirer's terminal, wire name `terminal-id`. */
  readonly terminalId?: string
  /** When the gateway processed it, as text such as `2015-04-09 17:14:26 MSK`, wire name `paynet-processing-date`. */
  readonly processingDate?: string
  /** When the acquirer processed it, as text, wire name `acquirer-processing-date`. */
  readonly acquirerProcessingDate?: string
  /** Text on the card statement, wire name `descriptor`. */
  readonly descriptor?: string
  /** Text on the card statement as the gateway first had it, wire name `original-gate-descriptor`. */
  readonly originalDescriptor?: string
  /** Receipt, wire name `receipt-id`. */
  readonly receiptId?: string
  /** `enabled` or `disabled`, wire name `gate-partial-reversal`. */
  readonly gatePartialReversal?: string
  /** `enabled` or `disabled`, wire name `gate-partial-capture`. */
  readonly gatePartialCapture?: string
  /** `AUTHENTICATED`, `NOT_AUTHENTICATED`, `UNSUPPORTED` or `UNKNOWN`, wire name `verified-3d-status`. */
  readonly verified3dStatus?: string
  /** The same words for the random sum check, wire name `verified-rsc-status`. */
  readonly verifiedRscStatus?: string
  /** Which 3DS step the customer is at, wire name `tds_status`. */
  readonly tdsStatus?: string
  /** Method step: address for the hidden frame, wire name `tds-method-url-frame-3ds-method-url`. */
  readonly tdsMethodUrl?: string
  /**
   * Method step and challenge: transaction id of the 3DS server, wire name `tds-method-url-frame-3ds-server-trans-id` (its end is assumed).
   */
  readonly tdsServerTransId?: string
  /** Challenge: address of the issuer's server, wire name `tds-creq-form-acs-url` (assumed). */
  readonly tdsChallengeUrl?: string
  /** Challenge: CReq to post there, wire name `tds-creq-form-creq` (assumed). */
  readonly tdsCreq?: string
  /** 3DS 1.0.2: address of the issuer's server, wire name `tds-pareq-form-acs-url` (assumed). */
  readonly tdsParesUrl?: string
  /** 3DS 1.0.2: PaReq to post there, wire name `tds-pareq-form-pareq` (assumed). */
  readonly tdsPareq?: string
  /** 3DS 1.0.2: merchant data to post there, wire name `tds-pareq-form-md` (assumed). */
  readonly tdsMd?: string
  /** Page to show the customer when the gateway runs 3DS, wire name `html`. */
  readonly html?: string
  /** Address to send the customer to when the gateway runs 3DS, wire name `redirect-to`. Follow it once. */
  readonly redirectTo?: string
  /** What the bank said, wire name `bank_message`. */
  readonly bankMessage?: string
  /** What a filter said, wire name `filter_message`. */
  readonly filterMessage?: string
  /** What fraud control said, wire name `fraud_message`. */
  readonly fraudMessage?: string
  /** Balance of the customer's loyalty account, wire name `loyalty-balance`. */
  readonly loyaltyBalance?: string
  /** Text of the loyalty program, wire name `loyalty-message`. */
  readonly loyaltyMessage?: string
  /** Bonus that the payment earned, wire name `loyalty-bonus`. */
  readonly loyaltyBonus?: string
  /** Loyalty program, wire name `loyalty-program`. */
  readonly loyaltyProgram?: string
  /** Payment product of the sending side, its code, wire name `ips-src-payment-product-code`. */
  readonly paymentProductCode?: string
  /** Payment product of the sending side, its name, wire name `ips-src-payment-product-name`. */
  readonly paymentProductName?: string
  /** Payment type of the sending side, its code, wire name `ips-src-payment-type-code`. */
  readonly paymentTypeCode?: string
  /** Payment type of the sending side, its name, wire name `ips-src-payment-type-name`. */
  readonly paymentTypeName?: string
  /** Echo of the request's `merchantData`, wire name `merchantdata`. */
  readonly merchantData?: string
}
