/**
 * A gateway that gives back, captures and voids whatever it is asked for: it leaves it to the merchant that nothing is done twice. Status speaks by
 * the fake gateway's own rules.
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
import type { Answer, Question } from '../../../../packages/till/src/rules/answer.js'
import type { ChangeTerms } from '../../../../packages/till/src/rules/pay/change-step.js'

/** The amount that was paid, or is held, and that of a part, in minor units. */
export const [paid, part] = [1_000, 300]

/**
 * A merchant's wish: all that is left back, or 3.00 of it under the name of a part; all or a part of held money captured, or the hold released.
 * If two orders were paid, the till wants the first one back, which is surplus; the merchant may want the other one back. A person at the
 * gateway's own screens gives 3.00 back, whatever the till does.
 */
export type Wish = 'whole' | 'cup' | 'plate' | 'capture' | 'parcel' | 'void' | 'surplus' | 'other' | 'hand'

/** The wishes that a person carries out at the gateway's own screens. */
export type HandWish = Extract<Wish, 'other' | 'hand'>

/** The gateway's ids of the orders. */
export const orderIds = { 'basket-7': '77', 'basket-7.2r': '78' } as const

/** The merchant's id of an order. */
export type OrderName = keyof typeof orderIds

/** The order that a change is of. */
export const orderOf = (wish: Wish): OrderName => (wish === 'other' ? 'basket-7.2r' : 'basket-7')

/** The change that a merchant asks for. */
export const changes = {
  whole: { name: 'return' },
  cup: { name: 'return', part: { amount: '3.00', key: 'cup' } },
  plate: { name: 'return', part: { amount: '3.00', key: 'plate' } },
  capture: { name: 'capture' },
  parcel: { name: 'capture', part: { amount: '3.00', key: 'parcel' } },
  void: { name: 'void' },
  surplus: { name: 'return', clientOrderId: 'basket-7' },
  other: { name: 'return', clientOrderId: 'basket-7.2r' },
  hand: { name: 'return', part: { amount: '3.00', key: 'hand' } },
} as const satisfies Readonly<Record<Wish, Pick<ChangeTerms, 'name' | 'part' | 'clientOrderId'>>>

/** A change that the gateway has taken. */
export interface Booked {
  readonly request: string
  readonly wish: Wish
  /** In minor units. */
  readonly amount: number
  readonly state: 'open' | 'approved' | 'declined'
}

/** The marks of the bank that a movement of money has. */
export const marksOf = (nth: number) => ({ finalAt: 0, rrn: `51045804788${nth}`, approvalCode: `00000${nth}` }) as const

/** The serial number of the request that a change came with. */
export const serialNumberOf = (nth: number): string => `s-${nth + 2}`

/** How much was returned or captured, or may be, in minor units. */
export const changed = (books: readonly Booked[], name: 'return' | 'capture'): number =>
  books.reduce(
    (sum, { amount, state, wish }) => (state === 'declined' || changes[wish].name !== name ? sum : sum + amount),
    0,
  )

/** A void is over all that is still held then. */
export const bookedAmount = ({ wish, amount }: Pick<Booked, 'wish' | 'amount'>, books: readonly Booked[]): number =>
  wish === 'void' ? Math.max(0, paid - changed(books, 'capture')) : amount

const verdicts = { open: undefined, approved, declined: declined('100', 'Decline') } as const

const stages = { return: 'reversal', capture: 'capture', void: 'void' } as const

function shownOrder(books: readonly Booked[], about: OrderName, isHold: boolean): Order {
  const given = { orderId: orderIds[about], login: 'merchant', endpointId: '39', currency: 'EUR' }
  const made = isHold ? 'preauth' : 'sale'
  const sale = beginStage(
    { stage: made, operation: made, amount: BigInt(paid), verdict: approved, serialNumber: 's-1', now: 0 },
    marksOf(1),
  )
  return books.reduce(
    (order, { amount, state, wish }, nth) => {
      if (orderOf(wish) !== about) return order
      return addStage(
        order,
        beginStage(
          {
            stage: stages[changes[wish].name],
            operation: changes[wish].name,
            amount: BigInt(amount),
            verdict: verdicts[state],
            serialNumber: serialNumberOf(nth),
            now: 0,
          },
          state === 'open' ? undefined : marksOf(nth + 2),
        ),
      )
    },
    beginOrder({ clientOrderId: about }, given, sale),
  )
}

/** Says what status answers now. @param lags Whether it lacks the latest change still. @param isHold Whether the order only holds money. */
export function answerOf(
  books: readonly Booked[],
  question: Question,
  { now, isHold, lags = false }: { readonly now: number; readonly isHold: boolean; readonly lags?: boolean },
): Answer {
  const about: OrderName = question.clientOrderId === 'basket-7.2r' ? 'basket-7.2r' : 'basket-7'
  const order = shownOrder(books, about, isHold)
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
