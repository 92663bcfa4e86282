import type { StatusResponse } from '../operations/records/replies.js'
import { defaultProfile } from '../profile/profile.js'
import { askedAfter } from './order.js'
import { type SettleInput, type Settlement, settle, type Unsettled } from './settle.js'
import type { Order } from './types.js'

/** A settlement, or the lack of an answer, which changes nothing. */
export type AskedSettlement =
  | Settlement
  | { readonly kind: 'no-answer'; readonly explanation: string; readonly order: Order; readonly cause: unknown }

/**
 * Settles the answer to one question to status, which was asked by the serial number of `expected`. A failed question is `no-answer`: it
 * says nothing about the order.
 *
 * @param answer `askedAt` is in milliseconds since the epoch; `cause` says why there is no reply.
 */
export function settleAnswer(
  { order, expected, profile = defaultProfile }: Omit<SettleInput, 'observation'>,
  answer: { readonly askedAt: number } & ({ readonly reply: StatusResponse } | { readonly cause: unknown }),
): AskedSettlement {
  if ('cause' in answer) {
    const explanation = `Status of order ${order.clientOrderId} could not be read; nothing is concluded from that.`
    return { kind: 'no-answer', explanation, order, cause: answer.cause }
  }
  const { reply } = answer
  const { serialNumber } = expected
  const askedAt = askedAfter(order, answer.askedAt)
  const observation = { reply, askedAt, ...(serialNumber === undefined ? {} : { bySerialNumber: serialNumber }) }
  return settle({ order, expected, observation, profile })
}

/** Whether a person must look: the gateway approved something else than was ordered, or took back a final word. */
export function needsPerson(
  settlement: AskedSettlement,
): settlement is Unsettled & { readonly kind: 'amount-differs' | 'corrected' } {
  return settlement.kind === 'amount-differs' || settlement.kind === 'corrected'
}
