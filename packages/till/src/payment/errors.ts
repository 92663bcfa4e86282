import { NotSentError } from '@tillkit/client'
import { RedirectRefusedError } from '@tillkit/express-middleware/core'
import type { Person } from '@tillkit/protocol'
import type { PayRefusal } from '../intents/pay.js'
import { creationOf } from '../rules/orders/expected.js'
import type { PayTerms } from '../rules/pay/pay-step.js'
import type { KnownOrder } from '../state/known.js'
import type { Account } from './account.js'

/** Why a till did not do what it was asked for. Nothing was sent. */
export type TillErrorCode =
  /** The reference belongs to a payment with another purpose, currency, account or, of a payout, recipient; or one whose case differs. */
  | 'ERR_OTHER_PAYMENT'
  /** It is paid, held or sent over another amount, or its order over another amount has not ended. */
  | 'ERR_OTHER_AMOUNT'
  /** It was given back, charged back, or is so long over that only its name is left: use a new reference. */
  | 'ERR_PAYMENT_OVER'
  /** The gateway contradicted itself, or two orders brought money: a person must look first. */
  | 'ERR_NEEDS_PERSON'
  /** It was tried too often. */
  | 'ERR_TOO_MANY_ORDERS'
  /** There is no such payment, or it does not allow this change now. */
  | 'ERR_NOT_POSSIBLE'
  /** Another change of it has an outcome that is not known. */
  | 'ERR_CHANGE_OPEN'
  /** It was called inside the handler, whose telling has to end first. */
  | 'ERR_INSIDE_HANDLER'
  /** A person stopped new money, see `till.pause`. The message says who, and why. */
  | 'ERR_PAUSED'
  /** An account was to go, and payments of it are open; `openPayments` says how many. */
  | 'ERR_ACCOUNT_IN_USE'

/** A till did not do what it was asked for. Nothing was sent. Narrow with `code`. */
export class TillError extends Error {
  override readonly name = 'TillError'
  /** Nothing was sent, so nothing was charged by this call. */
  readonly moneyMayHaveMoved = false
  /** The number of open payments, with `ERR_ACCOUNT_IN_USE`. */
  declare readonly openPayments?: number

  /** @param reference Of the payment; of `ERR_ACCOUNT_IN_USE` one of those that are open. */
  constructor(
    readonly code: TillErrorCode,
    message: string,
    readonly reference: string,
    { openPayments, ...options }: ErrorOptions & { readonly openPayments?: number } = {},
  ) {
    super(message, options)
    if (openPayments !== undefined) this.openPayments = openPayments
  }
}

/** Accounts that were to go are in use. @param open References of payments that are open, by login; there is one at least. */
export function accountsInUse(open: ReadonlyMap<string, readonly string[]>): TillError {
  const all = new Set([...open.values()].flat())
  const [first = '', ...others] = all
  const parts = [...open].map(
    ([login, { length }]) => `${JSON.stringify(login)} has ${length} open ${length === 1 ? 'payment' : 'payments'}`,
  )
  return new TillError(
    'ERR_ACCOUNT_IN_USE',
    `till.accounts.set: the account ${parts.join(', and ')}, and cannot go yet. ` +
      `Among them: ${[first, ...others.slice(0, 2)].join(', ')}. Nothing was changed. ` +
      'Leave it in the list with "currencies": [], name it in no new payment, and take it out later.',
    first,
    { openPayments: all.size },
  )
}

/** An order of the store is of an account that this till does not have. */
export const accountGone = (
  { login, clientOrderId }: { readonly login: string; readonly clientOrderId: string },
  what: string,
): TillError =>
  new TillError(
    'ERR_NOT_POSSIBLE',
    `${what}: order ${JSON.stringify(clientOrderId)} is of the account ${JSON.stringify(login)}, ` +
      'which this till does not have. Put that account back into "accounts". Nothing was sent.',
    clientOrderId,
  )

/** Why nothing of a request was sent that was not even made. @param cause Why its run went no further. */
export const notBegun = (cause: unknown, subject: { readonly operation: string; readonly clientOrderId: string }) =>
  cause instanceof TillClosed
    ? new NotSentError(
        `The ${subject.operation} of payment ${JSON.stringify(subject.clientOrderId)} was not sent: ${cause.message}.`,
        subject,
      )
    : cause

/** A till was closed: nobody waits for its runs any more. */
export class TillClosed extends Error {
  constructor() {
    super('this till was closed; make another one with createTill')
  }
}

/** A person stopped new money. */
export const pausedError = (reference: string, { who, why }: Person): TillError =>
  new TillError(
    'ERR_PAUSED',
    `Payment ${JSON.stringify(reference)} opens no order: ${who} stopped new money, because ${JSON.stringify(why)}. ` +
      'Call till.resume once that is over. Nothing was sent.',
    reference,
  )

/** The code of an error of the client, if it is one. */
export const codeOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : undefined

const unanswered: ReadonlySet<unknown> = new Set([
  'ERR_OUTCOME_UNKNOWN',
  'ERR_GATEWAY_FAILURE',
  'ERR_UNREADABLE_REPLY',
  'ERR_TRANSPORT',
])

/** Whether a request was sent and it is not known what became of it. It must not be sent again. */
export const isUnanswered = (error: unknown): boolean => unanswered.has(codeOf(error))

/** How a payout stands that is over another amount, by its purpose. */
const settled: Partial<Record<PayTerms['purpose'], string>> = {
  payout: 'is sent',
  'payout-check': 'had its recipient checked for a payout',
}

