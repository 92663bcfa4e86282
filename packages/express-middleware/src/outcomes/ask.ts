import { type KnownOrder, questionsAbout, type StatusAsker } from '@tillkit/protocol'
import type { Answered } from './ledger.js'

/** What questions about an order came to. */
export interface Asked {
  readonly replies: readonly Answered[]
  /** Absent where every question was answered. */
  readonly failure?: { readonly cause: unknown }
}

/**
 * Asks status about everything that is awaited of an order: once for every serial number whose end is not known, and once for the
 * latest request. A question that fails says nothing about the order.
 *
 * @param orderId The gateway's order id, where the order has none yet.
 * @see Interface specification, section 4, "status"
 */
export async function askAboutOrder(
  order: KnownOrder,
  {
    client,
    clock,
    orderId = order.orderId,
  }: { readonly client: StatusAsker; readonly clock: () => number; readonly orderId?: string | undefined },
): Promise<Asked> {
  const { clientOrderId } = order
  const replies: Answered[] = []
  if (clientOrderId === undefined) return { replies }
  const ids = { clientOrderId, ...(orderId === undefined ? {} : { orderId }) }
  try {
    for (const bySerialNumber of questionsAbout(order)) {
      const askedAt = clock()
      const by = bySerialNumber === undefined ? {} : { byRequestSn: bySerialNumber }
      replies.push({ reply: await client.status({ ...ids, ...by }), askedAt, bySerialNumber })
    }
    return { replies }
  } catch (cause) {
    return { replies, failure: { cause } }
  }
}

/** Whether a reply echoes the ids of an order: one about another order says nothing of this one. */
export const isAbout = (
  { reply }: Answered,
  { clientOrderId, orderId }: Pick<KnownOrder, 'clientOrderId' | 'orderId'>,
): boolean => reply.clientOrderId === clientOrderId && (orderId === undefined || reply.orderId === orderId)
