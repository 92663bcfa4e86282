import { defaultSigningProfile, type ProfileEntry } from '@tillkit/signing'
import { replyFields } from '../operations/reply-fields.js'
import type { OptionCheck } from '../options/check-options.js'
import { quote } from '../redaction/mask-card-number.js'
import { checkEntry } from './check-entry.js'
import type { WireProfile } from './types.js'

const assumed = <const Value>(value: Value, source: string): ProfileEntry<Value> =>
  Object.freeze({ value, source, assumed: true })

const uploads = ['TDS_UPLOAD_CRES_RESULT', 'TDS_UPLOAD_METHOD_URL_RESULT', 'TDS_UPLOAD_PARES_RESULT'] as const

/**
 * Defaults for {@link WireProfile}, from public documentation of gateways that speak this interface. No other file contains such a
 * guess; `docs/assumptions.md` is generated from this one.
 */
export const defaultProfile: WireProfile = Object.freeze({
  ...defaultSigningProfile,
  currencyDigits: assumed(
    {},
    'section 2 says three-letter codes; their digits are those of ISO 4217, and BGN and others that ended lately are read in ' +
      'replies. No public page names other codes or their digits: for USDT ask the gateway',
  ),
  fieldNames: assumed(
    {
      PAYOUT_V4_CHECK: { clientOrderId: 'client-order-id' },
      CREATE_RP_V4: {
        clientOrderId: 'client-orderid',
        creditCardNumber: 'credit-card-number',
        cardPrintedName: 'card-printed-name',
        expireMonth: 'expire-month',
        expireYear: 'expire-year',
        firstName: 'first-name',
        lastName: 'last-name',
        zipCode: 'zip-code',
      },
      PAN_ELIGIBILITY_SEND: { cardPrintedName: 'card-printed-name' },
    },
    'public create-recurring-payment and pan-eligibility pages; payout-check has none and is taken to follow payout v4',
  ),
  loginInBody: assumed(
    ['CAPTURE', 'RETURN', 'VOID', 'STATUS', 'REBILL', 'CARDREF', 'CARDREF_V4', 'CARDINFO', 'PAYOUT_V4_PAY', ...uploads],
    'public pages of these commands list login as a body field; the transfer-by-ref page forbids it',
  ),
  groupPath: assumed(
    { segment: 'group', without: [...uploads, 'CREATE_RP_V4', 'PAN_ELIGIBILITY_SEND'] },
    'every public command page; those of the 3DS uploads, create-recurring-payment and pan-eligibility print no such segment',
  ),
  repliedEndpoint: assumed('endpoint', 'observed: a request to the group 2545 was answered with the endpoint 12246'),
  replyFields: assumed(
    replyFields,
    'public command pages and client code; card-ref-id and recurring-payment-id are in the specification. No document names ' +
      'the brand and the masked PAN of get-card-info: card-type is what status replies call the brand, masked-pan is a guess. ' +
      'initial-amount, original-gate-descriptor, card-country-alpha-three-code, first-name and last-name are from newer client code',
  ),
  cardInfoFields: assumed(
    ['cardPrintedName', 'bin', 'lastFourDigits', 'maskedPan', 'brand', 'expireMonth', 'expireYear'],
    'section 4 promises BIN, brand, masked PAN and expiration; the public page lists holder and last four digits, and neither ' +
      'brand nor masked PAN',
  ),
  formReplies: assumed(
    false,
    'section 4 says JSON; public status page and client code of older hosts: ' +
      'text/html;charset=utf-8, a form with a line feed after each value',
  ),
  replyTypes: assumed(
    {
      AsyncResponse: 'async-response',
      AsyncCheckoutFormRedirect: 'async-form-response',
      CardRefAsyncResponse: 'create-card-ref-response',
      CardRefV4AsyncResponse: 'create-card-ref-response',
      CardInfoAsyncResponse: 'get-card-info-response',
      StatusResponse: 'status-response',
      CreateRecurringPaymentResponse: 'create-recurring-payment-response',
      ValidationErrorResponse: 'validation-error',
      ServerErrorResponse: 'error',
    },
    'public command pages and client code; that of create-recurring-payment is a guess',
  ),
  finalStatuses: assumed(
    { approved: 'approved', declined: 'declined', filtered: 'filtered', error: 'error' },
    'public list of statuses; processing, unknown, chain_declined and unlisted words are not final',
  ),
  stages: assumed(
    {
      sale: 'sale',
      sale3d: 'sale',
      sale3d_end: 'sale',
      rebill: 'sale',
      preauth: 'preauth',
      auth: 'preauth',
      capture: 'capture',
      cancel: 'cancel',
      reversal: 'reversal',
      refund: 'reversal',
      void: 'void',
      chargeback: 'chargeback',
      'account-verification': 'verification',
      account_verification: 'verification',
      av: 'verification',
      payout: 'payout',
      'payout-check': 'payout-check',
      transfer: 'transfer',
      'pan-eligibility': 'pan-eligibility',
      pan_eligibility: 'pan-eligibility',
    },
    'samples of status replies and the public list of order stages; the spellings of verification, payout and check are guesses. ' +
      'Families of that list which move no money by themselves ' +
      '(dispute, retrieval, fraud, *_cm, mfo_scoring) are left out: they settle nothing',
  ),
  threeDSecureStage: assumed('3d_validating', 'observed during 3DS of a sale: sale_3d_validating'),
  statusEchoesSerialNumber: assumed(
    true,
    'public status page lists by-request-sn among the fields of the reply; whether every gateway sends it is not known',
  ),
  statusNamesStage: assumed(
    true,
    'public status page lists transaction-type and order-stage as optional; it does not say what a reply without either is about',
  ),
  threeDSecureSteps: assumed(
    { method: 'MethodUrlFrame', challenge: 'CReqForm', pares: 'PaReqForm' },
    'public server-to-server sale page; the names of the fields that go with the last two were not found',
  ),
  methodTimeStart: assumed(
    'method-page',
    'section 8 says ten seconds and not from when; the method begins in the customer’s browser, as EMV 3-D Secure has it',
  ),
  formLifetime: assumed(
    1800,
    'no public document says how long a hosted form stays open; half an hour is usual elsewhere, and a form that is over ends as declined',
  ),
  formRetries: assumed(
    false,
    'no public document says that a form asks for another card after a decline; where it does, the first form must stay the only one',
  ),
  oauthWindow: assumed(300, 'section 8: not shown, and no public page says; five minutes are usual elsewhere'),
  statusFindsRecurringPayments: assumed(
    false,
    'no public document says so; an unknown create-recurring-payment goes to a person',
  ),
  orderNeverSeen: assumed(undefined, 'no public document says; until it is known, absence is never concluded'),
  usedClientOrderId: assumed(
    'second-order',
    'replies recorded from a sandbox: orders 1969105 and 1969106 under one merchant order id, eight minutes apart; ' +
      'the public status page says that this id alone works if it is unique',
  ),
  captureEndsHold: assumed(
    false,
    'section 3, rule 1, does not say what becomes of the rest after a partial capture; acquirers differ. ADR 0038',
  ),
  cancelEndsHold: assumed(
    false,
    'section 3, rules 3 and 4, do not say whether a return of a preauth may name a part of the hold. ADR 0038',
  ),
  saleIsSettled: assumed(true, 'section 3, rules 2 and 6: a sale includes its capture; public pages differ on void'),
  pollSchedule: assumed(
    [
      { atLeast: 3_000, atMost: 5_000, lasting: 300_000 },
      { atLeast: 300_000, atMost: 600_000, lasting: 3_600_000 },
    ],
    'older public page of statuses: every 3 to 5 s for five minutes, then every 5 to 10 minutes for an hour, in milliseconds',
  ),
  callbackMethod: assumed('GET', 'public merchant callback page'),
  callbackParameters: assumed(
    { status: 'status', orderId: 'orderid', clientOrderId: ['merchant_order', 'client_orderid'], control: 'control' },
    'public merchant callback page; some callbacks carry merchant_order only',
  ),
  unsignedParameters: assumed(
    {
      transactionType: 'type',
      amount: 'amount',
      currency: 'currency',
      errorCode: 'error_code',
      errorMessage: 'error_message',
      approvalCode: 'approval-code',
      processorRrn: 'processor-rrn',
      descriptor: 'descriptor',
      bin: 'bin',
      lastFourDigits: 'last-four-digits',
      cardType: 'card-type',
      cardholderName: 'card-holder-name',
      email: 'email',
      phone: 'phone',
      comment: 'comment',
      merchantData: 'merchantdata',
    },
    'public client code; the underscores of error_code are theirs, replies write hyphens',
  ),
  browserReturnParameters: assumed(
    { status: 'status', orderId: 'orderid', clientOrderId: ['client_orderid', 'merchant_order'], control: 'control' },
    'public final redirect page',
  ),
  unsignedReturnParameters: assumed(
    {
      transactionType: 'type',
      amount: 'amount',
      errorCode: 'error_code',
      errorMessage: 'error_message',
      processorTxId: 'processor-tx-id',
      descriptor: 'descriptor',
      bin: 'bin',
      lastFourDigits: 'last-four-digits',
      cardType: 'card-type',
      cardholderName: 'card-holder-name',
      phone: 'phone',
      gatePartialReversal: 'gate-partial-reversal',
      gatePartialCapture: 'gate-partial-capture',
    },
    'public final redirect page; unlike a callback, it lists no currency, approval-code, processor-rrn and email',
  ),
  noErrorMessage: assumed('null', 'sample of the public final redirect page: the text null'),
  callbackPorts: assumed([80, 443, 8080, 8443], 'public merchant callback page'),
  maxLengths: assumed(
    {
      clientOrderId: 128,
      orderId: 20,
      cardRefId: 20,
      destinationCardRefId: 20,
      sendingCardRefId: 20,
      cardRecurringPaymentId: 128,
      destinationCardRecurringPaymentId: 128,
      redirectUrl: 1024,
      serverCallbackUrl: 1024,
      notifyUrl: 1024,
      orderDesc: 65_536,
      accountNumber: 24,
      bankCode: 3,
      routingNumber: 16,
    },
    'newest public pages; older ones say 128 for addresses. ' +
      'Of amounts they say ten characters, which everyday prices in rupiah exceed, so those are left to the gateway. ' +
      'That of account_number is shorter than the longest IBAN. ' +
      'Lengths of names and addresses of people are left to the gateway, because its pages differ',
  ),
  operationMaxLengths: assumed(
    {
      TDS_UPLOAD_CRES_RESULT: { orderId: 128 },
      TDS_UPLOAD_METHOD_URL_RESULT: { orderId: 128 },
      TDS_UPLOAD_PARES_RESULT: { orderId: 128 },
      PREAUTH: { orderDesc: 125 },
      PAYOUT: { orderDesc: 64 },
      PAYOUT_V4: { orderDesc: 64 },
      PAYOUT_V4_CHECK: { orderDesc: 64 },
      CREATE_RP_V4: { amount: 255 },
    },
    'public pages of these commands; payout-check has none and is taken to follow payout v4. ' +
      'Pages of payout-form say 64 and 65K, so the longer one holds',
  ),
})

