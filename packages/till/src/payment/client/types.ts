import type {
  AwaitOutcomeOptions,
  CallOptions,
  CheckOptions,
  ClientMethods,
  OrderQuestion,
  PreparedRequest,
  PrepareOptions,
  StoredQuestion,
} from '@tillkit/client'
import type {
  KeptPayments,
  Operation,
  Operations,
  OutcomeQuestion,
  Reply,
  RequestOf,
  ResponseOf,
  WaitState,
} from '@tillkit/protocol'

/** Says which account a call is for. */
export interface OfAccount {
  /**
   * The login of one of the till's accounts. Default: the account of the order that the call is about, where the store has that order; else
   * the first one that takes the currency; else the first one.
   */
  readonly account?: string | undefined
}

/** Options of a call that may say which account it is for. */
export type Of<Options> = Options & OfAccount

/** Requests that change a part of an order: they say an amount, and others of the same operation do not. */
type PartOf<Request> =
  Exclude<Request, { readonly amount: string }> extends never
    ? never
    : Extract<Request, { readonly orderId: string; readonly amount: string }>

type Method<Request, Response> = (request: Request, options?: Of<CallOptions>) => Promise<Response>

type AccountsMethod<Request, Response> = [PartOf<Request>] extends [never]
  ? Method<Request, Response>
  : Method<Exclude<Request, PartOf<Request>>, Response> &
      ((request: Request, options: Of<CallOptions> & { readonly attemptId: string }) => Promise<Response>)

/** A method for each operation. */
type OperationsOfAccounts = {
  readonly [Name in keyof Operations]: AccountsMethod<RequestOf<Operations[Name]>, ResponseOf<Operations[Name]>>
}

/** A client of all accounts of a till: each call finds its account. Each request that it sends is written down in the till's store. */
export interface TillClient extends OperationsOfAccounts, Pick<ClientMethods, 'wake'> {
  /** That of the first account. */
  readonly baseUrl: string
  /** Where the till keeps its payments; the login is that of the first account. */
  readonly payments: KeptPayments
  /** As the client's. */
  send<Request, Response extends Reply>(
    operation: Operation<Request, Response>,
    request: Request,
    options?: Of<CallOptions>,
  ): Promise<Response>
  /**
   * As the client's. It reads nothing: where the till has several accounts, `account` says which one sends what does not create an order.
   *
   * @throws {TypeError} where it does not, and for a login that no account has.
   */
  prepare<Request, Response extends Reply>(
    operation: Operation<Request, Response>,
    request: Request,
    options?: Of<PrepareOptions>,
  ): PreparedRequest<Response>
  /** As the client's. */
  order(question: OrderQuestion, options?: Of<CallOptions>): ReturnType<ClientMethods['order']>
  /** As the client's. */
  awaitOutcome(
    question: OutcomeQuestion | WaitState | StoredQuestion,
    options?: Of<AwaitOutcomeOptions>,
  ): ReturnType<ClientMethods['awaitOutcome']>
  /** As the client's. */
  watchOutcome(
    question: OutcomeQuestion | WaitState | StoredQuestion,
    options?: Of<AwaitOutcomeOptions>,
  ): ReturnType<ClientMethods['watchOutcome']>
  /** As the client's, of the account that the attempt was made by. */
  resolve: ClientMethods['resolve']
  /** As the client's, of the account that the attempt was made by. */
  decide: ClientMethods['decide']
  /** As the client's, of one account: the first where no other is named. `till.check` checks all of them. */
  check(options?: Of<CheckOptions>): ReturnType<ClientMethods['check']>
  /** Closes the clients of all accounts, as `till.close` does. */
  close(): Promise<void>
}
