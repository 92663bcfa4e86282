import { type ControlItem, controlItems } from './control/items.js'

/** One thing the specification leaves open, the value taken for it, and why. */
export interface ProfileEntry<Value> {
  readonly value: Value
  /** Where the value comes from: a section of the specification, or the public document that states it. */
  readonly source: string
  /** Whether it is an assumption, that is, not stated by the specification. */
  readonly assumed: boolean
}

/** How an operation that the specification gives no scheme for is authenticated. */
export type AssumedScheme =
  | { readonly scheme: 'control'; readonly items: readonly ControlItem[] }
  | { readonly scheme: 'oauth-hmac-sha1' }
  | { readonly scheme: 'oauth-rsa-sha256' }

/** How amounts are counted inside control values. */
export type MinorUnits = 'iso-4217' | 'hundredths'

/**
 * How the key of HMAC-SHA1 is joined from the secrets: each percent-encoded, as RFC 5849 section 3.4.2 says, or as it is.
 * Letters, digits, `-`, `.`, `_` and `~` are the same in both.
 */
export type HmacKeyEncoding = 'as-is' | 'percent-encoded'

/** Everything about signatures that the specification does not show. */
export interface SigningProfile {
  /** Name of the form field that carries the control value. */
  readonly controlField: ProfileEntry<string>
  /** How the SHA-1 digest of a control value is written. */
  readonly controlEncoding: ProfileEntry<'hex-lower' | 'hex-upper' | 'base64'>
  /** How the control key becomes the key of HMAC-SHA1; hand it to {@link hmacSha1Signer} and {@link verifyAuthorization}. */
  readonly hmacKeyEncoding: ProfileEntry<HmacKeyEncoding>
  /** How an amount is written in minor units, to be signed: `iso-4217` shifts by the currency's own digits, `hundredths` always by two. */
  readonly minorUnits: ProfileEntry<MinorUnits>
  /** What is signed in place of `clientOrderId` where status is asked by `orderId` alone. */
  readonly absentClientOrderId: ProfileEntry<string>
  /** How `getCardInfo` is signed. */
  readonly getCardInfo: ProfileEntry<AssumedScheme>
  /** How `paymentForm` is signed. */
  readonly paymentForm: ProfileEntry<AssumedScheme>
  /** How `payoutForm` is signed. */
  readonly payoutForm: ProfileEntry<AssumedScheme>
  /** How `payoutPay` is signed. */
  readonly payoutPay: ProfileEntry<AssumedScheme>
  /** What the control value of a callback covers. */
  readonly callbackItems: ProfileEntry<readonly ControlItem[]>
  /** What the control value of the customer's browser return covers. */
  readonly browserReturnItems: ProfileEntry<readonly ControlItem[]>
}

const assumed = <const Value>(value: Value, source: string): ProfileEntry<Value> =>
  Object.freeze({ value, source, assumed: true })

/** Defaults for {@link SigningProfile}, each with its source. */
export const defaultSigningProfile: SigningProfile = /* @__PURE__ */ (() =>
  Object.freeze({
    controlField: assumed('control', 'every SHA-1 page of the public command reference'),
    controlEncoding: assumed('hex-lower', 'public SHA-1 page: 40 lower-case hexadecimal characters'),
    hmacKeyEncoding: Object.freeze({
      value: 'as-is',
      source: 'section 5.2, step 3: the control key, then "&"; RFC 5849 section 3.4.2 percent-encodes it',
      assumed: false,
    }),
    minorUnits: assumed('iso-4217', 'section 5.1 says cents; public pages say minimal monetary units'),
    absentClientOrderId: assumed(
      '',
      'section 5.1 says an empty string of an absent orderid, and nothing of an absent client_orderid',
    ),
    getCardInfo: assumed(
      { scheme: 'control', items: controlItems.getCardInfo },
      'public get-card-info page and the PHP client',
    ),
    paymentForm: assumed(
      { scheme: 'control', items: controlItems.paymentForm },
      'nothing public; every other hosted card form uses the sale formula',
    ),
    payoutForm: assumed(
      { scheme: 'oauth-hmac-sha1' },
      'source of the public payout-form page; its rendered copy says RSA-SHA256',
    ),
    payoutPay: assumed({ scheme: 'oauth-rsa-sha256' }, 'public payout-pay page'),
    callbackItems: assumed(controlItems.callback, 'public callback parameters page, published callback vectors'),
    browserReturnItems: assumed(controlItems.browserReturn, 'public final redirect page'),
  } as const))()
