import type {
  AccountVerificationFormRequest,
  RebillRequest,
  SaleFormRequest,
  SaleRequest,
  StageName,
} from '@tillkit/protocol'
import { referenceProblem } from '../store/keys.js'

/** The fields that the till makes itself. */
export type MadeHere =
  | 'clientOrderId'
  | 'redirectUrl'
  | 'redirectSuccessUrl'
  | 'redirectFailUrl'
  | 'serverCallbackUrl'
  | 'notifyUrl'

/** Each of several records without some fields. */
export type OmitEach<Union, Keys extends PropertyKey> = Union extends unknown ? Omit<Union, Keys> : never

/** Names a payment. */
export interface PaymentName {
  /**
   * Your name of the payment, unique for ever: a basket, an invoice. Letters, digits, `.`, `_`, `-`, at most 100 characters. Two that
   * differ in case only are refused.
   */
  readonly reference: string
  /** Login of the account. Default: that of the payment so far, else the first account that takes the currency. */
  readonly account?: string
}

/** How a payment is taken. */
export interface PayChoices extends PaymentName {
  /** Hold the money, and capture it later. Default: false, a sale. */
  readonly hold?: boolean
}

// The hosted form comes last: where several could be meant, TypeScript says what the last one lacks.
/** A payment on a hosted form, or with a card or a stored card that the merchant hands over. */
export type PayRequest = PayChoices & (OmitEach<SaleRequest, MadeHere> | OmitEach<SaleFormRequest, MadeHere>)

/** A stored card that is charged while its holder is absent, as for the next month of a subscription: no form, and no 3DS. */
export interface RebillOrder extends PaymentName, Omit<RebillRequest, MadeHere | 'enumerateAmounts'> {
  readonly absent: true
}

/** A card that is verified on a hosted form. */
export type VerifyRequest = PaymentName & OmitEach<AccountVerificationFormRequest, MadeHere>

/** An operation that begins an order, and what is sent besides what the till makes. */
export interface Beginning {
  readonly reference: string
  readonly account: string | undefined
  readonly operation:
    | 'sale'
    | 'preauth'
    | 'makeRebill'
    | 'payout'
    | 'saleForm'
    | 'preauthForm'
    | 'accountVerificationForm'
  readonly purpose: StageName
  readonly amount: string | undefined
  readonly currency: string | undefined
  /** Who is to get the money of a payout, as it may be shown. */
  readonly recipient?: string | undefined
  readonly fields: Readonly<Record<string, unknown>>
}

/**
 * Gives everything that a payment begins with.
 *
 * @throws {TypeError} for a charge without the customer that is to hold, or has several amounts to try.
 */
export function beginningOf(request: PayRequest | RebillOrder): Beginning {
  if (isRebill(request)) return rebillOf(request)
  const { reference, account, hold = false, ...fields } = request
  const isDirect = 'creditCardNumber' in fields || 'cardRefId' in fields
  const operation = hold ? (isDirect ? 'preauth' : 'preauthForm') : isDirect ? 'sale' : 'saleForm'
  const { amount, currency } = fields
  return { reference, account, operation, purpose: hold ? 'preauth' : 'sale', amount, currency, fields }
}

const isRebill = (request: PayRequest | RebillOrder): request is RebillOrder =>
  'absent' in request && request.absent === true

function rebillOf({ reference, account, absent, ...fields }: RebillOrder): Beginning {
  const problem = (name: string, why: string) => new TypeError(`till.pay: "absent" does not go with "${name}": ${why}.`)
  // These checks repeat what the types refuse, for callers who have no types.
  if (Reflect.get(fields, 'hold') === true) throw problem('hold', 'the gateway has no such request that holds money')
  if ('enumerateAmounts' in fields) throw problem('enumerateAmounts', 'a payment is over one amount')
  if ('creditCardNumber' in fields)
    throw problem('creditCardNumber', 'only a stored card is charged while its holder is absent')
  const { amount, currency } = fields
  return { reference, account, operation: 'makeRebill', purpose: 'sale', amount, currency, fields }
}

/** @throws {TypeError} for what cannot name a payment. */
export function checkReference(reference: unknown): void {
  const problem = typeof reference === 'string' ? referenceProblem(reference) : 'it is no text'
  if (problem === undefined && !/\.\d+r$/i.test(String(reference))) return
  throw new TypeError(
    `"reference" ${JSON.stringify(reference)} cannot name a payment: ${problem ?? 'it ends like the id of a later order, such as ".2r"'}.`,
  )
}

/** Gives everything that a verification begins with. */
export function verificationOf({ reference, account, ...fields }: VerifyRequest): Beginning {
  return {
    reference,
    account,
    operation: 'accountVerificationForm',
    purpose: 'verification',
    amount: undefined,
    currency: undefined,
    fields,
  }
}
