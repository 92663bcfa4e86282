import {
  finalOutcome,
  isUnresolved,
  type KeepingClient,
  type KnownOrder,
  questionRaisedBy,
  questionsAbout,
  quietFrom,
  type StatusAsker,
  type StatusResponse,
  type WireProfile,
} from '@tillkit/protocol'
import type { Answered } from './asked.js'
import type { FoundOrder } from './ledger.js'

/** What questions about an order came to. */
export interface Asked {
  readonly replies: readonly Answered[]
  /** Absent where every question was answered. */
  readonly failure?: { readonly cause: unknown }
}

/**
 * Asks status about everything that is awaited of an order: once for every serial number whose end is not known, and once for the
 * latest request; then about a change that was approved, where that puts it in doubt. A question that fails says nothing about the order.
 *
 * @param orderId The gateway's order id, where the order has none yet.
 * @see Interface specification, section 4, "status"
 */
export async function askAboutOrder(
  order: KnownOrder,
  {
    client,
    clock,
    profile,
    orderId = order.orderId,
    raised: raisedBy,
  }: {
    readonly client: StatusAsker
    readonly clock: () => number
    readonly profile: WireProfile
    readonly orderId?: string | undefined
    /** The serial numbers to ask about as well, by what was answered. */
    readonly raised?: ((replies: readonly Answered[]) => readonly string[]) | undefined
  },
): Promise<Asked> {
  const { clientOrderId } = order
  const replies: Answered[] = []
  if (clientOrderId === undefined) return { replies }
  const ids = { clientOrderId, ...(orderId === undefined ? {} : { orderId }) }
  const ask = async (bySerialNumber: string | undefined): Promise<StatusResponse> => {
    const askedAt = clock()
    const by = bySerialNumber === undefined ? {} : { byRequestSn: bySerialNumber }
    const reply = await client.status({ ...ids, ...by })
    replies.push({ reply, askedAt, bySerialNumber })
    return reply
  }
  try {
    for (const question of questionsAbout(order)) {
      const reply = await ask(question)
      const raised = question === undefined ? questionRaisedBy(reply, { order, profile }) : undefined
      if (raised !== undefined) await ask(raised)
    }
    for (const serialNumber of raisedBy?.(replies) ?? []) await ask(serialNumber)
    return { replies }
  } catch (cause) {
    return { replies, failure: { cause } }
  }
}

/** Whether a reply says that something was approved. */
export const isApproval = ({ status }: StatusResponse, profile: WireProfile): boolean =>
  finalOutcome(status, profile) === 'approved'

/**
 * Asks status about the other orders of a payment: one that was declined, or left open, may have brought money as well. A client with a
 * store writes down what it learns. What is not answered says nothing: should such an order bring money, its own callback comes.
 */
export async function askAboutOthers(others: readonly KnownOrder[], client: StatusAsker): Promise<void> {
  for (const { clientOrderId, orderId } of others) {
    if (clientOrderId === undefined) continue
    await client.status({ clientOrderId, ...(orderId === undefined ? {} : { orderId }) }).catch(() => undefined)
  }
}

/** Asks what became of requests that were not answered, where the client can: it writes down what it learns. */
export async function resolveUnanswered(
  { order, at }: Pick<FoundOrder, 'order' | 'at'>,
  client: Pick<KeepingClient, 'resolve'>,
): Promise<void> {
  for (const attempt of order.attempts) {
    if (isUnresolved(attempt) && at >= quietFrom(attempt)) await client.resolve?.(attempt)
  }
}

/** Whether a reply echoes the ids of an order: one about another order says nothing of this one. */
export const isAbout = (
  { reply }: Answered,
  { clientOrderId, orderId }: Pick<KnownOrder, 'clientOrderId' | 'orderId'>,
): boolean => reply.clientOrderId === clientOrderId && (orderId === undefined || reply.orderId === orderId)
