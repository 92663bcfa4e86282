/** The books of a gateway with hosted forms, and its answers, by the fake gateway's own rules. */
import { defaultProfile, type StatusResponse } from '@tillkit/protocol'
import { approved, beginOrder, beginStage, decide, declined, statusRecord } from '@tillkit/testing/rules'
import { type Answer, type Question, replyTo } from '../../../../packages/till/src/rules/answer.js'
import { merchantIdOf } from '../../../../packages/till/src/store/keys.js'
import { gatewayUrl } from '../sending/world.js'

/** The account of most orders, and another one. */
export const [login, otherLogin] = ['merchant', 'merchant-2'] as const

/**
 * An order in the books. `open`: nobody has given a card. `begun`: somebody has, and goes through 3DS. `corrected`: it was declined, and the
 * gateway took that word back: it is approved.
 */
export interface Booked {
  /** The account that it was sent to. */
  readonly login: string
  readonly clientOrderId: string
  readonly orderId: string
  /** The name of the request that made it. */
  readonly request: string
  readonly amount: string
  readonly state: 'open' | 'begun' | 'approved' | 'declined' | 'corrected'
  /** Whether its form asks for another card after a decline. */
  readonly takesAnother: boolean
  /** Status does not say yet over how much it is. */
  readonly isAmountLate?: boolean
  /** From then on nobody can pay on its form. Absent: it is never over. */
  readonly endsAt?: number
}

/** The address of an order's form. */
export const addressOf = ({ orderId }: Pick<Booked, 'orderId'>): string => `https://gate.example/form/${orderId}`

/** Whether a customer who has the address can pay there now. */
export const isPayable = ({ state, takesAnother, endsAt = Number.POSITIVE_INFINITY }: Booked, now: number): boolean =>
  now < endsAt && (state === 'open' || state === 'begun' || (state === 'declined' && takesAnother))

/** Whether the gateway has taken the money. */
export const isPaid = ({ state }: Booked): boolean => state === 'approved' || state === 'corrected'

/** The reply of status about an order that the gateway has. One object for each order and state, since many worlds share it. */
export function replyOf({
  clientOrderId,
  orderId,
  amount,
  state,
  isAmountLate,
}: Pick<Booked, 'clientOrderId' | 'orderId' | 'amount' | 'state' | 'isAmountLate'>): StatusResponse {
  const key = JSON.stringify([clientOrderId, orderId, amount, state, isAmountLate])
  const known = replies.get(key)
  if (known !== undefined) return known
  const minor = BigInt(amount.replace('.', ''))
  const first = beginStage(
    { stage: 'sale', operation: 'saleForm', amount: minor, verdict: undefined, serialNumber: 's-1', now: 0 },
    undefined,
  )
  const given = { orderId, login, endpointId: '39', currency: 'EUR', ...(state === 'open' ? {} : { card }) }
  const order = beginOrder({ clientOrderId }, given, first)
  const marks = { finalAt: 0, rrn: `51045804788${orderId}`, approvalCode: `00000${orderId}` }
  const verdict = { approved, corrected: approved, declined: declined('100', 'Decline') }
  const decided =
    state === 'open' || state === 'begun'
      ? { order, stage: first }
      : decide({ order, stage: first }, { verdict: verdict[state], ...marks })
  const stage = { ...decided.stage, ...(isAmountLate === true ? { amountShownAt: 1 } : {}) }
  const record = statusRecord({ ...decided, stage }, { profile: defaultProfile, now: 0 }, { serialNumber: 's-9' })
  const said = Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined))
  const reply = { ...said, raw: {} } as unknown as StatusResponse
  replies.set(key, reply)
  return reply
}

const replies = new Map<string, StatusResponse>()

/** The card that customers give. */
export const card = {
  brand: 'VISA',
  bin: '411111',
  lastFourDigits: '1111',
  holder: 'A. Customer',
  expireMonth: '12',
  expireYear: '2031',
  fingerprint: 'f',
}

/** How the gateway says that it has never seen an order: by a word that is known, or as it refuses any question. */
export type Absence = 'by its word' | 'as it refuses'

/** The answer of status at a moment: by the latest order that has the id. An account knows its own orders alone. */
export function answerOf(
  books: readonly Booked[],
  question: Question,
  { now, absence }: { readonly now: number; readonly absence: Absence },
): Answer {
  const when = { question, askedAt: now, answeredAt: now }
  const clientOrderId = merchantIdOf(question.clientOrderId)
  const { orderId } = question
  const order = books.findLast(
    each =>
      each.login === question.login &&
      (orderId === undefined ? each.clientOrderId === clientOrderId : each.orderId === orderId),
  )
  if (order !== undefined) return { ...when, kind: 'reply', reply: replyTo(question, replyOf(order)) }
  return absence === 'by its word'
    ? { ...when, kind: 'never-seen', baseUrl: gatewayUrl, before: [] }
    : { ...when, kind: 'refused', errorCode: '11' }
}
