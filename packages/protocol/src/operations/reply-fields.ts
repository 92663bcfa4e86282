import { type Scrubber, type Shown, show } from '../redaction/scrub.js'
import { ownValue } from './fields.js'

/**
 * Each field of a reply: its wire name, or several where sources differ, of which the first one present counts; and how logs show
 * it. Without a word on that it is hidden. The specification shows two of the names, `card-ref-id` and `recurring-payment-id`.
 */
const replyTable = {
  type: [['type'], 'whole'],
  serialNumber: [['serial-number'], 'whole'],
  clientOrderId: [['merchant-order-id'], 'whole'],
  orderId: [['paynet-order-id'], 'whole'],
  endpointId: [['end-point-id'], 'whole'],
  status: [['status'], 'prose'],
  errorCode: [['error-code', 'error_code'], 'prose'],
  errorMessage: [['error-message', 'error_message'], 'prose'],
  redirectUrl: [['redirect-url'], 'origin'],
  cardRefId: [['card-ref-id'], 'whole'],
  uniqueCardRefId: [['unq-card-ref-id']],
  recurringPaymentId: [['recurring-payment-id'], 'whole'],
  bin: [['bin'], 'prose'],
  lastFourDigits: [['last-four-digits'], 'prose'],
  maskedPan: [['masked-pan'], 'card-number'],
  brand: [['card-type', 'brand'], 'prose'],
  cardType: [['card-type'], 'prose'],
  expireMonth: [['expire-month', 'card-exp-month']],
  expireYear: [['expire-year', 'card-exp-year']],
  cardPrintedName: [['card-printed-name']],
  result3d: [['result-3d'], 'whole'],
  byRequestSn: [['by-request-sn'], 'whole'],
  amount: [['amount'], 'whole'],
  initialAmount: [['initial-amount'], 'whole'],
  currency: [['currency'], 'whole'],
  transactionType: [['transaction-type'], 'whole'],
  orderStage: [['order-stage'], 'whole'],
  cardholderName: [['cardholder-name', 'name']],
  approvalCode: [['approval-code'], 'whole'],
  processorRrn: [['processor-rrn'], 'whole'],
  descriptor: [['descriptor'], 'prose'],
  originalDescriptor: [['original-gate-descriptor'], 'prose'],
  gatePartialReversal: [['gate-partial-reversal'], 'whole'],
  gatePartialCapture: [['gate-partial-capture'], 'whole'],
  tdsStatus: [['tds_status'], 'whole'],
  tdsMethodUrl: [['tds-method-url-frame-3ds-method-url']],
  tdsServerTransId: [['tds-method-url-frame-3ds-server-trans-id']],
  tdsChallengeUrl: [['tds-creq-form-acs-url']],
  tdsCreq: [['tds-creq-form-creq']],
  tdsParesUrl: [['tds-pareq-form-acs-url']],
  tdsPareq: [['tds-pareq-form-pareq']],
  tdsMd: [['tds-pareq-form-md']],
  html: [['html']],
  redirectTo: [['redirect-to'], 'origin'],
  verified3dStatus: [['verified-3d-status'], 'whole'],
  cardHashId: [['card-hash-id']],
  bankName: [['bank-name'], 'prose'],
  destinationBin: [['dest-bin'], 'prose'],
  destinationLastFourDigits: [['dest-last-four-digits'], 'prose'],
  destinationCardType: [['dest-card-type'], 'prose'],
  destinationBankName: [['dest-bank-name'], 'prose'],
  destinationCardHashId: [['destination-hash-id']],
  destinationCardRefId: [['destination-card-ref-id'], 'whole'],
  cardCountry: [['card-country-alpha-three-code'], 'prose'],
  firstName: [['first-name']],
  lastName: [['last-name']],
  phone: [['phone']],
  email: [['email'], 'email'],
  processorTxId: [['processor-tx-id'], 'whole'],
  processorCreditRrn: [['processor-credit-rrn'], 'whole'],
  processorCreditArn: [['processor-credit-arn'], 'whole'],
  processorDebitArn: [['processor-debit-arn'], 'whole'],
  processorAuthCreditCode: [['processor-auth-credit-code']],
  authResponseCode: [['auth-response-code'], 'whole'],
  terminalId: [['terminal-id'], 'whole'],
  processingDate: [['paynet-processing-date'], 'prose'],
  acquirerProcessingDate: [['acquirer-processing-date'], 'prose'],
  receiptId: [['receipt-id'], 'whole'],
  verifiedRscStatus: [['verified-rsc-status'], 'whole'],
  bankMessage: [['bank_message'], 'prose'],
  filterMessage: [['filter_message'], 'prose'],
  fraudMessage: [['fraud_message'], 'prose'],
  loyaltyBalance: [['loyalty-balance']],
  loyaltyMessage: [['loyalty-message']],
  loyaltyBonus: [['loyalty-bonus']],
  loyaltyProgram: [['loyalty-program']],
  paymentProductCode: [['ips-src-payment-product-code']],
  paymentProductName: [['ips-src-payment-product-name']],
  paymentTypeCode: [['ips-src-payment-type-code']],
  paymentTypeName: [['ips-src-payment-type-name']],
  merchantData: [['merchantdata']],
} as const satisfies Record<string, ReplyRow>

type ReplyRow = readonly [wireNames: readonly string[], shown?: Shown]

/** Name of a reply field. */
export type ReplyField = keyof typeof replyTable

/** Wire names of every reply field. */
export type ReplyFields = { readonly [Field in ReplyField]: readonly string[] }

/** Wire names of each reply field; the first one present counts. */
export const replyFields = /* @__PURE__ */ Object.fromEntries(
  Object.entries<ReplyRow>(replyTable).map(([field, [names]]) => [field, names]),
) as ReplyFields

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

/** The common fields, and those that no status reply carries. Every other one may be in it. */
const notInStatus: readonly ReplyField[] = [
  ...commonReplyFields,
  'redirectUrl',
  'uniqueCardRefId',
  'recurringPaymentId',
  'maskedPan',
  'brand',
  'cardPrintedName',
  'result3d',
]

/** Which of the reply fields each record carries besides those of every reply. */
export const recordFields: { readonly [Record in ReplyRecordName]: readonly ReplyField[] } = {
  AsyncResponse: [],
  AsyncCheckoutFormRedirect: ['redirectUrl'],
  CardRefAsyncResponse: ['cardRefId', 'uniqueCardRefId'],
  CardRefV4AsyncResponse: ['cardRefId', 'uniqueCardRefId', 'recurringPaymentId'],
  CardInfoAsyncResponse: cardInfoFields,
  StatusResponse: (Object.keys(replyFields) as ReplyField[]).filter(field => !notInStatus.includes(field)),
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

/**
 * Names and values of a reply as they may be seen, repetitions kept.
 *
 * @param input `replyFields` are the wire names of the profile.
 */
export function redactPairs(
  pairs: readonly (readonly [name: string, value: string])[],
  input: { readonly replyFields: Readonly<Record<string, readonly string[]>>; readonly scrubber: Scrubber },
): readonly (readonly [name: string, value: string])[] {
  const { scrubber } = input
  const shown = new Map(
    Object.entries(input.replyFields).flatMap(([field, names]) => {
      const as = ownValue<ReplyRow>(replyTable, field)?.[1]
      return names.map(name => [name, as] as const)
    }),
  )
  return pairs.map(([name, value]) => [scrubber.prose(name), show(value, { as: shown.get(name), scrubber })])
}
