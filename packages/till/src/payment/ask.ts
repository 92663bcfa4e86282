import { isGatewayError } from '@tillkit/client'
import { resolveUnanswered, tellOutcomes } from '@tillkit/express-middleware/core'
import {
  documentKey,
  finalOutcome,
  type KnownOrder,
  questionRaisedBy,
  questionsAbout,
  type StatusResponse,
  threeDSecureStep,
} from '@tillkit/protocol'
import type { Driving, Engine } from '../engine/engine.js'
import type { Who } from '../engine/who.js'
import { type AskedOrder, ask } from '../intents/ask.js'
import type { Account } from './accounts.js'
import { longestWait } from './book.js'
import type { Teller } from './deliveries.js'

/** What asking goes by. */
export interface AskContext<Transaction> {
  readonly account: Account
  /** Absent where another process tells. */
  readonly teller: Teller<Transaction> | undefined
  readonly at: number
  readonly engine: Engine
  readonly who: Who
  readonly wait: Driving<AskedOrder>['wait']
}

/** Asks status about everything that is open of an order, and tells what is new. */
export async function askAbout<Transaction>(order: KnownOrder, context: AskContext<Transaction>): Promise<AskedOrder> {
  const { clientOrderId } = order
  const { account, teller, who } = context
  if (clientOrderId === undefined) return 'no-answer'
  if (teller?.engine !== undefined) return teller.engine.askAndDeliver(order, account)
  const asked = who.ask === 'old' ? await askByClient(order, context) : await askByRun(order, context)
  // A handler that fails is told again by the work in the background, which reports it.
  if (teller !== undefined)
    await tellOutcomes(clientOrderId, { client: account.client, ...teller }).catch(() => undefined)
  return asked
}

/** Asks by a run of the engine, which writes down what it learns. */
async function askByRun(
  order: KnownOrder,
  { account, engine, wait }: Pick<AskContext<never>, 'account' | 'engine' | 'wait'>,
): Promise<AskedOrder> {
  const { runs, profile, login } = account
  // Another account may never have seen the order.
  if (order.login !== login) return 'no-answer'
  const key = documentKey(order, engine.place)
  const ended = await engine.drive({ ...runs, key, next: ask({ order, profile }), patience: longestWait, wait })
  return ended.kind === 'done' ? ended.result : 'no-answer'
}

/** Asks by the client, which writes down what it learns. */
async function askByClient(
  order: KnownOrder,
  { account, at }: Pick<AskContext<never>, 'account' | 'at'>,
): Promise<AskedOrder> {
  const { clientOrderId = '', orderId } = order
  const { client } = account
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
