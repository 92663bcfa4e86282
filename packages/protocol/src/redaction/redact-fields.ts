import { hidden, maskCardNumber } from './mask-card-number.js'
import type { Scrubber } from './scrub.js'

/** How a value is shown. */
export type Shown = 'whole' | 'prose' | 'origin' | 'card-number' | 'email' | 'last-four'

/** How each field of requests is shown. A field that is not in it is hidden. */
export const shownRequestFields: Readonly<Record<string, Shown>> = {
  creditCardNumber: 'card-number',
  destinationCardNo: 'card-number',
  sendingCardNumber: 'card-number',
  login: 'whole',
  clientOrderId: 'whole',
  orderId: 'whole',
  orderDesc: 'prose',
  amount: 'whole',
  currency: 'whole',
  email: 'email',
  country: 'whole',
  redirectUrl: 'origin',
  redirectSuccessUrl: 'origin',
  redirectFailUrl: 'origin',
  serverCallbackUrl: 'origin',
  notifyUrl: 'origin',
  siteUrl: 'origin',
  purpose: 'prose',
  comment: 'prose',
  customerBrowserInfo: 'whole',
  cardRefId: 'whole',
  destinationCardRefId: 'whole',
  sendingCardRefId: 'whole',
  cardRecurringPaymentId: 'whole',
  destinationCardRecurringPaymentId: 'whole',
  enumerateAmounts: 'whole',
  recurrentScenario: 'whole',
  recurrentInitiator: 'whole',
  byRequestSn: 'whole',
  threeDSCompInd: 'whole',
  threeDSServerTransId: 'whole',
  rpCardType: 'whole',
  period: 'whole',
  interval: 'whole',
  amountFrom: 'whole',
  amountTo: 'whole',
  amountSequence: 'whole',
  accountNumber: 'last-four',
  bankName: 'whole',
  deposit2card: 'whole',
}

/** The same of replies. */
export const shownReplyFields: Readonly<Record<string, Shown>> = {
  type: 'whole',
  serialNumber: 'whole',
  clientOrderId: 'whole',
  orderId: 'whole',
  endpointId: 'whole',
  status: 'prose',
  errorCode: 'prose',
  errorMessage: 'prose',
  redirectUrl: 'origin',
  redirectTo: 'origin',
  cardRefId: 'whole',
  recurringPaymentId: 'whole',
  bin: 'prose',
  lastFourDigits: 'prose',
  maskedPan: 'card-number',
  brand: 'prose',
  cardType: 'prose',
  result3d: 'whole',
  byRequestSn: 'whole',
  amount: 'whole',
  initialAmount: 'whole',
  currency: 'whole',
  transactionType: 'whole',
  orderStage: 'whole',
  approvalCode: 'whole',
  processorRrn: 'whole',
  descriptor: 'prose',
  originalDescriptor: 'prose',
  cardCountry: 'prose',
  gatePartialReversal: 'whole',
  gatePartialCapture: 'whole',
  tdsStatus: 'whole',
  verified3dStatus: 'whole',
  verifiedRscStatus: 'whole',
  bankName: 'prose',
  destinationBin: 'prose',
  destinationLastFourDigits: 'prose',
  destinationCardType: 'prose',
  destinationBankName: 'prose',
  destinationCardRefId: 'whole',
  email: 'email',
  processorTxId: 'whole',
  processorCreditRrn: 'whole',
  processorCreditArn: 'whole',
  processorDebitArn: 'whole',
  authResponseCode: 'whole',
  terminalId: 'whole',
  processingDate: 'prose',
  acquirerProcessingDate: 'prose',
  receiptId: 'whole',
  bankMessage: 'prose',
  filterMessage: 'prose',
  fraudMessage: 'prose',
}

/** The text of a form field. */
export interface FieldText {
  /** The field of the request record that it is redacted as. `undefined` is hidden. */
  readonly shownAs: string | undefined
  readonly value: string
}

/** The value of one form field as it may be seen. Fields that are not on the list are hidden, `extra` among them. */
export function redactField({ shownAs, value }: FieldText, scrubber: Scrubber): string {
  return show(value, { as: shownAs === undefined ? undefined : ownValue(shownRequestFields, shownAs), scrubber })
}

/** What replies are redacted with. */
export interface ReplyRedaction {
  /** Wire names by the fields of replies: those of the profile. */
  readonly replyFields: Readonly<Record<string, readonly string[]>>
  readonly scrubber: Scrubber
}

/** Names and values of a reply as they may be seen, repetitions kept. */
export function redactPairs(
  pairs: readonly (readonly [name: string, value: string])[],
  { replyFields, scrubber }: ReplyRedaction,
): readonly (readonly [name: string, value: string])[] {
  const shown = new Map(
    Object.entries(replyFields).flatMap(([field, names]) =>
      names.map(name => [name, ownValue(shownReplyFields, field)] as const),
    ),
  )
  return pairs.map(([name, value]) => [scrubber.prose(name), show(value, { as: shown.get(name), scrubber })])
}

function show(
  value: string,
  { as, scrubber }: { readonly as: Shown | undefined; readonly scrubber: Scrubber },
): string {
  switch (as) {
    case 'whole':
      return scrubber.exact(value)
    case 'prose':
      return scrubber.prose(value)
    case 'card-number':
      return maskCardNumber(value)
    case 'email':
      return value.includes('@') ? scrubber.exact(value.replace(/^(.?).*(@.*)$/s, `$1${hidden}$2`)) : hidden
    case 'last-four':
      return `${hidden}${value.length > 8 ? value.slice(-4) : ''}`
    case 'origin':
      // The rest of an address may carry a token, and with it anyone could act as the customer.
      return URL.canParse(value) ? `${new URL(value).origin}/${hidden}` : hidden
    case undefined:
      return hidden
  }
}

function ownValue(table: Readonly<Record<string, Shown>>, name: string): Shown | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}
