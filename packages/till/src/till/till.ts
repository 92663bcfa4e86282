import type { CheckFinding, CheckReport } from '@tillkit/client'
import type { Answer, NodeHandler, NodeRequest, RequestOrigin } from '@tillkit/express-middleware/core'
import type { Person } from '@tillkit/protocol'
import type { Wanted } from '../payment/afterwards.js'
import type { ChangeResult } from '../payment/change/changes.js'
import type { TillClient } from '../payment/client/types.js'
import type { TillAccounts } from '../payment/options.js'
import type { NextStep } from '../payment/pay/pay-context.js'
import type { PayoutOrder, PayoutResult } from '../payment/pay/payout.js'
import type { PayRequest, RebillOrder, VerifyRequest } from '../payment/requests.js'
import type { AdoptRequest, AdoptResult } from '../people/adopt.js'
import type { DecisionResult } from '../people/decide.js'
import type { Pause } from '../people/pause.js'
import type { DecisionRequest } from '../people/wanted.js'
import type { ReportOptions, TillReport } from '../report/types.js'
import type { Payment } from '../rules/pay/payment.js'
import type { PaymentQuestion } from '../rules/people/questions.js'
import type { PurgeOptions } from './purge.js'

/** Facts that a `Request` does not say, and who is told of errors. */
export interface FetchOptions extends RequestOrigin {
  /**
   * Told what failed, for your log: the response does not hold it. What it throws makes `fetch` reject. Default: a process warning, at most
   * once a minute, for what is not said by `onRejected` or `onReport`.
   */
  readonly onError?: (error: unknown) => void
}

/** Everything that was found out about the option `address`: whether the till's routes answer there. */
export interface RoutesFinding extends Omit<CheckFinding, 'subject'> {
  readonly subject: 'address'
}

/** Everything that was found out about the settings of the store: `cannot-tell` where something may be lost that it has acknowledged. */
export interface StoreFinding extends Omit<CheckFinding, 'subject'> {
  readonly subject: 'store'
}

/** Everything that was found out about one account, and about the till's `address` and store, which all accounts share. */
export interface AccountCheck extends Omit<CheckReport, 'findings'> {
  readonly login: string
  readonly findings: readonly (CheckFinding | RoutesFinding | StoreFinding)[]
}

/** How work begins. */
export interface StartOptions {
  /**
   * Whether the store was just restored from a backup: the gateway may have orders and changes that it lacks. From then on status is
   * asked before anything is sent that could have been sent before, in every process with this store and after every restart; what the
   * gateway has is taken up. Await it before customers pay. Default: false.
   */
  readonly restored?: boolean
  /** For how long that counts, in milliseconds. Default: 30 days. */
  readonly retention?: number
}

