import type { Parameter } from '@tillkit/signing'

/** A payment that a customer wants to make. */
export interface PaymentToStart {
  /**
   * The thing that is bought. A customer who presses twice, or was told that it failed and tries again, does so with the same one.
   * Each case has its own.
   */
  readonly purchase: string
  /** Major units, with exactly the currency's digits. A merchant with prices of its own may take those. */
  readonly amount: string
  readonly currency: string
  readonly email: string
  readonly card: {
    readonly creditCardNumber: string
    readonly cardPrintedName: string
    readonly expireMonth: string
    readonly expireYear: string
    readonly cvv2: string
  }
  /** Where `receiveCallback` is reached, to be sent along as `server_callback_url`, if it is a function. */
  readonly callbackUrl?: string
}

/** A payment that the merchant took on. */
export interface StartedPayment {
  /** The merchant's id of the order, best the one that the gateway is sent. Default: the latest one the gateway saw. */
  readonly order?: string
  /** The hosted page that the customer is sent to. The test pays there and comes back as a browser would. */
  readonly redirectUrl?: string | URL
}

/**
 * What a merchant says of an order. `open`: not known yet, still being asked for. `needs-person`: a person has to look.
 * `true` is `paid`; `false` is `not-paid` at the end, and before the end it says nothing.
 */
export type PaidAnswer = boolean | 'paid' | 'not-paid' | 'open' | 'needs-person'

/** A callback as it came. */
export interface ReceivedCallback {
  readonly method: string
  /** With its query. */
  readonly url: URL
  /** Parameters of the query and of a form body, in the order they came. */
  readonly parameters: readonly Parameter[]
}

/** A merchant's own code. */
export interface MerchantUnderTest {
  /**
   * Takes a payment on. It resolves unless the payment is known to have failed, and rejects where the customer is told that
   * it failed: the customer then tries again.
   *
   * An address gets a POST, form-encoded, and answers JSON: `{ "order": "…", "redirect": "https://…" }`, or a redirect to the
   * hosted page. HTTP 400 and above means that the customer is told that it failed.
   */
  readonly startPayment: ((payment: PaymentToStart) => Promise<StartedPayment>) | URL | string
  /**
   * Says whether an order is paid. An address may hold `{order}`; otherwise `order` is added to its query. It answers the word,
   * or JSON: `{ "paid": true }`, or with a word.
   */
  readonly isPaid: ((order: string) => PaidAnswer | Promise<PaidAnswer>) | URL | string
  /**
   * Takes a callback. A function returns the HTTP status to answer with. Default: the address that the merchant sends
   * with its payments.
   */
  readonly receiveCallback?: ((callback: ReceivedCallback) => number | Promise<number>) | URL | string
  /**
   * Does what is due by now on the gateway's clock, such as `() => till.tick()`, and resolves when it is done. It is called each time
   * before the clock moves on, so that a merchant whose work runs by timers of its own is not left behind by a clock that jumps over days.
   */
  work?(): unknown
  /** Called when the test is done with it. */
  close?(): void | Promise<void>
}
