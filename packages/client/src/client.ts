import type { Operation, Operations, Reply, RequestOf, ResponseOf } from '@tillkit/protocol'
import type { PreparedRequest } from './call/prepare.js'
import type { CheckOptions, CheckReport } from './check/types.js'
import type { CallOptions, Environment, PrepareOptions } from './config/options.js'
import type { AwaitedOutcome, AwaitOutcomeOptions, OutcomeQuestion } from './outcomes/types.js'

type Method<Request, Response> = (request: Request, options?: CallOptions) => Promise<Response>

/** A method for each operation. */
export type OperationMethods = {
  readonly [Name in keyof Operations]: Method<RequestOf<Operations[Name]>, ResponseOf<Operations[Name]>>
}

/** A client of the gateway. It keeps nothing. Every method rejects with an `AnyGatewayError`. */
export interface Client extends OperationMethods, ClientMethods {}

/** What a client does besides the operations of the table. */
export interface ClientMethods {
  /** Address of the gateway as it was given, without a trailing slash. Its host is where hosted forms may be. */
  readonly baseUrl: string
  /** Login of the merchant that calls are made for unless they name another one. */
  readonly login: string
  /** The environment of the address: `test` for loopback and plain http, else as the option says. `undefined`: the option says nothing. */
  readonly environment: Environment | undefined
  /** Sends a request of an operation of your own, see `operation()`. It is checked, signed and concluded like those of the table. */
  send<Request, Response extends Reply>(
    operation: Operation<Request, Response>,
    request: Request,
    options?: CallOptions,
  ): Promise<Response>
  /**
   * Checks and builds a request, and sends nothing. For programs that keep a book of their own: they write down `description`, send, and
   * write down `end`.
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
   * Waits until the outcome of one stage is known. It asks status on the public schedule, at once when it is told of a
   * callback, and rests on nothing but a status reply about this very stage that echoes both ids.
   *
   * Ends as `approved`, `declined`, `filtered`, `error`; as `needs-customer` (3DS: send the customer through `step`, then wait again);
   * as `needs-person` (nothing to deliver, nothing to repeat); or as `still-unknown`, which is no "no".
   *
   * @example
   * ```ts
   * const { orderId } = await client.sale(request)
   * const ended = await client.awaitOutcome({ clientOrderId: 'o-1', orderId, stages: ['sale'], amount: '10.00', currency: 'EUR' })
   * if (ended.kind === 'approved') deliver()
   * ```
   *
   * Nothing is kept of a wait. One that comes after `needs-customer` takes `shownSteps` of it, or it sends the customer to the same
   * step again.
   *
   * @throws {TypeError} for a question or an option that cannot work.
   */
  awaitOutcome(question: OutcomeQuestion, options?: AwaitOutcomeOptions): Promise<AwaitedOutcome>
  /**
   * Wakes every wait of this client for an outcome of this order, so that status is asked at once. Call it with what a
   * verified callback says; nothing is believed of it but that it is worth asking.
   *
   * @returns How many waits were woken.
   * @throws {TypeError} when it does not say which order it is about.
   */
  wake(callback: { readonly clientOrderId: string }): number
  /**
   * Proves address, login, control key and RSA key without moving money, and says which of them is wrong.
   *
   * It asks for an order that does not exist, and sends two requests that cannot be carried out, each as configured and with
   * a wrong key, login or endpoint: twenty-four requests at most, one after the other. Where a gateway's answers allow
   * several explanations it says `cannot-tell`. `orderNeverSeen` of its report is the gateway's word for an order that it never saw.
   *
   * @example
   * ```ts
   * const { verdict, text } = await client.check()
   * ```
   *
   * @throws {TypeError} or an {@link InvalidRequestError} when an option is wrong.
   */
  check(options?: CheckOptions): Promise<CheckReport>
  /**
   * Waits for open requests and closes the client's own connections; a dispatcher that was handed in stays open, and is
   * not waited for. Later calls are not sent. Every wait for an outcome ends as `still-unknown`.
   */
  close(): Promise<void>
}
