/**
 * What the store has of an order's payment. Client, callbacks, the customer's return and 3DS write it down there; the shop keeps no
 * copy.
 *
 * @module
 */
import { type ClientWithStore, isGatewayError } from '@tillkit/client'
import { type TellOutcomesOptions, tellOutcomes } from '@tillkit/express-middleware/core'
import {
  creationOf,
  documentKey,
  findOrder,
  isUnresolved,
  type KnownAttempt,
  type KnownOrder,
  mayHaveArrived,
  type Order,
  outcomeToTell,
  questionsAbout,
  quietFrom,
  readDocument,
  shownAttempts,
} from '@tillkit/protocol'
import type { SqliteTransaction } from '@tillkit/till/sqlite'

/** A request about an order whose end status has not shown. */
export interface OpenRequest {
  readonly attempt: KnownAttempt
  /** `sending` until it is answered; `unknown` when no answer came: it must not be sent again. */
  readonly state: 'sending' | 'sent' | 'unknown'
}

/** The payment of an order, as the store has it. */
export interface Payment {
  readonly order: Order & KnownOrder
  readonly open: readonly OpenRequest[]
  /** Why nothing may be delivered and a person must look, one sentence each; mostly none. */
  readonly disputes: readonly string[]
  /** The gateway's page, for a customer who left it before paying. */
  readonly formUrl: string | undefined
}

/** Reads the payment of an order. One of which nothing was sent has no stages, and nothing is open about it. */
export async function paymentOf(
  { payments, baseUrl }: Pick<ClientWithStore, 'payments' | 'baseUrl'>,
  clientOrderId: string,
): Promise<Payment> {
  const { at, stored } = await payments.store.read(documentKey({ clientOrderId }, payments))
  const { login } = payments
  const nothing = { login, attempts: [], stages: [] }
  const document = stored === undefined ? undefined : readDocument(stored)
  const known = document === undefined ? undefined : findOrder(document, { clientOrderId, login })
  const order = { ...(known ?? nothing), clientOrderId }
  const form = creationOf(order)?.attempt.end?.redirectUrl ?? ''
  return {
    order,
    open: shownAttempts(order).flatMap(({ attempt, stage }) => {
      // Whose stage it is that status shows, `client.resolve` says of a change that was not answered.
      const isOver = stage?.outcome !== undefined && !(attempt.effect === 'changes' && isUnresolved(attempt))
      return isOver || !mayHaveArrived(attempt) ? [] : [{ attempt, state: stateOf(attempt, at) }]
    }),
    disputes: order.stages.flatMap(stage => {
      if (document === undefined || stage.outcome === undefined) return []
      const outcome = outcomeToTell(document, { order, stage, key: '' })
      return outcome.kind === 'disputed' ? outcome.explanation : []
    }),
    // Customers are sent to the gateway, and nowhere else.
    formUrl: URL.canParse(form) && new URL(form).host === new URL(baseUrl).host ? form : undefined,
  }
}

function stateOf(attempt: KnownAttempt, at: number): OpenRequest['state'] {
  if (attempt.end === undefined && at < quietFrom(attempt)) return 'sending'
  return isUnresolved(attempt) ? 'unknown' : 'sent'
}

/** What asking needs. */
export interface AskOptions extends TellOutcomesOptions<SqliteTransaction> {
  readonly client: ClientWithStore
}

/**
 * Asks status about everything that is open of an order, and about the latest that happened to it: a callback about a chargeback may
 * have been lost. The client writes down what it learns; the handler is told of what it was not told yet.
 *
 * @returns Whether status cannot tell what became of a change, so that a person has to ask the gateway.
 */
export async function askAbout(clientOrderId: string, options: AskOptions): Promise<boolean> {
  const { client } = options
  const { order, open } = await paymentOf(client, clientOrderId)
  if (creationOf(order) === undefined) return false
  const orderId = order.orderId === undefined ? {} : { orderId: order.orderId }
  let needsPerson = false
  try {
    for (const { attempt, state } of open) {
      if (attempt.effect !== 'changes' || state !== 'unknown') continue
      const resolved = await client.resolve(attempt)
      if (resolved.kind === 'cannot-tell-yet' && resolved.needsPerson) needsPerson = true
    }
    for (const serialNumber of questionsAbout(order)) {
      const by = serialNumber === undefined ? {} : { byRequestSn: serialNumber }
      await client.status({ clientOrderId, ...orderId, ...by })
    }
  } catch (error) {
    // No answer says nothing of the order: what the store has stands.
    if (!isGatewayError(error)) throw error
  }
  await tellOutcomes(clientOrderId, options)
  return needsPerson
}
