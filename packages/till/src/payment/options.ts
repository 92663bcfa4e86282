import type { ClientOptions } from '@tillkit/client'
import type { AnyRequest, Rejection, StateSecrets } from '@tillkit/express-middleware/core'
import type { OutcomeContext } from '../engine/handler.js'
import type { TillPages } from '../pages/options.js'
import type { ReceivedOutcome } from '../rules/delivery/outcome.js'
import type { Payment } from '../rules/pay/payment.js'
import type { AmountsByCurrency } from '../rules/people/wanted.js'
import type { ReportedResult } from '../rules/reported.js'
import type { Store } from '../store/store.js'
import type { Afterwards } from './afterwards.js'

/** One merchant account at the gateway. */
export interface TillAccount extends Omit<ClientOptions, 'store' | 'name' | 'serverCallbackUrl' | 'controlKey'> {
  /** Merchant control key. It signs requests, verifies callbacks, and the secrets of return addresses are derived from it. */
  readonly controlKey: string
  /** Keys that were replaced a while ago, and may still sign callbacks. Default: none. */
  readonly previousControlKeys?: readonly string[]
  /**
   * ISO 4217 codes that it takes. Where there are several accounts, a payment goes to the first that takes its currency;
   * with `[]`, only one that names the account. Default: all.
   */
  readonly currencies?: readonly string[]
  /** Hosts of the gateway's pages. Default: the host of `baseUrl`. */
  readonly redirectHosts?: readonly string[]
}

/** An account of a till, without its keys. */
export interface AccountView {
  readonly login: string
  /** ISO 4217 codes that it takes; undefined: all. */
  readonly currencies: readonly string[] | undefined
}

/** The accounts of a till that runs. */
export interface TillAccounts {
  /** The accounts as they are now, the first one first. No key is among it. */
  list(): readonly AccountView[]
  /**
   * Puts other accounts in the place of those that are there: all of them, or none where it throws.
   * The first byte of a request that is sent from then on, the next callback and the next customer go by them.
   * A request under way ends as it began. What the till is called and which environment it is of stays.
   * Every process has accounts of its own: call it in each.
   *
   * Callbacks and addresses of before go by `previousControlKeys`: leave the replaced key there for two days.
   * An account goes once nothing is open of it. Until then it stays in the list with
   * `currencies: []`, and takes no new payment but one that names it.
   *
   * @example
   * ```ts
   * await till.accounts.set([{ ...account, controlKey: next, previousControlKeys: [account.controlKey] }, florist])
   * ```
   *
   * @param accounts All that there are from now on, as `createTill` takes them. It reads the whole store where one goes.
   * @throws {TypeError} when an option is wrong; {@link TillError} `ERR_ACCOUNT_IN_USE` where one that goes has open payments;
   * what the store throws.
   */
  set(accounts: readonly TillAccount[]): Promise<void>
}

/** An outcome, and the payment that it is one of. Narrow with `kind`. */
export type TillOutcome = ReceivedOutcome & {
  /** The payment as it is with this outcome. */
  readonly payment: Payment
  /** Why it was declined or failed, in the gateway's words; undefined where it says none, and for everything else. */
  readonly declineReason: string | undefined
}

/** Everything that a handler gets besides the outcome. */
export interface TillContext<Transaction> extends Omit<OutcomeContext<Transaction>, 'payment'> {
  /** Takes your wishes for the order. The till carries them out once it is committed that you were told of it. */
  readonly afterwards: Afterwards
}

/** The merchant's handler. */
export type OutcomeHandler<Transaction> = (
  outcome: TillOutcome,
  context: TillContext<Transaction>,
) => void | Promise<void>

/** A verified callback of an order that no request in the store is behind. Its status is a hint and no outcome: deliver nothing on it. */
export interface UnmatchedCallback {
  /** Login of the account whose key verified it. */
  readonly login: string
  readonly clientOrderId: string
  /** The gateway's order id. */
  readonly orderId: string
  /** The gateway's word of status, as the callback has it. */
  readonly status: string
}

/** The facts that come with such a callback. */
export interface UnmatchedContext {
  /** The same for every time it is offered. */
  readonly idempotencyKey: string
  /** How often it was offered before, and not taken. */
  readonly tries: number
}

/** The merchant's function for such callbacks. */
export type OnUnmatched = (callback: UnmatchedCallback, context: UnmatchedContext) => void | Promise<void>

/** The description of a metric, and the unit that it is counted in. */
interface MetricOptions {
  readonly description: string
  readonly unit: string
}

/** The object through which a gauge gives its value. */
export interface GaugeResult {
  observe(value: number): void
}

/** Observes a gauge. */
export type GaugeCallback = (result: GaugeResult) => void | Promise<void>

/** The part of a `Meter` of OpenTelemetry that the till needs; `metrics.getMeter('shop')` of `@opentelemetry/api` is one. */
export interface TillMeter {
  createCounter(
    name: string,
    options: MetricOptions,
  ): { add(value: number, attributes: { readonly [name: string]: string }): void }
  createObservableGauge(
    name: string,
    options: MetricOptions,
  ): { addCallback(callback: GaugeCallback): void; removeCallback(callback: GaugeCallback): void }
}

