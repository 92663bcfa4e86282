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
  initialAmount: ['initial-amount'],
  currency: ['currency'],
  transactionType: ['transaction-type'],
  orderStage: ['order-stage'],
  cardholderName: ['cardholder-name', 'name'],
  approvalCode: ['approval-code'],
  processorRrn: ['processor-rrn'],
  descriptor: ['descriptor'],
  originalDescriptor: ['original-gate-descriptor'],
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
  cardHashId: ['card-hash-id'],
  bankName: ['bank-name'],
  destinationBin: ['dest-bin'],
  destinationLastFourDigits: ['dest-last-four-digits'],
  destinationCardType: ['dest-card-type'],
  destinationBankName: ['dest-bank-name'],
  destinationCardHashId: ['destination-hash-id'],
  destinationCardRefId: ['destination-card-ref-id'],
  cardCountry: ['card-country-alpha-three-code'],
  firstName: ['first-name'],
  lastName: ['last-name'],
  phone: ['phone'],
  email: ['email'],
  processorTxId: ['processor-tx-id'],
  processorCreditRrn: ['processor-credit-rrn'],
  processorCreditArn: ['processor-credit-arn'],
  processorDebitArn: ['processor-debit-arn'],
  processorAuthCreditCode: ['processor-auth-credit-code'],
  authResponseCode: ['auth-response-code'],
  terminalId: ['terminal-id'],
  processingDate: ['paynet-processing-date'],
  acquirerProcessingDate: ['acquirer-processing-date'],
  receiptId: ['receipt-id'],
  verifiedRscStatus: ['verified-rsc-status'],
  bankMessage: ['bank_message'],
  filterMessage: ['filter_message'],
  fraudMessage: ['fraud_message'],
  loyaltyBalance: ['loyalty-balance'],
  loyaltyMessage: ['loyalty-message'],
  loyaltyBonus: ['loyalty-bonus'],
  loyaltyProgram: ['loyalty-program'],
  paymentProductCode: ['ips-src-payment-product-code'],
  paymentProductName: ['ips-src-payment-product-name'],
  paymentTypeCode: ['ips-src-payment-type-code'],
  paymentTypeName: ['ips-src-payment-type-name'],
  merchantData: ['merchantdata'],
} as const satisfies Record<string, readonly string[]>

/** Name of a reply field. */
export type ReplyField = keyof typeof replyFields

/** Wire names of every reply field. */
export type ReplyFields = { readonly [Field in ReplyField]: readonly string[] }

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

const cardInfoFields = [
  'bin',
  'lastFourDigits',
  'maskedPan',
  'brand',
  'expireMonth',
  'expireYear',
  'cardPrintedName',
  'result3d',
] as const satisfies readonly ReplyField[]

/** Fields that no status reply carries. Every other one may be in it. */
const notInStatus = [
  'redirectUrl',
  'uniqueCardRefId',
  'recurringPaymentId',
  'maskedPan',
  'brand',
  'cardPrintedName',
  'result3d',
] as const satisfies readonly ReplyField[]

const isInStatus = (field: ReplyField): boolean => ![...commonReplyFields, ...notInStatus].some(each => each === field)

/** Which of the reply fields each record carries besides those of every reply. */
export const recordFields: { readonly [Record in ReplyRecordName]: readonly ReplyField[] } = {
  AsyncResponse: [],
  AsyncCheckoutFormRedirect: ['redirectUrl'],
  CardRefAsyncResponse: ['cardRefId', 'uniqueCardRefId'],
  CardRefV4AsyncResponse: ['cardRefId', 'uniqueCardRefId', 'recurringPaymentId'],
  CardInfoAsyncResponse: cardInfoFields,
  StatusResponse: (Object.keys(replyFields) as ReplyField[]).filter(isInStatus),
  CreateRecurringPaymentResponse: ['recurringPaymentId'],
  ValidationErrorResponse: [],
  ServerErrorResponse: [],
}

/** What the reply of get-card-info carries besides those of every reply. */
export type CardInfoField = (typeof cardInfoFields)[number]

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
