import { type Scrubber, type Shown, show } from '../redaction/scrub.js'

/**
 * What the value of a field is. `id`: printable text that logs and status replies repeat. `amount`: major units. `address`:
 * the gateway calls it or sends the customer there. `card-number`: a whole one. `card`: other card data, or what stands for
 * it: with a token of hosted fields anyone could pay. Anything else is text, of which the table says how logs show it.
 */
export type FieldKind = 'id' | 'amount' | 'address' | 'card-number' | 'card'

/**
 * Each field of a request: its wire name, unless its operation or the wire profile says otherwise, and what its value is, or how
 * logs show a text. A text without a word on that is hidden.
 *
 * The interface's own names are irregular (`client_orderid`, `cardrefid`, `destination-card-no`), so they stand in one table
 * instead of being derived. `siteUrl` is not an address: it only notes where an order began, and no request goes there.
 */
const requestFields = {
  login: ['login', 'whole'],
  clientOrderId: ['client_orderid', 'id'],
  orderId: ['orderid', 'id'],
  orderDesc: ['order_desc', 'prose'],
  amount: ['amount', 'amount'],
  currency: ['currency', 'whole'],
  creditCardNumber: ['credit_card_number', 'card-number'],
  cardPrintedName: ['card_printed_name', 'card'],
  expireMonth: ['expire_month', 'card'],
  expireYear: ['expire_year', 'card'],
  cvv2: ['cvv2', 'card'],
  hostedFieldsToken: ['hosted_fields_token', 'card'],
  email: ['email', 'email'],
  ipAddress: ['ipaddress'],
  firstName: ['first_name'],
  lastName: ['last_name'],
  address1: ['address1'],
  city: ['city'],
  state: ['state'],
  zipCode: ['zip_code'],
  country: ['country', 'whole'],
  phone: ['phone'],
  cellPhone: ['cell_phone'],
  ssn: ['ssn'],
  birthday: ['birthday'],
  redirectUrl: ['redirect_url', 'address'],
  redirectSuccessUrl: ['redirect_success_url', 'address'],
  redirectFailUrl: ['redirect_fail_url', 'address'],
  serverCallbackUrl: ['server_callback_url', 'address'],
  notifyUrl: ['notify_url', 'address'],
  siteUrl: ['site_url', 'origin'],
  purpose: ['purpose', 'prose'],
  merchantData: ['merchant_data'],
  destination: ['destination'],
  customerBrowserInfo: ['customer_browser_info', 'whole'],
  customerBrowserAcceptHeader: ['customer_browser_accept_header'],
  customerBrowserUserAgent: ['customer_browser_user_agent'],
  customerBrowserJavascriptEnabled: ['customer_browser_javascript_enabled'],
  customerBrowserJavaEnabled: ['customer_browser_java_enabled'],
  customerBrowserAcceptLanguage: ['customer_browser_accept_language'],
  customerBrowserColorDepth: ['customer_browser_color_depth'],
  customerBrowserScreenWidth: ['customer_browser_screen_width'],
  customerBrowserScreenHeight: ['customer_browser_screen_height'],
  customerBrowserTimeZone: ['customer_browser_time_zone'],
  cardRefId: ['cardrefid', 'id'],
  enumerateAmounts: ['enumerate_amounts', 'whole'],
  recurrentScenario: ['recurrent_scenario', 'whole'],
  recurrentInitiator: ['recurrent_initiator', 'whole'],
  comment: ['comment', 'prose'],
  byRequestSn: ['by-request-sn', 'id'],
  cres: ['cres'],
  paRes: ['paRes'],
  md: ['md'],
  threeDSCompInd: ['threeDSCompInd', 'whole'],
  threeDSServerTransId: ['threeDSServerTransID', 'id'],
  browserAcceptHeader: ['browserAcceptHeader'],
  browserIp: ['browserIP'],
  browserJavaEnabled: ['browserJavaEnabled'],
  browserJavascriptEnabled: ['browserJavascriptEnabled'],
  browserLanguage: ['browserLanguage'],
  browserColorDepth: ['browserColorDepth'],
  browserScreenHeight: ['browserScreenHeight'],
  browserScreenWidth: ['browserScreenWidth'],
  browserTimeZone: ['browserTZ'],
  browserUserAgent: ['browserUserAgent'],
  rpCardType: ['rp_card_type', 'whole'],
  period: ['period', 'whole'],
  interval: ['interval', 'whole'],
  customerIp: ['customer-ip'],
  amountFrom: ['amount-from', 'amount'],
  amountTo: ['amount-to', 'amount'],
  amountSequence: ['amount-sequence', 'amount'],
  accountNumber: ['account_number', 'last-four'],
  bankName: ['bank_name', 'whole'],
  bankBranch: ['bank_branch'],
  bankCode: ['bank_code'],
  bankProvince: ['bank_province'],
  bankCity: ['bank_city'],
  bankAddress1: ['bank_address1'],
  bankZipCode: ['bank_zip_code'],
  routingNumber: ['routing_number'],
  cardRecurringPaymentId: ['card_recurring_payment_id', 'id'],
  destinationCardNo: ['destination-card-no', 'card-number'],
  destinationCardRecurringPaymentId: ['destination_card_recurring_payment_id', 'id'],
  destinationCardRefId: ['destination-card-ref-id', 'id'],
  deposit2card: ['deposit2card', 'whole'],
  sendingCardRefId: ['sending-card-ref-id', 'id'],
  sendingCardNumber: ['sending-card-number', 'card-number'],
} as const satisfies Record<string, readonly [wireName: string, kind?: FieldKind | Shown]>

