/**
 * The operations that answer with a hosted form, as far as the middleware needs to know them.
 *
 * @module
 */
import type {
  AccountVerificationFormRequest,
  AsyncCheckoutFormRedirect,
  AuthFormRequest,
  PaymentFormRequest,
  PayoutFormRequest,
  SaleFormRequest,
} from '@tillkit/protocol'

/** Request record of each operation that answers with a hosted form. */
export interface HostedFormRequests {
  readonly saleForm: SaleFormRequest
  readonly preauthForm: AuthFormRequest
  readonly accountVerificationForm: AccountVerificationFormRequest
  readonly paymentForm: PaymentFormRequest
  readonly payoutForm: PayoutFormRequest
}

/** Name of an operation that answers with a hosted form. */
export type HostedFormOperation = keyof HostedFormRequests

/** What the merchant says of the order; `redirectUrl` is made by the middleware. */
export type HostedFormOrder<Operation extends HostedFormOperation = HostedFormOperation> = {
  readonly [Name in Operation]: Omit<HostedFormRequests[Name], 'redirectUrl'>
}[Operation]

/** Whatever creates hosted forms; `createClient` of `@tillkit/client` makes one. */
export type HostedFormClient<Operation extends HostedFormOperation = HostedFormOperation> = {
  readonly [Name in Operation]: (request: HostedFormRequests[Name]) => Promise<AsyncCheckoutFormRedirect>
} & {
  /** Address of the gateway. Its host is where customers may be sent, unless `redirectHosts` says otherwise. */
  readonly baseUrl?: URL | string
}

/** Every operation that answers with a hosted form. */
export const hostedFormOperations = [
  'saleForm',
  'preauthForm',
  'accountVerificationForm',
  'paymentForm',
  'payoutForm',
] as const satisfies readonly HostedFormOperation[]
