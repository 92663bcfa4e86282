import type { Call } from '@tillkit/testing'
import { type GatewayState, type Order, stageOutcome } from '@tillkit/testing/gateway'

/** What to look for. An empty text looks for everything. */
export interface Sought {
  /** Part of any id, of the e-mail address, or the last four digits of the card. */
  readonly q: string
  readonly operation: string
  readonly status: string
  readonly fault: string
  readonly verdict: string
  /** Not older than so many minutes, on the gateway's clock. */
  readonly minutes: string
}

/** Statuses of orders to look for. */
export const soughtStatuses = ['processing', 'approved', 'declined', 'filtered', 'error', 'unknown'] as const

/** The orders that fit, the newest first. Only what is asked for is looked at, so ten thousand take no time. */
export function findOrders({ q, operation, status, minutes }: Sought, gateway: GatewayState): readonly Order[] {
  const now = gateway.clock.now()
  const word = q.toLowerCase()
  const since = oldest(minutes, now)
  return gateway.orders
    .orders()
    .filter(
      order =>
        order.stages[0].createdAt >= since &&
        (operation === '' || order.stages.some(stage => stage.operation === operation)) &&
        (status === '' || order.stages.some(stage => stageOutcome(stage, now) === status)) &&
        (word === '' || hasWord(order, word)),
    )
    .reverse()
}

function hasWord({ orderId, clientOrderId, email = '', card, stages }: Order, word: string): boolean {
  const texts = [orderId, clientOrderId, email, ...stages.flatMap(({ serialNumbers }) => serialNumbers)]
  return card?.lastFourDigits === word || texts.some(text => text.toLowerCase().includes(word))
}

/** Requests one after the other that asked the same about the status of an order and heard the same: one line. */
export interface CallLine {
  /** The newest. */
  readonly call: Call
  /** Number of the oldest. */
  readonly first: number
  readonly count: number
}

/** The calls that fit, the newest first. */
export function findCalls(sought: Sought, { log, clock }: Pick<GatewayState, 'log' | 'clock'>): readonly CallLine[] {
  const { q, operation, fault, verdict, minutes } = sought
  const word = q.toLowerCase()
  const since = oldest(minutes, clock.now())
  const found = log
    .list(operation === '' ? undefined : operation)
    .filter(
      call =>
        call.at >= since &&
        (verdict === '' || call.verdict === verdict) &&
        (fault === '' || call.fault === fault) &&
        (word === '' || textsOf(call).some(text => text.toLowerCase().includes(word))),
    )
  return collapse(found)
}

/** Makes one line of equal status polls that came one after the other, the newest line first. @param most Lines. */
export function collapse(calls: readonly Call[], most = Number.POSITIVE_INFINITY): readonly CallLine[] {
  const lines: CallLine[] = []
  let last: string | undefined
  for (const call of calls.toReversed()) {
    const key = call.operation === 'status' ? pollKey(call) : undefined
    const newer = key !== undefined && key === last ? lines.pop() : undefined
    if (lines.length === most) break
    lines.push({ call: newer?.call ?? call, first: call.number, count: (newer?.count ?? 0) + 1 })
    last = key
  }
  return lines
}

/** What is the same in equal polls; every reply has a serial number of its own. */
export function pollKey({ path, fields, verdict, fault, httpStatus, reply = {} }: Call): string {
  const heard = Object.entries(reply).filter(([name]) => name !== 'serial-number')
  return JSON.stringify([path, fields, verdict, fault, httpStatus, heard])
}

const textsOf = ({ path, fields, reply = {} }: Call): readonly string[] => [
  path,
  ...fields.map(([, value]) => value),
  ...Object.values(reply),
]

const oldest = (minutes: string, now: number): number =>
  /^\d{1,9}$/.test(minutes) ? now - Number(minutes) * 60_000 : Number.NEGATIVE_INFINITY
