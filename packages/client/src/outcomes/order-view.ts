/**
 * What status says of an order now: its stages, what they add up to, and what they allow.
 *
 * One status reply speaks of one stage. What nobody asked about, and was not known before, is not in the view.
 *
 * @module
 */
import {
  type AllowedNow,
  allowedNow,
  askedAfter,
  emptyOrder,
  type Order,
  type OrderTotals,
  orderTotals,
  quote,
  type Stage,
  type StatusObservation,
  type StatusRequest,
  type StatusResponse,
  serialNumberOf,
} from '@tillkit/protocol'
import { unseenChanges } from '../attempts/unseen-changes.js'
import type { CallOptions } from '../config/options.js'
import type { Settings } from '../config/settings.js'
import { takeAnswer } from './order-answer.js'
import { orderRemarks } from './order-remarks.js'

/** Which order, and what is known of it. */
export interface OrderQuestion {
  readonly clientOrderId: string
  /** The gateway's order id; leave it out only if it was never received. */
  readonly orderId?: string | undefined
  /**
   * Serial numbers of requests about this order, that of the sale or preauth among them: each is asked about, so that its
   * stage is in the view.
   */
  readonly serialNumbers?: readonly string[] | undefined
  /** What you kept: `order` of an earlier view, or of an outcome. Stages that had not ended are asked about again. */
  readonly known?: Order | undefined
}

/** An order as status shows it, together with what was known. */
export interface OrderView {
  /** To keep, and to hand over as `known` or as the order of an outcome that is waited for. */
  readonly order: Order
  /** What is known to have happened, in the order in which it became known. */
  readonly stages: readonly Stage[]
  /** Held, captured, returned, of the stages seen. Undefined where a sum would be a guess; `remarks` says why. */
  readonly totals: OrderTotals | undefined
  /** What the rules of section 3 allow, going by the stages seen. */
  readonly allowed: AllowedNow
  readonly evidence: 'status-reply'
  /** When the last question was asked, in milliseconds since the epoch. */
  readonly askedAt: number
  /** What this view cannot tell, one sentence each; empty when nothing is in doubt about the stages seen. */
  readonly remarks: readonly string[]
}

/** What asking needs. */
export interface AskOrderInput {
  readonly question: OrderQuestion
  readonly options: CallOptions
  readonly status: (request: StatusRequest, options: CallOptions) => Promise<StatusResponse>
  readonly settings: Settings
}

/**
 * Asks status about an order: once by each serial number, and once for its latest stage.
 *
 * @throws {TypeError} when `known` is about another order.
 * @throws An {@link AnyGatewayError} when one of the questions is not answered, or the answer is about another order: part
 * of an order is never shown for the whole.
 */
export async function askOrder({ question, options, status, settings }: AskOrderInput): Promise<OrderView> {
  const { clock, profile } = settings
  let order = startOrder(question)
  let askedAt = clock()
  const doubts: string[] = []
  const numbered: StatusResponse[] = []
  let isWhole = true
  for (const bySerialNumber of [...serialNumbers(question, order), undefined]) {
    askedAt = clock()
    const observedAt = askedAfter(order, askedAt)
    const asked = bySerialNumber === undefined ? {} : { bySerialNumber }
    const reply = await status({ ...idsOf(order), ...requestOf(asked) }, options)
    const observation = { reply, askedAt: observedAt, ...asked }
    const taken = takeAnswer(order, { observation, profile, numbered })
    order = taken.order
    if (serialNumberOf(observation, profile) !== undefined) numbered.push(reply)
    if (taken.doubt !== undefined) doubts.push(taken.doubt)
    if (taken.isUncounted === true) isWhole = false
  }
  const unseen = await unseenChanges(order, { options, settings })
  if (unseen.length > 0) isWhole = false
  const totals = isWhole ? orderTotals(order, profile) : undefined
  return {
    order,
    stages: order.stages,
    totals,
    allowed: isWhole ? allowedNow(order, profile) : nothing,
    evidence: 'status-reply',
    askedAt,
    remarks: [...doubts, ...unseen, ...orderRemarks(order, totals)],
  }
}

const nothing: AllowedNow = Object.freeze({ capture: false, void: false, return: undefined })

function startOrder({ clientOrderId, orderId, known }: OrderQuestion): Order {
  const asked = emptyOrder({ clientOrderId, ...(orderId === undefined ? {} : { orderId }) })
  if (known === undefined) return asked
  const isOther =
    known.clientOrderId !== asked.clientOrderId ||
    (asked.orderId !== undefined && known.orderId !== undefined && known.orderId !== asked.orderId)
  if (!isOther) return { ...known, ...asked, stages: known.stages }
  throw new TypeError(
    `"known" is order ${quote(known.clientOrderId)} / ${quote(known.orderId)}, asked was for ${quote(clientOrderId)} / ` +
      `${quote(orderId)}. Nothing was asked.`,
  )
}

/** Those that were handed over, and those of known stages that had not ended. */
function serialNumbers(question: OrderQuestion, { stages }: Order): readonly string[] {
  const open = stages.flatMap(({ outcome, serialNumber }) => (outcome === undefined ? (serialNumber ?? []) : []))
  return [...new Set([...(question.serialNumbers ?? []), ...open])]
}

const idsOf = ({ clientOrderId, orderId }: Order) => ({ clientOrderId, ...(orderId === undefined ? {} : { orderId }) })

const requestOf = ({ bySerialNumber }: Pick<StatusObservation, 'bySerialNumber'>) =>
  bySerialNumber === undefined ? {} : { byRequestSn: bySerialNumber }
