/**
 * The baseline of a change: what status says of the order just before it is sent.
 *
 * @module
 */
import {
  echoesIds,
  finalOutcome,
  movesMoneyOfOrder,
  type StatusRequest,
  type StatusResponse,
  type StatusSnapshot,
  stageOf,
  type WireProfile,
} from '@tillkit/protocol'
import type { CallOptions } from '../config/options.js'
import type { CallContext } from '../request/types.js'

/** Asks for the state of an order. */
export type AskStatus = (request: StatusRequest, options: CallOptions) => Promise<StatusResponse>

/** The most a baseline may take, in milliseconds; and never more than a third of the call's time. */
const longestAsking = 5_000

/** Whether a request is a change that moves money, and somebody will remember what was so before it. */
export const hasBaseline = ({ subject: { row }, settings }: Pick<CallContext, 'subject' | 'settings'>): boolean =>
  settings.attempts !== undefined && movesMoneyOfOrder(row)

/**
 * Asks status for the baseline of a change that moves money. One question, not repeated: where it fails or its reply is
 * about something else there is no baseline, and the change goes on.
 */
export async function takeBaseline(
  { subject, options, settings, deadline }: CallContext,
  askStatus: AskStatus,
): Promise<StatusSnapshot | undefined> {
  const { clientOrderId, orderId } = subject
  if (clientOrderId === undefined || orderId === undefined || deadline.isOver()) return undefined
  const { endpoint, timeout } = options
  const askedAt = settings.clock()
  try {
    const reply = await askStatus(
      { clientOrderId, orderId },
      {
        ...(endpoint.isGroup ? { endpointGroupId: endpoint.id } : { endpointId: endpoint.id }),
        timeout: Math.min(longestAsking, Math.ceil(timeout / 3)),
        retries: 0,
        signal: deadline.signal(),
      },
    )
    return echoesIds(reply, { clientOrderId, orderId })
      ? snapshotOf(reply, { askedAt, profile: settings.profile })
      : undefined
  } catch {
    return undefined
  }
}

/** What of a status reply may be kept. */
export function snapshotOf(
  reply: StatusResponse,
  { askedAt, profile }: { readonly askedAt: number; readonly profile: WireProfile },
): StatusSnapshot {
  const { status, amount, currency, serialNumber } = reply
  const stage = stageOf(reply, profile)
  const outcome = finalOutcome(status, profile)
  return {
    askedAt,
    status,
    ...(outcome === undefined ? {} : { outcome }),
    ...(stage === undefined ? {} : { stage }),
    ...(amount === undefined ? {} : { amount }),
    ...(currency === undefined ? {} : { currency }),
    ...(serialNumber === undefined ? {} : { serialNumber }),
  }
}
