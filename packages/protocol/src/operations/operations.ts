/**
 * The operations of the interface, section 4 of the specification, as data. The docstring of a row names the other sections.
 *
 * The first rows, to payoutCheck, are the specification's table; the next four are the endpoints it shows in signing examples only;
 * payout-pay it names without showing. Names and effects of those five are ours, and so are those of rows after them.
 *
 * @module
 */
import { controlItems } from '@tillkit/signing'
import { hyphenatedOrderId } from './fields.js'
import { control, operation } from './operation.js'
import type {
  CaptureRequest,
  ReturnRequest,
  StatusRequest,
  TdsCResResultRequest,
  TdsMethodUrlResultRequest,
  TdsPaResResultRequest,
  VoidRequest,
} from './records/order-changes.js'
import type {
  AccountVerificationFormRequest,
  AccountVerificationRequest,
  AuthFormRequest,
  AuthRequest,
  CreateCardRefRequest,
  CreateCardRefV4Request,
  GetCardInfoRequest,
  PaymentFormRequest,
  RebillRequest,
  RecurringPaymentForCreation,
  SaleFormRequest,
  SaleRequest,
} from './records/payments.js'
import type {
  PanEligibilitySendRequest,
  PayoutCheckRequest,
  PayoutFormRequest,
  PayoutPayRequest,
  PayoutRequest,
  PayoutV4Request,
  TransferByRefRequest,
  TransferRequest,
} from './records/payouts.js'
import type {
  AsyncCheckoutFormRedirect,
  AsyncResponse,
  CardInfoAsyncResponse,
  CardRefAsyncResponse,
  CardRefV4AsyncResponse,
  CreateRecurringPaymentResponse,
  StatusResponse,
} from './records/replies.js'

const card = ['creditCardNumber', 'cardPrintedName', 'expireMonth', 'expireYear', 'cvv2'] as const

/** A sale-by-reference call carries no card, section 4, "create-card-ref". The holder may be asked for the code on it. */
const cardOrReference = [
  { needs: card, without: ['cardRefId'] },
  { needs: ['cardRefId'], without: ['creditCardNumber', 'cardPrintedName', 'expireMonth', 'expireYear'] },
] as const

