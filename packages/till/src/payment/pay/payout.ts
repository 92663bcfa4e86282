import { operations, type PayoutV4Request, type Person, readPersonIfGiven, recipientOf } from '@tillkit/protocol'
import type { Payment } from '../../rules/pay/payment.js'
import type { MadeHere, OmitEach, PaymentName } from '../requests.js'
import { sendCheckedPayout } from './checked-payout.js'
import type { PayContext } from './pay-context.js'
import { takePayment } from './take-payment.js'

/** Money that is sent to an account, a card or a phone. */
export type PayoutOrder = PaymentName & {
  /**
   * In two steps: the recipient is checked first, of which you are told `verified`; ask for the same payout again after that,
   * and it is sent. It takes an account with a private key. Default: false, one step.
   */
  readonly checked?: boolean
} & Partial<Person> &
  OmitEach<PayoutV4Request, MadeHere>

/** The parts of the till that a payout is made with. */
export type PayoutContext = Omit<PayContext, keyof typeof noCustomer | 'operationFor' | 'person'>

/** How a payout stands. */
export interface PayoutResult {
  /**
   * `sent`: the gateway approved it. `wait`: it is under way, or not known; the till finds out, and nothing more is sent until then.
   * A payout in two steps waits as well until you ask for it again once it was checked.
   */
  readonly kind: 'sent' | 'wait'
  readonly payment: Payment
}

/**
 * Sends money, once for each reference: signed with RSA where the account has a private key, with HMAC otherwise. A second order is opened
 * only where it is asked for again after the first is known to have failed, in its second step too.
 *
 * @throws {TillError} where nothing may be sent, and what the client throws where the request was refused or not sent.
 */
export async function payout(
  { reference, account, checked = false, who, why, ...fields }: PayoutOrder,
  context: PayoutContext,
): Promise<PayoutResult> {
  const { amount, currency } = fields
  const person = readPersonIfGiven('till.payout', { who, why })
  const purpose = checked ? 'payout-check' : 'payout'
  const beginning = { reference, account, purpose, amount, currency, recipient: recipientOf(fields), fields } as const
  const { kind, payment } = await takePayment(
    { ...beginning, operation: 'payout' },
    {
      ...context,
      ...noCustomer,
      operationFor: ({ signsByKey }) =>
        checked ? operations.payoutCheck : signsByKey ? operations.payoutV4 : operations.payout,
      person,
    },
  )
  if (!checked) return { kind: kind === 'over' ? 'sent' : 'wait', payment }
  if (kind === 'over' && payment.state === 'verified') await sendCheckedPayout(reference, person, context)
  const now = context.payments.view(reference, await context.payments.read(reference))
  return { kind: now.state === 'sent' ? 'sent' : 'wait', payment: now }
}

/** A payout has no customer. */
const noCustomer = {
  checkedForm: () => '',
  threeDSecureAddress: async () => '',
  waitingPage: async () => '',
  returnTo: () => '',
  payAgain: undefined,
  comesBackTo: () => undefined,
}