/** Options of `createTill`. `Transaction` is that of the store. */
export interface TillOptions<Transaction = never> {
  /** Your account at the gateway; exactly one of this and `accounts`. */
  readonly account?: TillAccount
  /** Several accounts, the first one first. `till.accounts.set` changes them later. */
  readonly accounts?: readonly TillAccount[]
  /** The store that keeps the payments: `sqliteStore`, `postgresStore`, or `memoryStore()` in a test. */
  readonly store: Store<Transaction>
  /**
   * Names the payments of this till in the store: tills with one name share them. Default: `till`. Never change it: under another name
   * the same payments are new. Accounts may be changed, and listed in another order.
   */
  readonly name?: string
  /**
   * Public address of the path where `till.express()` is mounted, such as `https://shop.example/payments`. https, or loopback.
   * Required, but for a till that is `told-elsewhere`: without an address it takes no payments, and its payouts name no callback,
   * so that status is asked.
   */
  readonly address?: string
  /** Path of your page of a payment on this site, such as `/orders/7`. Customers are sent there once a payment is over. */
  readonly returnTo: (payment: Payment) => string
  /** Path of this site that takes a POST and calls `till.pay` for the payment again. Default: declined customers are sent to `returnTo`. */
  readonly payAgain?: (payment: Payment) => string
  /**
   * Told of every outcome, in the order in which they became known: exactly once for what it does in `transaction`, once or more
   * often for anything else. One that throws is told again.
   *
   * `told-elsewhere`: this till tells nothing, and takes no telling from the till that has the handler, in another process on the same
   * store. It shows, asks and decides, as a back office does; it has no routes, and cannot be started.
   */
  readonly onOutcome: OutcomeHandler<Transaction> | 'told-elsewhere'
  /**
   * How long a handler may take, in milliseconds. Once it is over, another process may be told the outcome;
   * in the process where the handler still runs it is not begun a second time. Default: 30000.
   */
  readonly handlerTimeout?: number
  /** How the till's own pages look and speak. Default: English, without a name. */
  readonly pages?: TillPages
  /**
   * Whether another form may be opened while one is open whose amount is not the one asked for now, or whose time is over. The customer
   * could then pay both: you are told `surplus`. Default: false: another amount is refused with `ERR_OTHER_AMOUNT` until the first one
   * is over, its time is over and nobody has begun to pay, or a person gives it up.
   */
  readonly replaceOpenForm?: boolean
  /**
   * The choice for a payment of which two orders brought money. `person`: you are told `surplus`, and it stands first in the report.
   * `return`: the till also voids or returns the order that you are told `surplus` of, once, and you are told `released` or `returned`.
   * It does so only while another order keeps its money; what the gateway refuses is left to a person. Payouts always are.
   * Default: `person`.
   */
  readonly surplus?: 'person' | 'return'
  /**
   * Offered each verified callback of an order that was not sent from here: made at the gateway, by another system on the account,
   * or before the store was restored. At least once for each status word; where it throws, ten times at most with growing pauses.
   * Its status is a hint and no outcome. Default: they stand in the report, and the process is warned.
   */
  readonly onUnmatched?: OnUnmatched
  /** After how long without an end a person is needed, in milliseconds. Default: one day. */
  readonly patience?: number
  /** Most orders of one payment. Default: 10. */
  readonly mostOrders?: number
  /**
   * How many questions a second the work in the background asks about the orders of one account, in all processes on the store together.
   * In any stretch of time two seconds' worth may come on top. What a customer, a callback or your code waits for is asked at once, and
   * the background makes way for it; all who wait by `till.wait` in one process ask so many questions a second together.
   * No public page says how many questions a gateway takes. Default: 10.
   */
  readonly statusPerSecond?: number
  /**
   * Amounts in major units by ISO 4217 code, such as `{ EUR: '1000.00' }`: what a person decides about more than that is done once another
   * person says the same. In a currency that is not listed two persons have to, always. Default: one person will do.
   */
  readonly secondPersonAbove?: AmountsByCurrency
  /**
   * A meter of OpenTelemetry, such as `metrics.getMeter('shop')` of `@opentelemetry/api`: counts of the report as gauges, and counters of
   * outcomes, failures of your handler and requests. Default: nothing is counted.
   */
  readonly meter?: TillMeter
  /** Secrets of the addresses that customers come back to. Default: derived from the control keys. */
  readonly stateSecrets?: StateSecrets
  /**
   * Told what each verified callback came to, for your log; `request` is absent for what was worked on later. Default:
   * a process warning, at most once a minute of each reason, for what was not settled.
   */
  readonly onReport?: (result: ReportedResult, request: AnyRequest | undefined) => void
  /**
   * Told why a callback was refused, for your log: its sender is told nothing. Default:
   * a process warning, at most once a minute of each reason.
   */
  readonly onRejected?: (rejection: Rejection, request: AnyRequest | undefined) => void
  /** Milliseconds since the epoch. Default: the system clock. */
  readonly clock?: () => number
  /** Resolves after so many milliseconds, or as soon as the signal fires; it may reject then. Default: a timer. */
  readonly wait?: (milliseconds: number, signal?: AbortSignal) => Promise<void>
}
