import type { WarningCode, WarningEvent } from '@tillkit/express-middleware/core'
import type { KnownOrder, Payment, ReadDocument } from '@tillkit/protocol'
import type { AskedOrder } from '../../intents/ask.js'
import type { Account, Accounts } from '../accounts.js'
import type { PaymentBook } from '../book.js'
import type { TillOptions } from '../options.js'
import type { Beginning } from '../requests.js'
import type { RestoredMark } from '../restored.js'

/** Where to send the customer. */
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

/** What paying needs of the till. */
export interface PayContext {
  readonly accounts: Accounts
  readonly payments: PaymentBook
  readonly rules: Required<Pick<TillOptions, 'replaceOpenForm' | 'patience' | 'mostOrders'>>
  readonly wait: (milliseconds: number) => Promise<void>
  /** Opens the form of an order, and gives its address. It throws what the client throws. */
  openForm(account: Account, order: FormOrder): Promise<string>
  /** The address of a form that was opened before. @throws Where it is none of the gateway's. */
  checkedForm(account: Account, form: { readonly clientOrderId: string; readonly redirectUrl: string }): string
  /** Where the customer of an order is taken through 3DS. */
  threeDSecureAddress(account: Account, clientOrderId: string): Promise<string>
  /**
   * A page that shows how the payment stands.
   *
   * @param ways.goesOn Whether it leads on by itself to the form, once there is one.
   * @param ways.later Whether nothing more can be sent for now, so that the customer is to try again later.
   */
  waitingPage(clientOrderId: string, ways: { readonly goesOn: boolean; readonly later: boolean }): Promise<string>
  /** Where the gateway calls back; undefined: nowhere, and status is asked. */
  readonly callbackUrl: string | undefined
  readonly returnTo: (payment: Payment) => string
  readonly payAgain: ((payment: Payment) => string) | undefined
  ask(order: KnownOrder, account: Account, at: number): Promise<AskedOrder>
  /** @throws {TillError} `ERR_PAUSED` where a person stopped new money. */
  checkPause(reference: string): Promise<void>
  /** Whether the store was restored from a backup. */
  readonly restored: Pick<RestoredMark, 'isSet'>
  readonly clock: () => number
  /** Says once a minute of each code and reason. */
  warn(code: WarningCode, event: WarningEvent): void
}

/** What the form of an order is asked for with. */
export interface FormOrder {
  readonly operation: Beginning['operation']
  readonly clientOrderId: string
  readonly fields: Readonly<Record<string, unknown>>
}

/** What was learnt since the merchant asked. */
export interface Learnt {
  readonly asked: Set<string>
  /** Orders of which nobody could say how they stand. */
  readonly unanswered: Set<string>
  readonly begun: Set<string>
  /** Orders of which status said that they bring money. */
  readonly paid: Set<string>
  readonly differs: Set<string>
  /** Orders whose form is at an address that no customer may be sent to any more. */
  readonly unreachable: Set<string>
  /** Whether the store was restored from a backup; undefined: that was not looked up yet. */
  restored: boolean | undefined
  /** Orders that the gateway has never seen. */
  readonly absent: Set<string>
  waited: number
}

/** Nothing was learnt yet. */
export const learntNothing = (): Learnt => ({
  asked: new Set(),
  unanswered: new Set(),
  begun: new Set(),
  paid: new Set(),
  differs: new Set(),
  unreachable: new Set(),
  restored: undefined,
  absent: new Set(),
  waited: 0,
})

/** What one step goes by: the document as it was read, and all that was learnt so far. */
export interface Round {
  readonly beginning: Beginning
  readonly read: ReadDocument
  readonly account: Account
  readonly learnt: Learnt
  readonly context: PayContext
}