/** Values to use instead of the defaults. */
export type ProfileOverrides = {
  readonly [Entry in keyof WireProfile]?: WireProfile[Entry]['value']
}

/**
 * A wire profile in which some entries are yours. An overridden entry no longer counts as assumed.
 *
 * @param overrides Values by entry. Objects replace the default's whole.
 * @param source Where you know this from, shown in explanations. Default: `defineProfile`.
 * @throws {TypeError} when an entry does not exist, or cannot have the value.
 */
export function defineProfile(overrides: ProfileOverrides, source = 'defineProfile'): WireProfile {
  const unknown = Object.keys(overrides).find(entry => !Object.hasOwn(defaultProfile, entry))
  if (unknown !== undefined) {
    throw new TypeError(
      `The wire profile has no entry ${quote(unknown)}. It has: ${Object.keys(defaultProfile).join(', ')}.`,
    )
  }
  for (const [entry, value] of Object.entries(overrides)) {
    checkEntry(entry, value, defaultProfile[entry as keyof WireProfile].value)
  }
  const entries = Object.entries(overrides).map(([entry, value]) => [
    entry,
    Object.freeze({ value, source, assumed: false }),
  ])
  return Object.freeze({ ...defaultProfile, ...Object.fromEntries(entries) })
}

/** Checks an option that must be a wire profile. */
export const aProfile: OptionCheck = (profile, name) => {
  if (profile === undefined) return undefined
  const isProfile =
    typeof profile === 'object' &&
    profile !== null &&
    Object.keys(defaultProfile).every(entry => Object.hasOwn(profile, entry))
  return isProfile
    ? undefined
    : `"${name}" is no wire profile. Pass what defineProfile({ … }) returns: import { defineProfile } from '@tillkit/protocol'.`
}