/** A payout is asked for as it was begun: with a check of its recipient, or without. */
function otherCheck({ differs, was }: { readonly differs: string; readonly was: string }, purpose: string) {
  if (differs !== 'purpose') return undefined
  if (was === 'payout-check' && purpose === 'payout')
    return 'was begun with a check of its recipient. Ask for it with "checked: true".'
  if (was === 'payout' && purpose === 'payout-check')
    return 'was begun without a check of its recipient. Ask for it without "checked".'
  return undefined
}

/** A payout has no form. */
const byOption =
  ' If it has a form that nobody has begun to pay on, another one is opened by the option "replaceOpenForm", once a person gives it up ' +
  '(the decision "abandon"), and once its time is over.'

/** Why nothing was sent. */
export function refusalOf(
  step: PayRefusal,
  {
    reference,
    amount,
    purpose,
    isLate = false,
  }: {
    readonly reference: string
    readonly amount?: string | undefined
    readonly purpose: PayTerms['purpose']
    /** A request was sent before it was known that none may be. */
    readonly isLate?: boolean
  },
): TillError {
  const named = `Payment ${JSON.stringify(reference)}`
  // An earlier call may have sent a payout.
  const late = 'A request was sent before that was known; nobody is led to its form.'
  const nothing = isLate ? late : purpose in settled ? 'Nothing was sent now.' : 'Nothing was sent.'
  const error = (code: TillError['code'], message: string) =>
    new TillError(code, `${named} ${message} ${nothing}`, reference)
  switch (step.kind) {
    case 'other-payment':
      return error(
        'ERR_OTHER_PAYMENT',
        otherCheck(step, purpose) ??
          (step.mayHaveMoney
            ? `was begun with another ${step.differs} (${step.was}), and nothing says that it has failed. ` +
              `Ask for it with that ${step.differs}: another payment, under whatever reference, could be paid as well.`
            : `was begun with another ${step.differs} (${step.was}), and has failed. Use a new reference for another payment.`),
      )
    case 'other-recipient':
      return error(
        'ERR_OTHER_PAYMENT',
        step.isOpen
          ? `was asked for to another recipient (${step.was}), and nothing says that this order has failed. ` +
              'Another one, under this reference or a new one, could be paid as well. ' +
              'Once it was declined another recipient is possible.'
          : `${purpose === 'payout-check' ? 'had another recipient checked' : 'was sent to another recipient'} ` +
              `(${step.was}). Use a new reference for another payment.`,
      )
    case 'other-case':
      return error(
        'ERR_OTHER_PAYMENT',
        `is not ${JSON.stringify(step.reference)}, which is there already and differs in case only. Use a new reference.`,
      )
    case 'other-amount':
      return error(
        'ERR_OTHER_AMOUNT',
        step.isOpen
          ? `was asked for over ${step.was}, and nothing says that this order has failed. ` +
              `Another one over ${amount}, under this reference or a new one, could be paid as well. ` +
              `Ask for ${step.was} again; once it was declined another amount is possible.` +
              (purpose in settled ? '' : byOption)
          : `${settled[purpose] ?? 'is paid or held'} over ${step.was}, and not over the ${amount} asked for now. ` +
              'Use a new reference for another payment.',
      )
    case 'payment-over':
      return error(
        'ERR_PAYMENT_OVER',
        step.why === 'returned'
          ? 'was given back in full. Use a new reference to be paid again.'
          : 'was over long ago, and only its name is kept. Use a new reference.',
      )
    case 'needs-person':
      return error(
        'ERR_NEEDS_PERSON',
        step.why === 'surplus'
          ? 'was paid by two orders. A person must give one of them back.'
          : 'is disputed: the gateway contradicted itself, or does not show how an order of it began. A person must ask the gateway.',
      )
    case 'too-many-orders':
      return error(
        'ERR_TOO_MANY_ORDERS',
        step.mayBePaid
          ? 'was tried too often, and an order that it went on without can still be paid. Another payment, under whatever reference, ' +
              'could be paid as well. Look whether somebody tests cards.'
          : 'was tried too often. Use a new reference, and look whether somebody tests cards.',
      )
  }
}

/** Explains why a gateway may refuse the question about an order that it once had. */
export const notKnownThere = ({ client }: Account): string =>
  `The gateway at ${client.baseUrl} refused the question about the order, ` +
  'as it does for one that it does not know. It is another gateway than before, or it has forgotten its orders, ' +
  'as a fake gateway does when its process ends. ' +
  'In a test delete the store, or use a new reference; else set "baseUrl" to the gateway that has the order.'

/**
 * The form of an order is where no customer may be sent to any more.
 *
 * @param known.isKnown Whether the gateway that is asked now knows the order.
 */
export function formElsewhere(
  order: KnownOrder,
  { account, isKnown, cause }: { readonly account: Account; readonly isKnown: boolean; readonly cause?: unknown },
): RedirectRefusedError {
  const { baseUrl } = account.client
  const { origin, host } = new URL(creationOf(order)?.attempt.end?.redirectUrl ?? baseUrl)
  const status = isKnown
    ? `The gateway has moved its pages, or "redirectHosts" was changed: add ${JSON.stringify(host)} to it.`
    : notKnownThere(account)
  const error = new RedirectRefusedError(
    `The form of order ${JSON.stringify(order.clientOrderId)} was opened earlier, at ${origin}. ` +
      "The customer was not sent there, since its host is none of the gateway's now. " +
      `${status} Nothing was sent, and no second order was opened: the first could still be paid.`,
    { status: 502 },
  )
  return cause === undefined ? error : Object.assign(error, { cause })
}
