/**
 * Wire names of reply fields. The specification shows two of them, `card-ref-id` and `recurring-payment-id`.
 *
 * @module
 */

/** Wire name of each reply field, or several where sources differ: the first one present counts. */
export const replyFields = {
  type: ['type'],
  serialNumber: ['serial-number'],
  clientOrderId: ['merchant-order-id'],
  orderId: ['paynet-order-id'],
  endpointId: ['end-point-id'],
  status: ['status'],
  errorCode: ['error-code', 'error_code'],
  errorMessage: ['error-message', 'error_message'],
  redirectUrl: ['redirect-url'],
  cardRefId: ['card-ref-id'],
  uniqueCardRefId: ['unq-card-ref-id'],
  recurringPaymentId: ['recurring-payment-id'],
  bin: ['bin'],
  lastFourDigits: ['last-four-digits'],
  maskedPan: ['masked-pan'],
  brand: ['card-type', 'brand'],
  cardType: ['card-type'],
  expireMonth: ['expire-month', 'card-exp-month'],
  expireYear: ['expire-year', 'card-exp-year'],
  cardPrintedName: ['card-printed-name'],
  result3d: ['result-3d'],
  byRequestSn: ['by-request-sn'],
  amount: ['amount'],
  currency: ['currency'],
  transactionType: ['transaction-type'],
  orderStage: ['order-stage'],
  cardholderName: ['cardholder-name', 'name'],
  approvalCode: ['approval-code'],
  processorRrn: ['processor-rrn'],
  descriptor: ['descriptor'],
  gatePartialReversal: ['gate-partial-reversal'],
  gatePartialCapture: ['gate-partial-capture'],
  tdsStatus: ['tds_status'],
  tdsMethodUrl: ['tds-method-url-frame-3ds-method-url'],
  tdsServerTransId: ['tds-method-url-frame-3ds-server-trans-id'],
  tdsChallengeUrl: ['tds-creq-form-acs-url'],
  tdsCreq: ['tds-creq-form-creq'],
  tdsParesUrl: ['tds-pareq-form-acs-url'],
  tdsPareq: ['tds-pareq-form-pareq'],
  tdsMd: ['tds-pareq-form-md'],
  html: ['html'],
  redirectTo: ['redirect-to'],
  verified3dStatus: ['verified-3d-status'],
  merchantData: ['merchantdata'],
} as const satisfies Record<string, readonly string[]>

/** Name of a reply field. */
export type ReplyField = keyof typeof replyFields

/** Wire names of every reply field. */
export type ReplyFields = { readonly [Field in ReplyField]: readonly string[] }

/** Which of the reply fields each record carries besides those of every reply. */
export const recordFields = {
  AsyncResponse: [],
  AsyncCheckoutFormRedirect: ['redirectUrl'],
  CardRefAsyncResponse: ['cardRefId', 'uniqueCardRefId'],
  CardRefV4AsyncResponse: ['cardRefId', 'uniqueCardRefId', 'recurringPaymentId'],
  CardInfoAsyncResponse: [
    'bin',
    'lastFourDigits',
    'maskedPan',
    'brand',
    'expireMonth',
    'expireYear',
    'cardPrintedName',
    'result3d',
  ],
  StatusResponse: [
    'byRequestSn',
    'amount',
    'currency',
    'transactionType',
    'orderStage',
    'cardType',
    'bin',
    'lastFourDigits',
    'cardholderName',
    'approvalCode',
    'processorRrn',
    'descriptor',
    'gatePartialReversal',
    'gatePartialCapture',
    'tdsStatus',
    'tdsMethodUrl',
    'tdsServerTransId',
    'tdsChallengeUrl',
    'tdsCreq',
    'tdsParesUrl',
    'tdsPareq',
    'tdsMd',
    'html',
    'redirectTo',
    'verified3dStatus',
    'merchantData',
  ],
  CreateRecurringPaymentResponse: ['recurringPaymentId'],
  ValidationErrorResponse: [],
  ServerErrorResponse: [],
} as const satisfies Record<string, readonly ReplyField[]>

/** What every reply may carry. */
export const commonReplyFields = [
  'type',
  'serialNumber',
  'clientOrderId',
  'orderId',
  'endpointId',
  'status',
  'errorCode',
  'errorMessage',
] as const satisfies readonly ReplyField[]
