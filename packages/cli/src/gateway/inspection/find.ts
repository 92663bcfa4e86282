import type { Call } from '@tillkit/testing'
import { type GatewayState, type Order, stageOutcome } from '@tillkit/testing/gateway'
import { orderOfCall } from './orders.js'

/** What to look for. An empty text looks for everything. */
export interface Sought {
  /** Part of any id, of the e-mail address, or the last four digits of the card. */
  readonly q: string
  readonly operation: string
  /** Of a stage of an order, or answered to a request. */
  readonly status: string
  /** That struck a request about it, or a callback. */
  readonly fault: string
  readonly verdict: string
  /** From a moment on, such as `2026-11-23T14:05`, in UTC on the gateway's clock. */
  readonly from: string
  /** Before a moment, or at it. */
  readonly until: string
}

/** Statuses to look for. */
export const soughtStatuses = ['processing', 'approved', 'declined', 'filtered', 'error', 'unknown'] as const

/** Requests whose connection broke have no status. */
export const noAnswer = 'no answer'

/** The orders that fit, those whose ids are nearest to the word first, then the newest. Only what is asked for is looked at. */
export function findOrders(sought: Sought, gateway: GatewayState): readonly Order[] {
  const { q, operation, status, fault } = sought
  const now = gateway.clock.now()
  const word = q.toLowerCase()
  const isInTime = timeRange(sought)
  const struck = fault === '' ? undefined : ordersStruckBy(fault, gateway)
  const found = gateway.orders
    .orders()
    .filter(
      order =>
        isInTime(order.stages[0].createdAt) &&
        (operation === '' || order.stages.some(stage => stage.operation === operation)) &&
        (status === '' || order.stages.some(stage => stageOutcome(stage, now) === status)) &&
        (struck?.has(order.orderId) ?? true) &&
        (word === '' || hasWord(order, word)),
    )
    .reverse()
  return word === '' ? found : found.sort((a, b) => nearness(a, word) - nearness(b, word))
}

/** An order whose own id is the word comes first, then those whose merchant's id has it: that is what a row shows. */
function nearness({ orderId, clientOrderId }: Order, word: string): number {
  const id = clientOrderId.toLowerCase()
  return id === word || orderId === word ? 0 : id.includes(word) ? 1 : 2
}

function hasWord({ orderId, clientOrderId, email = '', card, stages }: Order, word: string): boolean {
  const texts = [orderId, clientOrderId, email, ...stages.flatMap(({ serialNumbers }) => serialNumbers)]
  return card?.lastFourDigits === word || texts.some(text => text.toLowerCase().includes(word))
}

/** Ids of the orders that a fault struck: a request about them, a callback, or the order itself later on. */
function ordersStruckBy(fault: string, gateway: GatewayState): ReadonlySet<string | undefined> {
  const calls = gateway.log.list().filter(call => call.fault === fault)
  const happenings = gateway.journal.list().filter(each => 'fault' in each && each.fault === fault)
  return new Set([...calls.map(call => orderOfCall(call, gateway)?.orderId), ...happenings.map(each => each.orderId)])
}

/** Requests one after the other that asked the same about the status of an order and heard the same: one line. */
export interface CallLine {
  readonly call: Call
  readonly count: number
}

/** The calls that fit, the newest first. */
export function findCalls(sought: Sought, gateway: GatewayState): readonly CallLine[] {
  const { q, operation, status, fault, verdict } = sought
  const word = q.toLowerCase()
  const isInTime = timeRange(sought)
  const isPaidWith = cardTest(word, gateway)
  const found = gateway.log
    .list(operation === '' ? undefined : operation)
    .filter(
      call =>
        isInTime(call.at) &&
        (verdict === '' || call.verdict === verdict) &&
        (fault === '' || call.fault === fault) &&
        (status === '' || (answeredStatus(call, gateway) ?? noAnswer) === status) &&
        (word === '' || textsOf(call).some(text => text.toLowerCase().includes(word)) || isPaidWith(call)),
    )
  return collapse(found)
}

/** Tells whether a call is about an order of a card with these last four digits: the log does not have them in every call. */
function cardTest(word: string, gateway: GatewayState): (call: Call) => boolean {
  const isCard = /^\d{4}$/.test(word)
  return call => isCard && orderOfCall(call, gateway)?.card?.lastFourDigits === word
}

/** The word of status that a call was answered with; none where the reply has none, undefined where nothing was answered. */
export function answeredStatus(
  { httpStatus, reply = {} }: Pick<Call, 'httpStatus' | 'reply'>,
  { settings }: Pick<GatewayState, 'settings'>,
): string | undefined {
  const word = reply[settings.profile.replyFields.value.status[0] ?? '']
  return word ?? (httpStatus === undefined ? undefined : '')
}

/** Makes one line of equal status polls that came one after the other, the newest line first. @param most Lines. */
export function collapse(calls: readonly Call[], most = Number.POSITIVE_INFINITY): readonly CallLine[] {
  const lines: CallLine[] = []
  let last: string | undefined
  for (const call of calls.toReversed()) {
    const key = call.operation === 'status' ? pollKey(call) : undefined
    const newer = key !== undefined && key === last ? lines.pop() : undefined
    if (lines.length === most) break
    lines.push({ call: newer?.call ?? call, count: (newer?.count ?? 0) + 1 })
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

function timeRange({ from, until }: Sought): (at: number) => boolean {
  const least = momentOf(from) ?? Number.NEGATIVE_INFINITY
  const most = momentOf(until) ?? Number.POSITIVE_INFINITY
  return at => at >= least && at <= most
}

/** Reads a moment as an input of a browser writes it. @returns Milliseconds since the epoch; undefined for what is none. */
function momentOf(text: string): number | undefined {
  const at = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?$/.test(text) ? Date.parse(`${text}Z`) : Number.NaN
  return Number.isNaN(at) ? undefined : at
}
