import {
  currentOrder,
  hasLostChange,
  mayHaveArrived,
  operations,
  type Payment,
  type PayoutV4Request,
  type Person,
  readPersonIfGiven,
  recipientOf,
} from '@tillkit/protocol'
import type { Account } from '../accounts.js'
import type { Deliveries } from '../deliveries.js'
import type { MadeHere, OmitEach, PaymentName } from '../requests.js'
import { pay } from './pay.js'
import { payByRun } from './pay-by-run.js'
import type { FormOrder, PayContext } from './pay-context.js'
import { executeByRun, mayBeUnderWay } from './payout-by-run.js'

/** Money that is sent to an account, a card or a phone. */
export type PayoutOrder = PaymentName & {
  /**
   * In two steps: the recipient is checked first, of which you are told `verified`; ask for the same payout again after that, and it is sent.
   * It takes an account with a private key. Default: false, one step.
   */
  readonly checked?: boolean
} & Partial<Person> &
  OmitEach<PayoutV4Request, MadeHere>

/** What a payout needs of the till. */
export type PayoutContext = Omit<PayContext, keyof typeof noCustomer | 'openForm'> & {
  /** Absent: the old engine pays. */
  readonly deliveries: Deliveries | undefined
  readonly tells: boolean
}

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
  { deliveries, tells, ...context }: PayoutContext,
): Promise<PayoutResult> {
  const { amount, currency } = fields
  const person = readPersonIfGiven('till.payout', { who, why })
  const purpose = checked ? 'payout-check' : 'payout'
  const beginning = { reference, account, purpose, amount, currency, recipient: recipientOf(fields), fields } as const
  const { kind, payment } =
    deliveries === undefined
      ? await pay(
          { ...beginning, operation: 'payout' },
          {
            ...context,
            ...noCustomer,
            openForm: (account, order) => (checked ? check(account, order, person) : send(account, order, person)),
          },
        )
      : await payByRun(
          { ...beginning, operation: 'payout' },
          {
            ...context,
            ...noCustomer,
            deliveries,
            tells,
            comesBackTo: () => undefined,
            operationFor: ({ signsByKey }) =>
              checked ? operations.payoutCheck : signsByKey ? operations.payoutV4 : operations.payout,
            person,
          },
        )
  if (!checked) return { kind: kind === 'over' ? 'sent' : 'wait', payment }
  if (kind === 'over' && payment.state === 'verified')
    await (deliveries === undefined
      ? execute(reference, person, context)
      : executeByRun(reference, person, { ...context, deliveries, tells }))
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
}

/** Checks the recipient; no money moves. */
async function check(
  { client }: Account,
  { clientOrderId, fields }: FormOrder,
  person: Person | undefined,
): Promise<string> {
  // The fields are those of the operation: `payout` takes no others, and the client checks them.
  await (client.payoutCheck as Sending)({ ...fields, clientOrderId }, { person })
  return ''
}

type Executing = Pick<PayContext, 'payments' | 'accounts' | 'callbackUrl' | 'checkPause' | 'ask' | 'restored'>

/** The order of a payout whose recipient was checked, and those before it. Undefined: there is no such order now. */
async function findChecked(reference: string, { payments, accounts }: Executing) {
  const read = await payments.read(reference)
  const { document, at } = read
  const { order } = (document && currentOrder(document, at, accounts.all[0].profile)) ?? {}
  const account = order === undefined ? undefined : accounts.ofLogin(order.login)
  if (document === undefined || order === undefined || account === undefined) return undefined
  if (payments.view(reference, read).state !== 'verified') return undefined
  return { order, account, at, before: document.orders.filter(each => each !== order) }
}

/**
 * Sends the money of a payout that was checked. The store lets it through once for each order, and only where every other order of the payout is
 * known to have failed: those are asked about once more before.
 */
async function execute(reference: string, person: Person | undefined, context: Executing): Promise<void> {
  const { accounts, callbackUrl, checkPause } = context
  let found = await findChecked(reference, context)
  if (found === undefined) return
  for (const earlier of found.before) {
    const asked = await context.ask(earlier, accounts.ofLogin(earlier.login) ?? found.account, found.at)
    // Of an order that the gateway had, a refused question says nothing: a decline may have been corrected.
    const wasThere = earlier.stages.length > 0 || earlier.orderId !== undefined
    if (asked === 'no-answer' || asked === 'brings-money' || (asked === 'not-known' && wasThere)) return
  }
  const isRestored = await context.restored.isSet()
  if (isRestored) {
    // It may have been sent after the backup was made. Without an answer it is not sent.
    const asked = await context.ask(found.order, found.account, found.at)
    if (asked === 'no-answer' || asked === 'not-known') return
  }
  if (isRestored || found.before.length > 0) found = await findChecked(reference, context)
  if (found === undefined || (isRestored && hasLostChange(found.order))) return
  const { clientOrderId, orderId, attempts } = found.order
  if (clientOrderId === undefined || orderId === undefined) return
  const wasSent = attempts.some(each => each.operation === 'payoutPay' && mayHaveArrived(each))
  if (!wasSent) await checkPause(reference)
  try {
    const callback = callbackUrl === undefined ? {} : { serverCallbackUrl: callbackUrl }
    await found.account.client.payoutPay({ clientOrderId, orderId, ...callback }, { person })
  } catch (error) {
    if (!mayBeUnderWay(error)) throw error
  }
}

async function send(
  { client, signsByKey }: Account,
  { clientOrderId, fields }: FormOrder,
  person: Person | undefined,
): Promise<string> {
  const { [signsByKey ? 'payoutV4' : 'payout']: method } = client
  // The fields are those of the operation: `payout` takes no others, and the client checks them.
  await (method as Sending)({ ...fields, clientOrderId }, { person })
  return ''
}

type Sending = (request: object, options: { readonly person: Person | undefined }) => Promise<unknown>
