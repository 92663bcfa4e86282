/** The gateway's books of one payment, and its answers: by the fake gateway's own rules. */
import { defaultProfile, type StatusResponse } from '@tillkit/protocol'
import {
  type AllowedChange,
  addStage,
  allowCapture,
  allowReturn,
  allowVoid,
  approved,
  beginOrder,
  beginStage,
  carryOut,
  changeWish,
  decide,
  declined,
  notificationFields,
  type Order,
  type OrderAction,
  openStage,
  planAction,
  RefusedRequest,
  type Stage,
  shownStage,
  stageOutcome,
  statusRecord,
  statusWord,
} from '@tillkit/testing/rules'
import type { Question } from '../../../../packages/till/src/rules/answer.js'
import type { HeardCallback } from '../../../../packages/till/src/rules/orders/callback-shown.js'
import type { KnownAttempt } from '../../../../packages/till/src/state/known.js'
import type { Manners } from '../plan.js'

export type { ToldApartBy } from '../../../../packages/testing/src/rules/actions.js'

import { card } from '../../../explore/src/pay/gateway.js'

export const [login, endpointId, currency] = ['merchant', '39', 'EUR'] as const

/** An order in the books. */
export interface Booked {
  readonly orderId: string
  readonly clientOrderId: string
  /** The request that made it. */
  readonly request: string
  order: Order
  /** The order as it was, each with its moment. */
  readonly past: { readonly at: number; readonly order: Order }[]
  /** The final words that were ever said of each stage, by its place. */
  readonly words: Set<string>[]
  /** Whether a customer has given a card. */
  hasCard: boolean
}

/** The result of a request. */
export type Taken =
  | { readonly kind: 'accepted'; readonly booked: Booked; readonly serialNumber: string; readonly stage: Stage }
  | { readonly kind: 'refused' }

/** The address of an order's form. */
export const addressOf = ({ orderId }: Pick<Booked, 'orderId'>): string => `https://gate.example/form/${orderId}`

export const gatewayUrl = 'https://gate.example/paynet'

const profile = defaultProfile