/** Takes payments: one object for requests, callbacks, customers, and what a crash left behind. */
export interface Till {
  /**
   * Takes a payment on a hosted form, or with a card. Call it as often as you like: it opens another order only where that charges
   * nobody twice.
   *
   * With `absent: true` it charges a stored card while its holder is absent: the answer is `wait` until you are told how it ended, and
   * `over` once it is paid.
   *
   * @throws {TillError} Where nothing may be sent; and what the client throws where the request was refused or not sent.
   */
  pay(request: RebillOrder | PayRequest): Promise<NextStep>
  /** Verifies a card on a hosted form: no money moves. @throws As `pay` does. */
  verify(request: VerifyRequest): Promise<NextStep>
  /**
   * Sends money to an account, a card or a phone: once for each reference, however often you call it. You are told `sent` or `declined`.
   * After a decline another order is opened when you ask again.
   *
   * @throws As `pay` does.
   */
  payout(request: PayoutOrder): Promise<PayoutResult>
  /** Captures a hold: all of it, or a part. You are told `paid`. @throws {TillError} where that is not possible. */
  capture(reference: string, wanted?: Wanted): Promise<ChangeResult>
  /**
   * Gives money back: all that is left, or a part. You are told `returned` or `released`.
   * If a person wants it, `who` and `why` are kept with it: the timeline says them.
   *
   * @example
   * ```ts
   * await till.return('basket-7', { amount: '3.00', key: 'parcel-2', who: 'ada', why: 'ticket 4711: the cup was broken' })
   * ```
   *
   * @param reference Of the payment; where two of its orders brought money, the id of the later one gives that one back,
   * such as `basket-7.2r`.
   * @throws {TillError} where that is not possible.
   */
  return(reference: string, wanted?: Wanted): Promise<ChangeResult>
  /** Releases a hold. You are told `released`. @throws {TillError} where that is not possible. */
  void(reference: string, person?: Partial<Person>): Promise<ChangeResult>
  /** A payment as the store has it. Its `timeline` says what happened, in sentences for people. */
  payment(reference: string): Promise<Payment>
  /**
   * Asks status about a payment now, whatever it is, and tells you what is new: of a chargeback whose callback was lost, say.
   * The till asks by itself while something is open.
   *
   * @returns The payment as it is then. Where status did not answer, it is as it was.
   */
  ask(reference: string): Promise<Payment>
  /**
   * Waits until a payment has come to an end, in whatever process it goes on: where a telling is committed in this one it is woken at
   * once. The store is read and status is asked meanwhile, once for all who wait for the payment here, and for all payments of an
   * account at most `statusPerSecond` times a second. It does not wait for captures, returns and voids:
   * your handler is told of those, and `underWay` of the payment lists them until then.
   *
   * @param options `timeout` in milliseconds. Default: 60000.
   * @returns The payment; its state is `open` or `unknown` where the time was over first.
   */
  wait(reference: string, options?: { readonly timeout?: number; readonly signal?: AbortSignal }): Promise<Payment>
  /**
   * Proves `baseUrl`, login and keys of each account without moving money, asks the till's own `address` whether its routes are there,
   * looks for settings of PostgreSQL under which a failover loses payments, and learns the gateway's word for an order it never saw: then
   * a request that was never answered, and did nothing, comes to an end without a person. Every process on the store knows it after that.
   *
   * @param options `account`: the login of the one account that is checked. Default: all of them.
   * @throws {TypeError} for a login that no account has, and what the store throws.
   */
  check(options?: { readonly account?: string | undefined }): Promise<readonly AccountCheck[]>
  /**
   * Takes what a person decides where no machine can know: that a request which was not answered did nothing (`failed`) or is at the
   * gateway under this id (`arrived`), which of the gateway's contradicting words is so (`settled`), which of two orders that brought
   * money is given back (`give-back`), that no customer is to pay an open order any more (`abandon`), that what callbacks said may be so
   * and no more can be known of it (`noted`) or that the gateway has nothing of it (`dismissed`), or that an outcome whose handler keeps
   * failing counts as told (`skip`). `questions` says what there is to decide.
   *
   * For the first three and `abandon` status is asked first, and the gateway's word counts more: what status shows otherwise is refused,
   * and what it says later is told as `paid` or `surplus`. Who decided, why and when is kept in the payment for good, without card numbers.
   * Saying the same again changes nothing. You are not told `paid` a second time where you were told it before the dispute:
   * it stands again.
   *
   * @example
   * ```ts
   * const { kind } = await till.decide('basket-7', { kind: 'failed', who: 'ada', why: 'ticket 4711: the gateway has no such order' })
   * ```
   *
   * @throws {TypeError} for what is no decision; {@link TillError} `ERR_INSIDE_HANDLER`; a `StoreError` where the store fails.
   */
  decide(reference: string, decision: DecisionRequest): Promise<DecisionResult>
  /**
   * Takes up an order that was made before the till, by code of your own or by hand, or one that an unmatched callback named:
   * from then on it is an order of this payment, so that `pay` opens no second one, and captures, returns, voids and tellings work.
   * Nothing is adopted on a guess: the gateway must know the order, and what status says of it is what is kept.
   * Outcomes that happened before are told, once, as those of any other order; where another order of the payment brought money,
   * as `surplus`.
   *
   * @example
   * ```ts
   * const { kind } = await till.adopt({ reference: 'basket-7', clientOrderId: 'web-2024-000117', orderId: '1815162342' })
   * ```
   *
   * @throws {TypeError} for ids that are none; {@link TillError} `ERR_INSIDE_HANDLER`; a `StoreError` where the store fails:
   * the same again goes on.
   */
  adopt(request: AdoptRequest): Promise<AdoptResult>
  /** Lists everything of a payment that only a person can end; a request whose answer may still come is among it. */
  questions(reference: string): Promise<readonly PaymentQuestion[]>
  /**
   * Stops new money, durably and for every process of this till: `pay`, `verify` and `payout` open no order and send no payout until
   * `resume`, and throw `ERR_PAUSED`. What is open goes on: open forms are given, callbacks, status and tellings go on, and so do returns,
   * voids and captures, since a hold that nobody captures ends. The mark is read before each request that opens an order; one whose mark
   * was read before is still sent. What you send with `till.client` yourself is not stopped.
   *
   * @returns Who paused first, and why: pausing twice changes nothing.
   * @throws {TypeError} without `who` or `why`, and for text that is too long.
   */
  pause(person: Person): Promise<Pause>
  /** Lets new money come again. @throws {TypeError} without `who` or `why`. */
  resume(person: Person): Promise<void>
  /** Who stopped new money, if somebody did. */
  paused(): Promise<Pause | undefined>
  /** Says which payments need attention, and how much is open. @param options Where lists go on. Default: each begins anew. */
  report(options?: ReportOptions): Promise<TillReport>
  /**
   * Leaves nothing of old payments but their ids, for ever: such a reference is refused with `ERR_PAYMENT_OVER`.
   * Open, unknown, disputed and watched payments stay, and so do payments with a declined order, and those of which a callback waits for
   * a person. It reads every payment: call it from a cron, at night.
   *
   * @returns How many payments were purged.
   * @throws {TypeError} for an age below a day; a `StoreError` with `ERR_STORE_CLOCK` where the clocks of store and process are an hour
   * apart.
   */
  purge(options?: PurgeOptions): Promise<{ readonly purged: number }>
  /** The routes, to be mounted with `app.use` at the path of `address`. */
  express(): NodeHandler
  /** Answers one request of `node:http` or of a framework that hands it on. Undefined: the till has no such page. */
  answer(request: NodeRequest): Promise<Answer | undefined>
  /**
   * Answers one `Request` of the Web, as Hono, Next.js, Deno and Bun have it. Undefined: the till has no such page.
   *
   * @example
   * ```ts
   * app.all('/payments/*', async context => {
   *   const { address } = getConnInfo(context).remote // of @hono/node-server/conninfo
   *   return (await till.fetch(context.req.raw, { remoteAddress: address })) ?? context.notFound()
   * })
   * ```
   */
  fetch(request: Request, options?: FetchOptions): Promise<Response | undefined>
  /**
   * Takes up what a crash left behind, and works until the till is closed. Any number of processes may. It goes by the dates in the store:
   * an open order is asked about 60 seconds after its request, and an outcome that was being told is told again once `handlerTimeout`
   * is over.
   *
   * @throws What the store says where it cannot be used, such as a folder that is missing or tables of another release.
   * For a database that is away for a while the process is warned, and the work begins once it is back.
   */
  start(options?: StartOptions): Promise<void>
  /** One round of that work, for a cron. @returns How many orders there were. */
  tick(): Promise<number>
  /** Ends the work, and closes the clients. The store stays open: it is yours. */
  close(): Promise<void>
  /**
   * Every operation of the gateway, with the till's store. A call goes to the account of the order that it is about, where the store has
   * that order; else to the first account that takes its currency; else to the first one. `account` names another one by its login.
   *
   * @throws {TypeError} for a login that no account has; {@link TillError} `ERR_NOT_POSSIBLE` for an order whose account has gone. Nothing
   * is sent then.
   */
  readonly client: TillClient
  /** The accounts, which may change while the till runs. */
  readonly accounts: TillAccounts
}
