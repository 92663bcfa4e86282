/**
 * Fields that several request records share. Lengths are those of public pages; before anything is sent, those in the profile's
 * `maxLengths` are checked.
 *
 * @module
 */

/** Fields this library does not know. */
export interface Extra {
  /**
   * Other fields by wire name, sent as they are: acquirers ask for more than the specification lists. A name that
   * starts with `oauth_`, the control field and a field that the record already sets are refused.
   */
  readonly extra?: Readonly<Record<string, string>>
}

/** The merchant's order. */
export interface OrderFields {
  /** The merchant's order id, unique for ever, at most 128 characters; wire name `client_orderid`. */
  readonly clientOrderId: string
  /** What is bought or paid for, at most 65536 characters; wire name `order_desc`. */
  readonly orderDesc?: string
}

/** An amount of money. */
export interface AmountFields {
  /**
   * Major units with exactly the currency's digits, `10.00` EUR or `1000` JPY, at most 10 characters on public pages; wire name `amount`.
   */
  readonly amount: string
  /** ISO 4217 code, three capital letters; wire name `currency`. */
  readonly currency: string
}

/** An amount that may be left out, together with its currency, to mean the whole. */
export type OptionalAmountFields = AmountFields | { readonly amount?: never; readonly currency?: never }

/** A card, typed in by its holder. */
export interface CardFields {
  /** Card number, 13 to 19 digits; wire name `credit_card_number`. */
  readonly creditCardNumber: string
  /** Holder as printed, at most 128 characters; wire name `card_printed_name`. */
  readonly cardPrintedName: string
  /** Month, `1` to `12`, at most 2 digits; wire name `expire_month`. */
  readonly expireMonth: string
  /** Year, 4 digits; wire name `expire_year`. */
  readonly expireYear: string
  /** Code on the card, 3 or 4 digits; wire name `cvv2`. */
  readonly cvv2: string
}

/** A stored card, in place of the card itself. */
export interface CardReferenceFields {
  /** From create-card-ref, at most 20 characters; wire name `cardrefid`. */
  readonly cardRefId: string
  /** Code on the card, 3 or 4 digits, where its holder is asked for it; wire name `cvv2`. */
  readonly cvv2?: string
  readonly creditCardNumber?: never
  readonly cardPrintedName?: never
  readonly expireMonth?: never
  readonly expireYear?: never
}

/** Who pays. */
export interface CustomerFields {
  /** Cardholder's e-mail, at most 50 characters; wire name `email`. Signed. */
  readonly email: string
  /** Payer's IPv4 or IPv6 address, at most 45 characters; wire name `ipaddress`. */
  readonly ipAddress?: string
  /** First name, at most 50 characters; wire name `first_name`. */
  readonly firstName?: string
  /** Last name, at most 50 characters; wire name `last_name`. */
  readonly lastName?: string
  /** Street, at most 50 characters on most endpoints, 256 on the newest; wire name `address1`. */
  readonly address1?: string
  /** City, at most 50 characters; wire name `city`. */
  readonly city?: string
  /** State or province, 2 letters, needed for US, CA and AU; wire name `state`. */
  readonly state?: string
  /** Postal code, at most 10 characters; wire name `zip_code`. */
  readonly zipCode?: string
  /** ISO 3166-1 alpha-2 code, 2 letters; wire name `country`. */
  readonly country?: string
  /** Full international number, at most 15 characters; wire name `phone`. */
  readonly phone?: string
  /** Mobile number, at most 15 characters; wire name `cell_phone`. */
  readonly cellPhone?: string
  /** Last 4 digits of the social security number; wire name `ssn`. */
  readonly ssn?: string
  /** Date of birth as YYYYMMDD, 8 digits; wire name `birthday`. */
  readonly birthday?: string
}

/** Where the outcome goes. */
export interface CallbackFields {
  /** Absolute address for the outcome of this transaction, at most 1024 characters; wire name `server_callback_url`. */
  readonly serverCallbackUrl?: string
  /**
   * Absolute address for the outcome of this and of later transactions on the order, instead of `serverCallbackUrl`, at most
   * 1024 characters; wire name `notify_url`.
   */
  readonly notifyUrl?: string
}

/** Where the customer and the outcome go, and what the payment is for. */
export interface ReturnFields extends CallbackFields {
  /** Absolute address the customer returns to, whatever the outcome, at most 1024 characters; wire name `redirect_url`. */
  readonly redirectUrl?: string
  /** Absolute address in place of `redirectUrl` after an approval, no length is public; wire name `redirect_success_url`. */
  readonly redirectSuccessUrl?: string
  /** Absolute address in place of `redirectUrl` after any other outcome, no length is public; wire name `redirect_fail_url`. */
  readonly redirectFailUrl?: string
  /** Page the order started from, at most 128 characters; wire name `site_url`. */
  readonly siteUrl?: string
  /** What the payment is for, at most 128 characters; wire name `purpose`. */
  readonly purpose?: string
  /** Where the payment goes, as some acquirers ask, at most 128 characters; wire name `destination`. */
  readonly destination?: string
  /** Free data, echoed as `merchantdata`, no length is public; wire name `merchant_data`. */
  readonly merchantData?: string
}

/** The payer's browser, which 3DS 2 asks about. `customerBrowser(request)` of the middleware collects it. */
export interface BrowserFields {
  /** Says that the other fields follow; wire name `customer_browser_info`. */
  readonly customerBrowserInfo?: boolean
  /** `Accept` header, no length is public; wire name `customer_browser_accept_header`. */
  readonly customerBrowserAcceptHeader?: string
  /** `User-Agent` header, no length is public; wire name `customer_browser_user_agent`. */
  readonly customerBrowserUserAgent?: string
  /** Whether the browser runs scripts; wire name `customer_browser_javascript_enabled`. */
  readonly customerBrowserJavascriptEnabled?: boolean
  /** Whether the browser runs Java; wire name `customer_browser_java_enabled`. */
  readonly customerBrowserJavaEnabled?: boolean
  /** BCP 47 tag, no length is public; wire name `customer_browser_accept_language`. */
  readonly customerBrowserAcceptLanguage?: string
  /** Bits per pixel, no length is public; wire name `customer_browser_color_depth`. */
  readonly customerBrowserColorDepth?: string
  /** Width in pixels, no length is public; wire name `customer_browser_screen_width`. */
  readonly customerBrowserScreenWidth?: string
  /** Height in pixels, no length is public; wire name `customer_browser_screen_height`. */
  readonly customerBrowserScreenHeight?: string
  /** Minutes between UTC and local time, no length is public; wire name `customer_browser_time_zone`. */
  readonly customerBrowserTimeZone?: string
}
