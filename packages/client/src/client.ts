import type {
  KeptPayments,
  Operation,
  Operations,
  RememberedAttempt,
  Reply,
  RequestOf,
  ResponseOf,
} from '@tillkit/protocol'
import type { DecideOptions, Decision } from './attempts/resolve/decide.js'
import type { Resolution, ResolveOptions } from './attempts/resolve/types.js'
import type { PreparedRequest, PrepareOptions } from './call/prepare.js'
import type { CheckOptions, CheckReport } from './check/types.js'
import type { CallOptions, Environment } from './config/options.js'
import type { WatchMethods } from './outcomes/types.js'

/** Requests that change a part of an order: they say an amount, and others of the same operation do not. */
type PartOf<Request> =
  Exclude<Request, { readonly amount: string }> extends never
    ? never
    : Extract<Request, { readonly orderId: string; readonly amount: string }>

type Method<Request, Response> = (request: Request, options?: CallOptions) => Promise<Response>

/** A part of an order has an `attemptId`: that is how a client that remembers attempts knows it again. */
type RememberedMethod<Request, Response> = [PartOf<Request>] extends [never]
  ? Method<Request, Response>
  : Method<Exclude<Request, PartOf<Request>>, Response> &
      ((request: Request, options: CallOptions & { readonly attemptId: string }) => Promise<Response>)

/** A method for each operation. `capture` and `return` with an amount take an `attemptId`. */
export type OperationMethods = {
  readonly [Name in keyof Operations]: RememberedMethod<RequestOf<Operations[Name]>, ResponseOf<Operations[Name]>>
}

/** A method for each operation, where no attempts are remembered. */
export type MethodsWithoutAttempts = {
  readonly [Name in keyof Operations]: Method<RequestOf<Operations[Name]>, ResponseOf<Operations[Name]>>
}

/** A client of the gateway. Every method rejects with an `AnyGatewayError`. */
export interface Client extends OperationMethods, ClientMethods {}

/** A client with a store. */
export interface ClientWithStore extends Client {
  /** Where it keeps its payments. */
  readonly payments: KeptPayments
}

/** A client that remembers no attempts, so that no method asks for an `attemptId`. Each is a `Client` as well. */
export interface ClientWithoutAttempts extends MethodsWithoutAttempts, ClientMethods {}

/** What a client does besides the operations of the table. */
export interface ClientMethods extends WatchMethods {
  /** Address of the gateway as it was given, without a trailing slash. Its host is where hosted forms may be. */
  readonly baseUrl: string
  /** The login of the merchant; that of a call may be another one. */
  readonly login: string
  /** What address and keys are for, as far as the options say it: an address of this machine is a test. */
  readonly environment: Environment | undefined
  /**
   * Sends a request of an operation of your own, see `operation()`. It is checked, signed, remembered and concluded
   * like those of the table.
   */
  send<Request, Response extends Reply>(
    operation: Operation<Request, Response>,
    request: Request,
    options?: CallOptions,
  ): Promise<Response>
  /**
   * Checks and builds a request, and sends nothing. For programs that keep a book of their own: they write down `description`, send, and
   * write down `end`. Nothing is kept of it here, whatever store the client has.
   *
   * @example
   * ```ts
   * const prepared = client.prepare(operations.sale, { clientOrderId: 'o-1', amount: '10.00', currency: 'EUR', ...card })
   * await book.write(prepared.description)
   * const sent = await prepared.send({ startWithin: 5_000 })
   * await book.write(sent.end)
   * ```
   *
   * @throws An {@link InvalidRequestError} for a request that cannot be sent.
   */
  prepare<Request, Response extends Reply>(
    operation: Operation<Request, Response>,
    request: Request,
    options?: PrepareOptions,
  ): PreparedRequest<Response>
  /**
   * Asks what became of an attempt whose outcome is unknown: `attempt` of an `OutcomeUnknownError`, `openAttempt` of an
   * `OpenChangeError`, or one that was stored. It asks status and never sends the request again.
   *
   * `happened`: the gateway took it. `no-trace`: it did nothing, by what status says of an operation that creates (see
   * `ResolveOptions` for what that takes), or by what was written into the store meanwhile.
   * `cannot-tell-yet`: ask again later, or where `needsPerson` says so have a person look, and {@link ClientMethods.decide}. With a
   * store, what it says is written down, and any process may ask next.
   *
   * @throws An {@link InvalidRequestError} when it is no attempt of this client's, or an option is wrong. It throws nothing else.
   */
  resolve(attempt: RememberedAttempt, options?: ResolveOptions): Promise<Resolution>
  /**
   * Writes down what a person has found out about an attempt that nothing else can tell. What the gateway is known to have
   * accepted stays accepted.
   *
   * @example
   * ```ts
   * await client.decide(error.attempt, { kind: 'no-trace', note: 'ticket 4711' })
   * ```
   *
   * @throws An {@link InvalidRequestError} without a store or a note, for what is no attempt of this merchant, and for an attempt that is to
   * be freed while its call may still wait for an answer. A `StoreError` where the store has not taken it within `timeout` milliseconds,
   * by default the client's.
   */
  decide(attempt: RememberedAttempt, decision: Decision, options?: DecideOptions): Promise<void>
  /**
   * Proves address, login, control key and RSA key without moving money, and says which of them is wrong.
   *
   * It asks for an order that does not exist, and sends two requests that cannot be carried out, each as configured and with
   * a wrong key, login or endpoint: twenty-four requests at most, one after the other. Where a gateway's answers allow
   * several explanations it says `cannot-tell`. With a store it keeps the gateway's word for an order it never saw, for {@link ClientMethods.resolve}.
   *
   * @example
   * ```ts
   * const { verdict, text } = await client.check()
   * ```
   *
   * @throws {TypeError} or an {@link InvalidRequestError} when an option is wrong, and what the store throws.
   */
  check(options?: CheckOptions): Promise<CheckReport>
  /**
   * Waits for open requests and closes the client's own connections; a dispatcher that was handed in stays open, and is
   * not waited for. Later calls are not sent. Every wait for an outcome ends as `still-unknown`.
   */
  close(): Promise<void>
}
