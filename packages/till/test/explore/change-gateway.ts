/**
 * A gateway that gives back whatever it is asked for: it leaves it to the merchant that nothing is given back twice. Status speaks by the fake
 * gateway's own rules.
 *
 * @module
 */
import { defaultProfile, type StatusResponse } from '@tillkit/protocol'
import {
  addStage,
  approved,
  beginOrder,
  beginStage,
  declined,
  type Order,
  RefusedRequest,
  shownStage,
  statusRecord,
} from '@tillkit/testing/rules'
import type { Answer, Question } from '../../src/rules/answer.js'

/** What was paid, in minor units. */
export const paid = 1_000

/** A return that the gateway has taken. */
export interface Booked {
  readonly request: string
  /** The merchant's name of what is returned. */
  readonly wish: string
  /** In minor units. */
  readonly amount: number
  readonly state: 'open' | 'approved' | 'declined'
}

/** The serial number of the request that a return came with. */
export const serialNumberOf = (nth: number): string => `s-${nth + 2}`

/** How much was given back, or may be, in minor units. */
export const givenBack = (books: readonly Booked[]): number =>
  books.reduce((sum, { amount, state }) => (state === 'declined' ? sum : sum + amount), 0)

const verdicts = { open: undefined, approved, declined: declined('100', 'Decline') } as const

function orderOf(books: readonly Booked[]): Order {
  const given = { orderId: '77', login: 'merchant', endpointId: '39', currency: 'EUR' }
  const marks = (nth: number) => ({ finalAt: 0, rrn: `51045804788${nth}`, approvalCode: `00000${nth}` })
  const sale = beginStage(
    { stage: 'sale', operation: 'sale', amount: BigInt(paid), verdict: approved, serialNumber: 's-1', now: 0 },
    marks(1),
  )
  return books.reduce(
    (order, { amount, state }, nth) =>
      addStage(
        order,
        beginStage(
          {
            stage: 'reversal',
            operation: 'return',
            amount: BigInt(amount),
            verdict: verdicts[state],
            serialNumber: serialNumberOf(nth),
            now: 0,
          },
          state === 'open' ? undefined : marks(nth + 2),
        ),
      ),
    beginOrder({ clientOrderId: 'basket-7' }, given, sale),
  )
}

/** Says what status answers now. @param lags Whether it lacks the latest return still. */
export function answerOf(
  books: readonly Booked[],
  question: Question,
  { now, lags = false }: { readonly now: number; readonly lags?: boolean },
): Answer {
  const order = orderOf(books)
  const when = { question, askedAt: now, answeredAt: now }
  const { bySerialNumber: byRequestSn } = question
  try {
    const stage = shownStage(order, byRequestSn, { lags })
    const asked = { serialNumber: 's-99', byRequestSn }
    const record = statusRecord({ order, stage }, { profile: defaultProfile, now }, asked)
    const said = Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined))
    return { ...when, kind: 'reply', reply: { ...said, raw: {} } as unknown as StatusResponse }
  } catch (error) {
    if (error instanceof RefusedRequest) return { ...when, kind: 'refused' }
    throw error
  }
}
