/** Wire name of each request field, unless its operation or the wire profile says otherwise. */
export const wireNames = {
  login: 'login',
  clientOrderId: 'client_orderid',
  orderId: 'orderid',
  orderDesc: 'order_desc',
  amount: 'amount',
  currency: 'currency',
  creditCardNumber: 'credit_card_number',
  cardPrintedName: 'card_printed_name',
  expireMonth: 'expire_month',
  expireYear: 'expire_year',
  cvv2: 'cvv2',
  hostedFieldsToken: 'hosted_fields_token',
  email: 'email',
  ipAddress: 'ipaddress',
  firstName: 'first_name',
  lastName: 'last_name',
  address1: 'address1',
  city: 'city',
  state: 'state',
  zipCode: 'zip_code',
  country: 'country',
  phone: 'phone',
  cellPhone: 'cell_phone',
  ssn: 'ssn',
  birthday: 'birthday',
  redirectUrl: 'redirect_url',
  redirectSuccessUrl: 'redirect_success_url',
  redirectFailUrl: 'redirect_fail_url',
  serverCallbackUrl: 'server_callback_url',
  notifyUrl: 'notify_url',
  siteUrl: 'site_url',
  purpose: 'purpose',
  merchantData: 'merchant_data',
  destination: 'destination',
  customerBrowserInfo: 'customer_browser_info',
  customerBrowserAcceptHeader: 'customer_browser_accept_header',
  customerBrowserUserAgent: 'customer_browser_user_agent',
  customerBrowserJavascriptEnabled: 'customer_browser_javascript_enabled',
  customerBrowserJavaEnabled: 'customer_browser_java_enabled',
  customerBrowserAcceptLanguage: 'customer_browser_accept_language',
  customerBrowserColorDepth: 'customer_browser_color_depth',
  customerBrowserScreenWidth: 'customer_browser_screen_width',
  customerBrowserScreenHeight: 'customer_browser_screen_height',
  customerBrowserTimeZone: 'customer_browser_time_zone',
  cardRefId: 'cardrefid',
  enumerateAmounts: 'enumerate_amounts',
  recurrentScenario: 'recurrent_scenario',
  recurrentInitiator: 'recurrent_initiator',
  comment: 'comment',
  byRequestSn: 'by-request-sn',
  cres: 'cres',
  paRes: 'paRes',
  md: 'md',
  threeDSCompInd: 'threeDSCompInd',
  threeDSServerTransId: 'threeDSServerTransID',
  browserAcceptHeader: 'browserAcceptHeader',
  browserIp: 'browserIP',
  browserJavaEnabled: 'browserJavaEnabled',
  browserJavascriptEnabled: 'browserJavascriptEnabled',
  browserLanguage: 'browserLanguage',
  browserColorDepth: 'browserColorDepth',
  browserScreenHeight: 'browserScreenHeight',
  browserScreenWidth: 'browserScreenWidth',
  browserTimeZone: 'browserTZ',
  browserUserAgent: 'browserUserAgent',
  rpCardType: 'rp_card_type',
  period: 'period',
  interval: 'interval',
  customerIp: 'customer-ip',
  amountFrom: 'amount-from',
  amountTo: 'amount-to',
  amountSequence: 'amount-sequence',
  accountNumber: 'account_number',
  bankName: 'bank_name',
  bankBranch: 'bank_branch',
  bankCode: 'bank_code',
  bankProvince: 'bank_province',
  bankCity: 'bank_city',
  bankAddress1: 'bank_address1',
  bankZipCode: 'bank_zip_code',
  routingNumber: 'routing_number',
  cardRecurringPaymentId: 'card_recurring_payment_id',
  destinationCardNo: 'destination-card-no',
  destinationCardRecurringPaymentId: 'destination_card_recurring_payment_id',
  destinationCardRefId: 'destination-card-ref-id',
  deposit2card: 'deposit2card',
  sendingCardRefId: 'sending-card-ref-id',
  sendingCardNumber: 'sending-card-number',
} as const satisfies Record<string, string>

/** 3DS uploads, pan eligibility, transfer-by-ref and payout v4 write the merchant's order id this way (sections 2, 4). */
export const hyphenatedOrderId = { clientOrderId: 'client-order-id' } as const

/** What a wire name is looked up with: an operation's row, and the profile's exceptions. */
export interface WireNameSource {
  readonly operation: { readonly name: string; readonly wireNames?: { readonly [field: string]: string | undefined } }
  readonly profile: {
    readonly fieldNames: { readonly value: { readonly [operation: string]: { readonly [field: string]: string } } }
  }
}

/**
 * The name `field` has in the body of an operation: the profile's for this operation, else the operation's own, else
 * the common one.
 *
 * @returns `undefined` for a field that has none; it can only be sent through `extra`.
 */
export function wireName(field: string, { operation, profile }: WireNameSource): string | undefined {
  return (
    ownValue(profile.fieldNames.value[operation.name], field) ??
    ownValue(operation.wireNames, field) ??
    ownValue(wireNames, field)
  )
}

/** A field called `constructor` has no wire name. */
function ownValue(table: { readonly [name: string]: string | undefined } | undefined, name: string) {
  return table !== undefined && Object.hasOwn(table, name) ? table[name] : undefined
}

type Field = keyof typeof wireNames

/** Fields that hold a whole card number. */
export const cardNumberFields = [
  'creditCardNumber',
  'destinationCardNo',
  'sendingCardNumber',
] as const satisfies readonly Field[]

/** Fields that hold card data, or what stands for it: with a token of hosted fields anyone could pay. */
export const cardFields = [
  ...cardNumberFields,
  'cardPrintedName',
  'expireMonth',
  'expireYear',
  'cvv2',
  'hostedFieldsToken',
] as const satisfies readonly Field[]

/** Name of a field that holds card data. */
export type CardField = (typeof cardFields)[number]

/** The card field that a wire name stands for, whatever its separators and letter case: `Expire-Month`, `expire_month`. */
export function cardFieldOf(wireName: string): CardField | undefined {
  const plain = normalize(wireName)
  return cardFields.find(field => normalize(wireNames[field]) === plain)
}

const normalize = (name: string): string => name.replace(/[-_]/g, '').toLowerCase()