/** Every operation by the name it has in this library. */
export const operations = {
  /** Sends the CRes from the issuer that ends a 3DS 2 challenge. @see Interface specification, section 5.1 */
  uploadCresResult: operation<TdsCResResultRequest, AsyncResponse>({
    name: 'TDS_UPLOAD_CRES_RESULT',
    path: '/api/3ds/v1/upload-cres-result',
    signing: control(controlItems.uploadCresResult),
    effect: 'changes',
    request: 'TdsCResResultRequest',
    response: 'AsyncResponse',
    required: ['clientOrderId', 'orderId', 'cres'],
    stages: [],
    takes: { amount: false, callback: false },
    whenUnknown: 'order',
    wireNames: hyphenatedOrderId,
  }),
  /**
   * Sends the result of the 3DS 2 method step: `Y`, `N` after ten seconds, or `U`.
   *
   * @see Interface specification, sections 5.1 and 8
   */
  uploadMethodUrlResult: operation<TdsMethodUrlResultRequest, AsyncResponse>({
    name: 'TDS_UPLOAD_METHOD_URL_RESULT',
    path: '/api/3ds/v1/upload-method-url-result',
    signing: control(controlItems.uploadMethodUrlResult),
    effect: 'changes',
    request: 'TdsMethodUrlResultRequest',
    response: 'AsyncResponse',
    required: ['clientOrderId', 'orderId', 'threeDSCompInd'],
    stages: [],
    takes: { amount: false, callback: false },
    whenUnknown: 'order',
    wireNames: hyphenatedOrderId,
  }),
  /** Sends the PaRes of a 3DS 1.0.2 flow. @see Interface specification, section 5.1 */
  uploadParesResult: operation<TdsPaResResultRequest, AsyncResponse>({
    name: 'TDS_UPLOAD_PARES_RESULT',
    path: '/api/3ds/v1/upload-pares-result',
    signing: control(controlItems.uploadParesResult),
    effect: 'changes',
    request: 'TdsPaResResultRequest',
    response: 'AsyncResponse',
    required: ['clientOrderId', 'orderId', 'paRes'],
    stages: [],
    takes: { amount: false, callback: false },
    whenUnknown: 'order',
    wireNames: hyphenatedOrderId,
  }),
  /** Asks for a hosted page that verifies a card without charging it. @see Interface specification, section 5.1 */
  accountVerificationForm: operation<AccountVerificationFormRequest, AsyncCheckoutFormRedirect>({
    name: 'ACCOUNT_VERIFICATION_FORM',
    path: '/api/v2/account-verification-form',
    signing: control(controlItems.accountVerificationForm),
    effect: 'creates',
    request: 'AccountVerificationFormRequest',
    response: 'AsyncCheckoutFormRedirect',
    required: ['clientOrderId', 'email', 'redirectUrl'],
    stages: ['verification'],
    takes: { amount: false, callback: true },
  }),
  /** Confirms with a zero-amount authorization that a card is in good standing. @see Interface specification, section 5.1 */
  accountVerification: operation<AccountVerificationRequest, AsyncResponse>({
    name: 'ACCOUNT_VERIFICATION',
    path: '/api/v2/account-verification',
    signing: control(controlItems.accountVerification),
    effect: 'creates',
    request: 'AccountVerificationRequest',
    response: 'AsyncResponse',
    required: ['clientOrderId', 'email', ...card],
    stages: ['verification'],
    takes: { amount: false, callback: true },
  }),
  /**
   * Settles funds held by `preauth`. Pass `amount` and `currency` for a partial capture.
   *
   * Carries the original order's ids and none of its own: do not send it again when its outcome is unknown.
   *
   * @see Interface specification, sections 3 (rule 1) and 5.1
   */
  capture: operation<CaptureRequest, AsyncResponse>({
    name: 'CAPTURE',
    path: '/api/v2/capture',
    signing: control(controlItems.capture),
    effect: 'changes',
    request: 'CaptureRequest',
    response: 'AsyncResponse',
    required: ['clientOrderId', 'orderId'],
    stages: ['capture'],
    takes: { amount: true, callback: true },
  }),
  /**
   * Stores the card of a finished order and returns a card reference for `makeRebill`, `sale`, `preauth` and `getCardInfo`.
   *
   * @see Interface specification, section 5.1
   */
  createCardRef: operation<CreateCardRefRequest, CardRefAsyncResponse>({
    name: 'CARDREF',
    path: '/api/v2/create-card-ref',
    signing: control(controlItems.createCardRef),
    effect: 'changes',
    request: 'CreateCardRefRequest',
    response: 'CardRefAsyncResponse',
    required: ['clientOrderId', 'orderId'],
    stages: [],
    takes: { amount: false, callback: false },
    whenUnknown: 'repeat',
  }),
  /**
   * Returns BIN, brand, masked PAN and expiration of a stored card.
   *
   * Its authentication is not shown; the wire profile has it.
   */
  getCardInfo: operation<GetCardInfoRequest, CardInfoAsyncResponse>({
    name: 'CARDINFO',
    path: '/api/v2/get-card-info',
    signing: { scheme: 'profile', entry: 'getCardInfo' },
    effect: 'reads',
    request: 'GetCardInfoRequest',
    response: 'CardInfoAsyncResponse',
    required: ['cardRefId'],
    stages: [],
    takes: { amount: false, callback: false },
  }),
  /** Charges a stored card while its holder is absent. @see Interface specification, section 5.1 */
  makeRebill: operation<RebillRequest, AsyncResponse>({
    name: 'REBILL',
    path: '/api/v2/make-rebill',
    signing: control(controlItems.makeRebill),
    effect: 'creates',
    request: 'RebillRequest',
    response: 'AsyncResponse',
    required: ['clientOrderId', 'cardRefId', 'amount', 'currency'],
    stages: ['sale'],
    takes: { amount: true, callback: true },
  }),
  /**
   * Asks for the universal hosted page, where neither `saleForm` nor `preauthForm` fits.
   *
   * Its authentication is not shown; the wire profile has it.
   */
  paymentForm: operation<PaymentFormRequest, AsyncCheckoutFormRedirect>({
    name: 'PAYMENTFORM',
    path: '/api/v2/payment-form',
    signing: { scheme: 'profile', entry: 'paymentForm' },
    effect: 'creates',
    request: 'PaymentFormRequest',
    response: 'AsyncCheckoutFormRedirect',
    required: ['clientOrderId', 'amount', 'currency', 'email', 'redirectUrl'],
    stages: ['sale', 'preauth'],
    takes: { amount: true, callback: true },
  }),
  /**
   * Asks for a hosted page that collects the destination of a payout.
   *
   * Its authentication is not shown; the wire profile has it.
   */
  payoutForm: operation<PayoutFormRequest, AsyncCheckoutFormRedirect>({
    name: 'PAYOUTFORM',
    path: '/api/v2/payout-form',
    signing: { scheme: 'profile', entry: 'payoutForm' },
    effect: 'creates',
    request: 'PayoutFormRequest',
    response: 'AsyncCheckoutFormRedirect',
    required: ['clientOrderId', 'amount', 'currency', 'redirectUrl'],
    stages: ['payout'],
    takes: { amount: true, callback: true },
  }),
  /**
   * Sends funds from the merchant's account to a bank account, a card, an ewallet or a phone number.
   *
   * @see Interface specification, section 5.2
   */
  payout: operation<PayoutRequest, AsyncResponse>({
    name: 'PAYOUT',
    path: '/api/v2/payout',
    signing: { scheme: 'oauth-hmac-sha1' },
    effect: 'creates',
    request: 'PayoutRequest',
    response: 'AsyncResponse',
    required: ['clientOrderId', 'amount', 'currency'],
    stages: ['payout'],
    takes: { amount: true, callback: true },
  }),
  /** Asks for a hosted page that takes a preauth. @see Interface specification, section 5.1 */
  preauthForm: operation<AuthFormRequest, AsyncCheckoutFormRedirect>({
    name: 'PREAUTHFORM',
    path: '/api/v2/preauth-form',
    signing: control(controlItems.preauthForm),
    effect: 'creates',
    request: 'AuthFormRequest',
    response: 'AsyncCheckoutFormRedirect',
    required: ['clientOrderId', 'amount', 'currency', 'email', 'redirectUrl'],
    stages: ['preauth'],
    takes: { amount: true, callback: true },
  }),
  /**
   * Reserves funds on a card, or on a stored one by its `cardRefId`. Settle them with `capture` or release them with the void operation.
   *
   * @see Interface specification, sections 3 (rule 1) and 5.1
   */
  preauth: operation<AuthRequest, AsyncResponse>({
    name: 'PREAUTH',
    path: '/api/v2/preauth',
    signing: control(controlItems.preauth),
    effect: 'creates',
    request: 'AuthRequest',
    response: 'AsyncResponse',
    required: ['clientOrderId', 'amount', 'currency', 'email'],
    oneOf: cardOrReference,
    stages: ['preauth'],
    takes: { amount: true, callback: true },
  }),
  /**
   * Gives money back: a cancel of a preauth, a reversal of a sale or a capture. Pass `amount` and `currency` for a part.
   *
   * Allowed only when the original is in a final successful status. Carries the original order's ids and none of its
   * own: do not send it again when its outcome is unknown.
   *
   * @see Interface specification, sections 3 (rules 3 to 5) and 5.1
   */
  return: operation<ReturnRequest, AsyncResponse>({
    name: 'RETURN',
    path: '/api/v2/return',
    signing: control(controlItems.return),
    effect: 'changes',
    request: 'ReturnRequest',
    response: 'AsyncResponse',
    required: ['clientOrderId', 'orderId'],
    stages: ['cancel', 'reversal'],
    takes: { amount: true, callback: true },
  }),
  /** Asks for a hosted page that takes a sale. @see Interface specification, section 5.1 */
  saleForm: operation<SaleFormRequest, AsyncCheckoutFormRedirect>({
    name: 'SALEFORM',
    path: '/api/v2/sale-form',
    signing: control(controlItems.saleForm),
    effect: 'creates',
    request: 'SaleFormRequest',
    response: 'AsyncCheckoutFormRedirect',
    required: ['clientOrderId', 'amount', 'currency', 'email', 'redirectUrl'],
    stages: ['sale'],
    takes: { amount: true, callback: true },
  }),
  /**
   * Charges a card, or a stored one by its `cardRefId`: authorization and capture in one request.
   *
   * @see Interface specification, sections 3 (rule 6) and 5.1
   */
  sale: operation<SaleRequest, AsyncResponse>({
    name: 'SALE',
    path: '/api/v2/sale',
    signing: control(controlItems.sale),
    effect: 'creates',
    request: 'SaleRequest',
    response: 'AsyncResponse',
    required: ['clientOrderId', 'amount', 'currency', 'email'],
    oneOf: cardOrReference,
    stages: ['sale'],
    takes: { amount: true, callback: true },
  }),
  /**
   * Returns the state of an order, found by either id, or with `byRequestSn` of one request on it. The only source of an outcome.
   *
   * @see Interface specification, section 5.1
   */
  status: operation<StatusRequest, StatusResponse>({
    name: 'STATUS',
    path: '/api/v2/status',
    signing: control(controlItems.status),
    effect: 'reads',
    request: 'StatusRequest',
    response: 'StatusResponse',
    required: [],
    oneOf: [{ needs: ['clientOrderId'] }, { needs: ['orderId'] }],
    stages: [],
    takes: { amount: false, callback: false },
    probe: ['clientOrderId'],
  }),
  /** Releases all that is still held. There is no partial void. @see Interface specification, sections 3 (rule 2) and 5.1 */
  void: operation<VoidRequest, AsyncResponse>({
    name: 'VOID',
    path: '/api/v2/void',
    signing: control(controlItems.void),
    effect: 'changes',
    request: 'VoidRequest',
    response: 'AsyncResponse',
    required: ['clientOrderId', 'orderId'],
    stages: ['void'],
    takes: { amount: false, callback: true },
  }),
  /**
   * Stores the card of a finished order; the same as `createCardRef`, signed with RSA-SHA256.
   *
   * @see Interface specification, section 5.3
   */
  createCardRefV4: operation<CreateCardRefV4Request, CardRefV4AsyncResponse>({
    name: 'CARDREF_V4',
    path: '/api/v4/create-card-ref',
    signing: { scheme: 'oauth-rsa-sha256' },
    effect: 'changes',
    request: 'CreateCardRefV4Request',
    response: 'CardRefV4AsyncResponse',
    required: ['clientOrderId', 'orderId'],
    stages: [],
    takes: { amount: false, callback: false },
    whenUnknown: 'repeat',
    probe: ['clientOrderId'],
  }),
  /**
   * Creates a subscription, which may cause later charges. No status is known to find it again.
   *
   * @see Interface specification, section 5.3
   */
  createRecurringPayment: operation<RecurringPaymentForCreation, CreateRecurringPaymentResponse>({
    name: 'CREATE_RP_V4',
    path: '/api/v4/create-recurring-payment',
    signing: { scheme: 'oauth-rsa-sha256' },
    effect: 'creates',
    request: 'RecurringPaymentForCreation',
    response: 'CreateRecurringPaymentResponse',
    required: ['clientOrderId', 'currency', 'rpCardType', 'creditCardNumber'],
    oneOf: [
      { needs: ['amount'], without: ['amountFrom', 'amountTo', 'amountSequence'] },
      { needs: ['amountFrom', 'amountTo'], without: ['amount', 'amountSequence'] },
      { needs: ['amountSequence'], without: ['amount', 'amountFrom', 'amountTo'] },
    ],
    stages: [],
    takes: { amount: true, callback: false },
    whenUnknown: 'profile',
  }),
  /**
   * Checks the recipient and registers a payout without releasing funds; `payoutPay` executes it.
   *
   * @see Interface specification, section 5.3
   */
  payoutCheck: operation<PayoutCheckRequest, AsyncResponse>({
    name: 'PAYOUT_V4_CHECK',
    path: '/api/v4/payout-check',
    signing: { scheme: 'oauth-rsa-sha256' },
    effect: 'creates',
    request: 'PayoutCheckRequest',
    response: 'AsyncResponse',
    required: ['clientOrderId', 'amount', 'currency'],
    stages: ['payout-check'],
    takes: { amount: true, callback: true },
  }),
  /** Asks whether a card can send money. @see Interface specification, section 5.2 */
  panEligibilitySend: operation<PanEligibilitySendRequest, AsyncResponse>({
    name: 'PAN_ELIGIBILITY_SEND',
    path: '/api/v2/pan-eligibility/send',
    signing: { scheme: 'oauth-hmac-sha1' },
    effect: 'creates',
    request: 'PanEligibilitySendRequest',
    response: 'AsyncResponse',
    required: ['clientOrderId'],
    stages: ['pan-eligibility'],
    takes: { amount: false, callback: true },
    probe: ['orderDesc'],
    wireNames: hyphenatedOrderId,
  }),
  /**
   * Moves money from card to card, or from the merchant's deposit to a card.
   *
   * @see Interface specification, sections 2 and 5.3
   */
  transfer: operation<TransferRequest, AsyncResponse>({
    name: 'TRANSFER_V4',
    path: '/api/v4/transfer',
    signing: { scheme: 'oauth-rsa-sha256' },
    effect: 'creates',
    request: 'TransferRequest',
    response: 'AsyncResponse',
    required: ['clientOrderId', 'amount', 'currency'],
    stages: ['transfer'],
    takes: { amount: true, callback: true },
  }),
  /**
   * Moves money from the merchant's deposit to a card, by number or by card reference.
   *
   * @see Interface specification, section 5.3
   */
  transferByRef: operation<TransferByRefRequest, AsyncResponse>({
    name: 'TRANSFER_BY_REF_V4',
    path: '/api/v4/transfer-by-ref',
    signing: { scheme: 'oauth-rsa-sha256' },
    effect: 'creates',
    request: 'TransferByRefRequest',
    response: 'AsyncResponse',
    required: ['clientOrderId', 'amount', 'currency'],
    stages: ['transfer'],
    takes: { amount: true, callback: true },
    wireNames: hyphenatedOrderId,
  }),
  /** Sends funds; the same as `payout`, signed with RSA-SHA256. @see Interface specification, section 5.3 */
  payoutV4: operation<PayoutV4Request, AsyncResponse>({
    name: 'PAYOUT_V4',
    path: '/api/v4/payout',
    signing: { scheme: 'oauth-rsa-sha256' },
    effect: 'creates',
    request: 'PayoutV4Request',
    response: 'AsyncResponse',
    required: ['clientOrderId', 'amount', 'currency'],
    stages: ['payout'],
    takes: { amount: true, callback: true },
    wireNames: hyphenatedOrderId,
  }),
  /**
   * Executes a payout that `payoutCheck` registered.
   *
   * Its request, reply and signing are not shown; the wire profile has them.
   *
   * @see Interface specification, section 4, "payout-check"
   */
  payoutPay: operation<PayoutPayRequest, AsyncResponse>({
    name: 'PAYOUT_V4_PAY',
    path: '/api/v4/payout-pay',
    signing: { scheme: 'profile', entry: 'payoutPay' },
    effect: 'changes',
    request: 'PayoutPayRequest',
    response: 'AsyncResponse',
    required: ['clientOrderId', 'orderId'],
    stages: ['payout'],
    takes: { amount: false, callback: true },
  }),
}

/** The table of operations. */
export type Operations = typeof operations

/** Name of an operation in this library. */
export type OperationName = keyof Operations
