import type { StatusRequest } from '../operations/records/order-changes.js'
import type { StatusResponse } from '../operations/records/replies.js'
import { askedAfter, readOrder } from '../order/order.js'
import { checkExpectation, type SettleInput, type Settlement, settle, type Unsettled } from '../order/settle.js'
import type { Order } from '../order/types.js'
import { defaultProfile } from '../profile/profile.js'

/** An object that can ask for the state of an order; `createClient` of `@tillkit/client` makes one. */
export interface StatusAsker {
  status(request: StatusRequest): Promise<StatusResponse>
}

/** Which client to ask, and what about. */
export interface AskInput extends Omit<SettleInput, 'observation'> {
  readonly client: StatusAsker
  /** Milliseconds since the epoch; replies are ordered by when we asked. */
  readonly clock: () => number
}

/** A settlement, or the lack of an answer, which changes nothing. */
export type AskedSettlement =
  | Settlement
  | { readonly kind: 'no-answer'; readonly explanation: string; readonly order: Order; readonly cause: unknown }

/**
 * Asks status once and settles what it says. A failed question is `no-answer`: it says nothing about the order.
 *
 * @see Interface specification, section 4, "status"
 */
export async function askAndSettle(input: AskInput): Promise<AskedSettlement> {
  const { client, expected, clock, profile } = input
  checkExpectation(expected)
  const order = readOrder('order', input.order)
  if (typeof clock !== 'function') {
    throw new TypeError('"clock" must be a function that gives milliseconds since the epoch, e.g. Date.now.')
  }
  const { serialNumber } = expected
  const askedAt = clock()
  const waiting = { order, expected, ...(profile === undefined ? {} : { profile }) }
  let reply: StatusResponse
  try {
    reply = await client.status({
      clientOrderId: order.clientOrderId,
      ...(order.orderId === undefined ? {} : { orderId: order.orderId }),
      ...(serialNumber === undefined ? {} : { byRequestSn: serialNumber }),
    })
  } catch (cause) {
    return settleAnswer(waiting, { askedAt, cause })
  }
  return settleAnswer(waiting, { askedAt, reply })
}

/** The answer to one question to status. */
export type StatusAnswer = {
  /** When status was asked, in milliseconds of the clock that the order's stages were asked by. */
  readonly askedAt: number
} & ({ readonly reply: StatusResponse } | { /** Why there is no reply. */ readonly cause: unknown })

/** Settles the answer to one question to status, which was asked by the serial number of `expected`. A failed question is `no-answer`. */
export function settleAnswer(
  { order, expected, profile = defaultProfile }: Omit<SettleInput, 'observation'>,
  answer: StatusAnswer,
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

/** A settlement that asking again will not change. */
export type DisputedSettlement = Unsettled & { readonly kind: 'amount-differs' | 'corrected' }

/** Whether a person must look: the gateway approved something else than was ordered, or took back a final word. */
export function needsPerson(settlement: AskedSettlement): settlement is DisputedSettlement {
  return settlement.kind === 'amount-differs' || settlement.kind === 'corrected'
}

/**
 * Tells an observer, such as a log or a report. What it throws, or rejects with later, is dropped: it must not change what it is
 * told about.
 */
export function notify(tell: () => unknown): void {
  try {
    const later = tell()
    if (later !== undefined) Promise.resolve(later).catch(() => {})
  } catch {
    // Dropped, as documented.
  }
}
