import type { WarningEvent } from '@tillkit/express-middleware/core'
import type { AnyOperation, Person } from '@tillkit/protocol'
import type { PayPlan } from '../../intents/pay.js'
import type { Payment } from '../../rules/pay/payment.js'
import type { WarningCode } from '../../said/warnings.js'
import type { Account, Accounts } from '../accounts.js'
import type { PaymentBook } from '../book.js'
import type { Deliveries } from '../deliveries.js'
import type { Beginning } from '../requests.js'

/** The place to send the customer to. */
export interface NextStep {
  /** `go`: to the form, or through 3DS. `wait`: to a page that waits and goes on by itself. `over`: it is paid; to your page. */
  readonly kind: 'go' | 'wait' | 'over'
  /**
   * Answer with 303 to it. It is absolute: of the gateway's form, or of a page on the site of the till's option `address`. Your page of
   * `returnTo` is on that site too, since customers are sent there from the till's own pages.
   */
  readonly address: string
  readonly payment: Payment
}

/** The parts of the till that a payment is made with. */
export interface PayContext {
  readonly accounts: Accounts
  readonly payments: PaymentBook
  readonly rules: PayPlan['rules']
  /** The address of a form that was opened before. @throws Where it is none of the gateway's. */
  checkedForm(account: Account, form: { readonly clientOrderId: string; readonly redirectUrl: string }): string
  /** Gives the address at which the till takes the customer of an order through 3DS. */
  threeDSecureAddress(account: Account, clientOrderId: string): Promise<string>
  /**
   * A page that shows how the payment stands.
   *
   * @param ways.goesOn Whether it leads on by itself to the form, once there is one.
   * @param ways.later Whether nothing more can be sent for now, so that the customer is to try again later.
   */
  waitingPage(clientOrderId: string, ways: { readonly goesOn: boolean; readonly later: boolean }): Promise<string>
  /** The address at which the gateway calls back; undefined: it does not call back, and the till asks status. */
  readonly callbackUrl: string | undefined
  readonly returnTo: (payment: Payment) => string
  readonly payAgain: ((payment: Payment) => string) | undefined
  /** Says once a minute of each code and reason. */
  warn(code: WarningCode, event: WarningEvent): void
  readonly deliveries: Deliveries
  /** Whether outcomes are told here, and by no other process. */
  readonly tells: boolean
  /** The page of the till that the customer of an order comes back to; undefined: it has none. */
  comesBackTo(account: Account, order: FormOrder): string | undefined
  /** Gives the operation that an account opens an order by. Default: the one that the payment begins with. */
  readonly operationFor?: (account: Account) => AnyOperation
  /** Who wants it, where a person does. */
  readonly person?: Person | undefined
}

/** An order whose customer comes back. */
export interface FormOrder {
  readonly operation: Beginning['operation']
  readonly clientOrderId: string
}