/** Name of a request field. */
type RequestField = keyof typeof requestFields

type FieldOfKind<Kind extends FieldKind> = {
  [Field in RequestField]: (typeof requestFields)[Field] extends readonly [string, Kind] ? Field : never
}[RequestField]

const fieldsOfKind = <Kind extends FieldKind>(...kinds: readonly Kind[]) =>
  Object.entries<readonly [string, (FieldKind | Shown)?]>(requestFields)
    .filter(([, [, kind]]) => kinds.some(each => each === kind))
    .map(([field]) => field as FieldOfKind<Kind>)

/** Wire name of each request field, unless its operation or the wire profile says otherwise. */
export const wireNames = /* @__PURE__ */ Object.fromEntries(
  Object.entries(requestFields).map(([field, [wireName]]) => [field, wireName]),
) as { readonly [Field in RequestField]: (typeof requestFields)[Field][0] }

/** Fields that hold a whole card number. */
export const cardNumberFields = /* @__PURE__ */ fieldsOfKind('card-number')

/** Fields that hold card data, or what stands for it. */
export const cardFields = /* @__PURE__ */ fieldsOfKind('card-number', 'card')

/** Name of a field that holds card data. */
export type CardField = (typeof cardFields)[number]

/** Fields that hold an amount, or several. */
export const amountFields = /* @__PURE__ */ fieldsOfKind('amount')

/** How logs show a field of each kind. */
const shownKinds: { readonly [Kind in FieldKind]: Shown | undefined } = {
  id: 'whole',
  amount: 'whole',
  address: 'origin',
  'card-number': 'card-number',
  card: undefined,
}

const isKind = (word: string | undefined): word is FieldKind => word !== undefined && Object.hasOwn(shownKinds, word)

const rowOf = (field: string) => ownValue<readonly [wireName: string, kind?: FieldKind | Shown]>(requestFields, field)

/** What the value of a field is; undefined for text. A field of an operation of your own is an id if its name ends in `Id` or `Sn`. */
export function fieldKind(field: string): FieldKind | undefined {
  const row = rowOf(field)
  if (row === undefined) return /(?:Id|Sn)$/.test(field) ? 'id' : field.startsWith('amount') ? 'amount' : undefined
  return isKind(row[1]) ? row[1] : undefined
}

/**
 * The value of one field of a form as it may be seen. A field that is not in the table is hidden, `extra` too.
 *
 * @param text `shownAs` is the field of the request record that it is redacted as; `undefined` is hidden.
 */
export function redactField(
  { shownAs, value }: { readonly shownAs: string | undefined; readonly value: string },
  scrubber: Scrubber,
): string {
  const word = shownAs === undefined ? undefined : rowOf(shownAs)?.[1]
  return show(value, { as: isKind(word) ? shownKinds[word] : word, scrubber })
}

/** 3DS uploads, pan eligibility, transfer-by-ref and payout v4 write the merchant's order id this way (sections 2, 4). */
export const hyphenatedOrderId = { clientOrderId: 'client-order-id' } as const

/** The value that a table itself has under a name. `constructor` is inherited, and counts as absent. */
export const ownValue = <Value>(
  table: { readonly [name: string]: Value } | undefined,
  name: string,
): Value | undefined => (table !== undefined && Object.hasOwn(table, name) ? table[name] : undefined)

/** The card field that a wire name stands for, whatever its separators and letter case: `Expire-Month`, `expire_month`. */
export function cardFieldOf(wireName: string): CardField | undefined {
  const plain = normalize(wireName)
  return cardFields.find(field => normalize(wireNames[field]) === plain)
}

const normalize = (name: string): string => name.replace(/[-_]/g, '').toLowerCase()
