import type { Account, Accounts } from '../payment/accounts.js'
import { type PaymentBook, referenceOf } from '../payment/book.js'
import { isKeepable } from '../people/unmatched.js'

/** Finds the account of an order; undefined: the store does not have it, or its account has gone. */
export type FindAccount = (clientOrderId: string) => Promise<Account | undefined>

/** Makes what finds the account of an order. Where there is one account, and never was another, nothing is read for it. */
export const accountFinder =
  (accounts: Accounts, payments: Pick<PaymentBook, 'read' | 'keyOf'>): FindAccount =>
  async clientOrderId => {
    if (!accounts.areSeveral) return accounts.all[0]
    if (!isKeepable(payments.keyOf(clientOrderId))) return undefined
    const { document } = await payments.read(referenceOf(clientOrderId))
    const order = document?.orders.find(each => each.clientOrderId === clientOrderId)
    return order === undefined ? undefined : accounts.ofLogin(order.login)
  }