/** Makes the books of one payment. @param now The true time, in milliseconds. */
export function createBooks({ purpose, usedIds }: Manners, now: () => number) {
  const orders: Booked[] = []
  /** The requests that have arrived, whatever became of them. */
  const arrived = new Set<string>()
  /** The serial numbers of the changes that were taken, by their requests. */
  const changed = new Map<string, string>()
  let numbers = 0
  let changes = 0
  const serialNumber = (): string => {
    numbers += 1
    return `s-${numbers}`
  }
  const marks = () => ({
    finalAt: now(),
    rrn: `5104580478${numbers.toString().padStart(2, '0')}`,
    approvalCode: `0000${numbers.toString().padStart(2, '0')}`,
  })

  const become = (booked: Booked, order: Order): void => {
    changes += 1
    booked.order = order
    booked.past.push({ at: now(), order })
    for (const [place, stage] of order.stages.entries()) {
      const word = stageOutcome(stage, now())
      const words = booked.words[place] ?? new Set()
      booked.words[place] = words
      if (word !== 'processing' && word !== 'unknown') words.add(word)
    }
  }

  const create = ({ clientOrderId = '', amount = '', reservation }: KnownAttempt): Taken => {
    const isUsed = orders.some(each => each.clientOrderId === clientOrderId)
    if (isUsed && usedIds === 'refused') return { kind: 'refused' }
    const number = serialNumber()
    const minor = BigInt(amount.replace('.', ''))
    const first = beginStage(
      {
        stage: purpose,
        operation: `${purpose}Form`,
        amount: minor,
        verdict: undefined,
        serialNumber: number,
        now: now(),
      },
      undefined,
    )
    const orderId = `${70 + orders.length}`
    const order = beginOrder({ clientOrderId }, { orderId, login, endpointId, currency }, first)
    const booked: Booked = { orderId, clientOrderId, request: reservation, order, past: [], words: [], hasCard: false }
    orders.push(booked)
    become(booked, order)
    return { kind: 'accepted', booked, serialNumber: number, stage: first }
  }

  const allow = { return: allowReturn, capture: allowCapture, void: allowVoid } as const

  const change = ({ operation, orderId, clientOrderId, amount, reservation }: KnownAttempt, fails: boolean): Taken => {
    const booked =
      orders.find(each => each.orderId === orderId) ?? orders.findLast(each => each.clientOrderId === clientOrderId)
    if (booked === undefined || !(operation in allow)) return { kind: 'refused' }
    const { order } = booked
    const minor = amount === undefined ? undefined : BigInt(amount.replace('.', ''))
    let allowed: AllowedChange
    try {
      allowed = allow[operation as keyof typeof allow](changeWish(order, minor, { profile, now: now() }))
    } catch (error) {
      if (error instanceof RefusedRequest) return { kind: 'refused' }
      throw error
    }
    const number = serialNumber()
    const verdict = fails ? declined('100', 'Decline') : approved
    const stage = beginStage({ ...allowed, operation, verdict, serialNumber: number, now: now() }, marks())
    changed.set(reservation, number)
    become(booked, addStage(order, stage))
    return { kind: 'accepted', booked, serialNumber: number, stage }
  }

  /** The order as status shows it. @param since Status shows what was so then. Absent: it does not lag. */
  const shownOf = (booked: Booked, since: number | undefined): Order => {
    if (since === undefined) return booked.order
    const before = booked.past.findLast(({ at }) => at <= since)?.order
    if (before !== undefined) return before
    const [first] = booked.order.stages
    return { ...booked.order, card: undefined, stages: [openStage(first)] }
  }

  return {
    orders,
    /** Goes up with each change of an order. */
    changes: (): number => changes,
    arrived,
    changed,
    /** A request arrives. @param fails Whether a change fails. */
    take(request: KnownAttempt, fails: boolean): Taken {
      arrived.add(request.reservation)
      return request.effect === 'creates' ? create(request) : change(request, fails)
    },
    /** A customer gives a card on a form. @returns Whether the form takes it. */
    giveCard(booked: Booked): boolean {
      const [stage] = booked.order.stages
      if (stage.verdict !== undefined || booked.hasCard) return false
      booked.hasCard = true
      become(booked, { ...booked.order, card })
      return true
    },
    /** The gateway says how the first stage of an order ends. */
    settle(booked: Booked, outcome: 'approved' | 'declined'): void {
      const [stage] = booked.order.stages
      if (stage.verdict !== undefined) return
      const verdict = outcome === 'approved' ? approved : declined('100', 'Decline')
      serialNumber()
      become(booked, decide({ order: booked.order, stage }, { verdict, ...marks() }).order)
    },
    /** The gateway's people do something, all at once. @returns The stage that it was done to; undefined: the order does not allow it. */
    act(booked: Booked, ...actions: readonly Omit<OrderAction, 'orderId'>[]): Stage | undefined {
      const { orderId } = booked
      let done: { readonly order: Order; readonly stage: Stage | undefined } = { order: booked.order, stage: undefined }
      try {
        for (const action of actions) {
          const { order } = done
          const plan = planAction({ order, wish: { ...action, orderId }, now: now(), form: undefined, profile })
          if (plan.kind === 'end-form') return undefined
          done = carryOut(order, plan, { serialNumber: serialNumber(), now: now(), ...marks() })
        }
      } catch (error) {
        if ((error as { code?: unknown }).code === 'ERR_IMPOSSIBLE_ACTION') return undefined
        throw error
      }
      become(booked, done.order)
      return done.stage
    },
    /** The answer of status: by the latest order that has the id. `absent`: it has never seen one. */
    answer({ clientOrderId, orderId, bySerialNumber: byRequestSn }: Question, since: number | undefined) {
      const booked =
        orderId === undefined
          ? orders.findLast(each => each.clientOrderId === clientOrderId)
          : orders.find(each => each.orderId === orderId && each.clientOrderId === clientOrderId)
      if (booked === undefined) return 'absent'
      const order = shownOf(booked, since)
      try {
        const stage = shownStage(order, byRequestSn)
        const record = statusRecord(
          { order, stage },
          { profile, now: now() },
          { serialNumber: 's-status', byRequestSn },
        )
        const reply: Record<string, unknown> = { raw: {} }
        for (const [field, value] of Object.entries(record)) if (value !== undefined) reply[field] = value
        return reply as unknown as StatusResponse
      } catch (error) {
        if (error instanceof RefusedRequest) return 'refused'
        throw error
      }
    },
    /** The callback about a stage, as the gateway would word it now. @param place The stage's place in its order. */
    callback({ order }: Booked, place: number): HeardCallback | undefined {
      const stage = order.stages[place]
      if (stage === undefined) return undefined
      const status = statusWord(stage, { profile, now: now() })
      const unsigned: Record<string, string> = {}
      for (const [field, value] of Object.entries(notificationFields({ order, stage }, { profile, now: now() }))) {
        const name = profile.unsignedParameters.value[field]
        if (name !== undefined && value !== undefined) unsigned[name] = value
      }
      const { orderId, clientOrderId } = order
      return { signed: { status, orderId, clientOrderId }, unsigned }
    },
  }
}

export type Books = ReturnType<typeof createBooks>

/** How a stage has ended by the gateway's latest word; undefined: it has not. */
export function outcomeOf(stage: Stage): 'approved' | 'failed' | undefined {
  if (stage.verdict === undefined || stage.verdict.outcome === 'unknown') return undefined
  return stage.verdict.outcome === 'approved' ? 'approved' : 'failed'
}
