import { isGatewayError } from '@tillkit/client'
import {
  type Afterwards,
  type OutcomeContext,
  resolveUnanswered,
  tellOutcomes,
  type Warn,
} from '@tillkit/express-middleware/core'
import {
  finalOutcome,
  type KnownOrder,
  questionRaisedBy,
  questionsAbout,
  type ReceivedOutcome,
  type StatusResponse,
  type Store,
  threeDSecureStep,
} from '@tillkit/protocol'
import type { Account } from './accounts.js'

/** The handler as outcomes are told to it. */
export interface Teller<Transaction> {
  readonly store: Store<Transaction>
  readonly onOutcome: (outcome: ReceivedOutcome, context: OutcomeContext<Transaction>) => Promise<void>
  readonly lease?: number
  readonly afterwards: Afterwards<Transaction>
  /** Shared by callbacks, visits and background work, so that a failing handler is warned of once. */
  readonly warn: Warn
}

/** What asking came to. */
export type AskedOrder = 'no-answer' | 'not-known' | 'answered' | 'begun' | 'brings-money'

/**
 * Asks status about everything that is open of an order, and tells what is new. The client writes down what it learns.
 *
 * @param teller Absent where another process tells.
 * @returns `brings-money`: status says approved, which was not known before, and may not be written down yet. `begun`: the customer has
 * begun to pay. `not-known`: the gateway refused the question, as it does for an order that it never saw; that proves nothing. `no-answer`: nothing may be concluded; so it is too where an order that had ended has not, by what status says.
 */
export async function askAbout<Transaction>(
  order: KnownOrder,
  {
    account,
    teller,
    at,
  }: { readonly account: Account; readonly teller: Teller<Transaction> | undefined; readonly at: number },
): Promise<AskedOrder> {
  const { clientOrderId, orderId } = order
  const { client } = account
  if (clientOrderId === undefined) return 'no-answer'
  let asked: AskedOrder = 'answered'
  let [isDoubtful, bringsMoney] = [false, false]
  try {
    await resolveUnanswered({ order, at }, client)
    const questions = [...questionsAbout(order)]
    for (const serialNumber of questions) {
      const reply = await client.status({
        clientOrderId,
        ...(orderId === undefined ? {} : { orderId }),
        ...(serialNumber === undefined ? {} : { byRequestSn: serialNumber }),
      })
      const raised =
        serialNumber === undefined ? questionRaisedBy(reply, { order, profile: account.profile }) : undefined
      if (raised !== undefined) questions.push(raised)
      // Status lags, or the customer tries another card: that it has failed is no longer known.
      if (hasEnded(order) && finalOutcome(reply.status, account.profile) === undefined) isDoubtful = true
      if (finalOutcome(reply.status, account.profile) === 'approved' && !hasApproval(order)) bringsMoney = true
      if (hasBegun(reply, account)) asked = 'begun'
    }
  } catch (error) {
    // What status did not say is not known: nothing is concluded from it.
    asked = isGatewayError(error) && error.code === 'ERR_REQUEST_REFUSED' ? 'not-known' : 'no-answer'
  }
  // A handler that fails is told again by the work in the background, which reports it.
  if (teller !== undefined) await tellOutcomes(clientOrderId, { client, ...teller }).catch(() => undefined)
  if (bringsMoney) return 'brings-money'
  return isDoubtful ? 'no-answer' : asked
}

/** Whether all that is known of an order is over. */
const hasEnded = ({ stages }: KnownOrder): boolean =>
  stages.length > 0 && stages.every(({ outcome }) => outcome !== undefined)

const hasApproval = ({ stages }: KnownOrder): boolean => stages.some(({ outcome }) => outcome === 'approved')

/** Whether status shows that a customer has given a card. */
const hasBegun = (reply: StatusResponse, { profile }: Account): boolean =>
  reply.lastFourDigits !== undefined || reply.bin !== undefined || threeDSecureStep(reply, profile) !== undefined
