/**
 * What went over the wire for an order, for its page. Everything here is already safe to show: the client masks what it
 * reports, and of a callback's parameters only those that are neither personal nor secret are kept readable.
 *
 * @module
 */
import type { Exchange } from '@tillkit/client'
import { orderPlace } from '@tillkit/till'

/** One thing that went over the wire. Times are in milliseconds since the epoch. */
export type WireEntry = { readonly kind: 'exchange'; readonly at: number; readonly exchange: Exchange } | CallbackEntry

/** A callback that came. */
export interface CallbackEntry {
  readonly kind: 'callback'
  readonly at: number
  readonly verdict: 'verified' | 'refused'
  /** Why, in words for the merchant; a refused sender learns nothing. */
  readonly explanation: string
  readonly parameters: readonly (readonly [name: string, value: string])[]
}

/** What went over the wire since the shop was started. */
export interface WireLog {
  /** Notes a request to the gateway, and its answer. */
  exchange(exchange: Exchange): void
  /** Notes a callback about a payment that has a log: anyone can send callbacks about others. */
  callback(url: string, verdict: 'verified' | 'refused', explanation: string): void
  /** All that is known of a payment, in time order. */
  of(reference: string): readonly WireEntry[]
}

/** Makes a log that keeps the latest payments. @param clock Milliseconds since the epoch. */
export function createWireLog(clock: () => number): WireLog {
  const wires = new Map<string, readonly WireEntry[]>()
  const add = (reference: string, entry: WireEntry): void => {
    wires.set(reference, withEntry(wires.get(reference) ?? [], entry))
    const [oldest = ''] = wires.keys()
    if (wires.size > maxPayments) wires.delete(oldest)
  }
  return {
    exchange(exchange) {
      const { clientOrderId, startedAt: at } = exchange
      if (clientOrderId !== undefined) add(referenceOf(clientOrderId), { kind: 'exchange', at, exchange })
    },
    callback(url, verdict, explanation) {
      const parameters = new URLSearchParams(url.split('?').slice(1).join('?'))
      const reference = referenceOf(parameters.get('merchant_order') ?? '')
      if (wires.has(reference)) add(reference, callbackEntry(parameters, { at: clock(), verdict, explanation }))
    },
    of: reference => [...(wires.get(reference) ?? [])].sort((one, other) => one.at - other.at),
  }
}

/** After a decline the order of payment `T7` is `T7.2r`. */
const referenceOf = (clientOrderId: string): string => orderPlace(clientOrderId).reference

/** Most payments that have a log. */
const maxPayments = 1_000

/** Most entries of an order's log. Anyone can make the shop ask status and send it callbacks. */
const maxEntries = 200

/** Most parameters of a callback that are kept, and most characters of a name or a value. A gateway sends about twenty. */
const maxParameters = 40
const maxLength = 200

/** Parameters that are neither personal nor secret. Anything else is masked: gateways add parameters. */
const shownNames: ReadonlySet<string> = new Set([
  ...['status', 'orderid', 'merchant_order', 'client_orderid', 'type', 'amount', 'currency', 'descriptor'],
  ...['error_code', 'error_message', 'approval-code', 'processor-rrn', 'bin', 'last-four-digits', 'card-type'],
])

/** A callback as it is logged, without the control value. */
function callbackEntry(
  parameters: URLSearchParams,
  callback: Pick<CallbackEntry, 'at' | 'verdict' | 'explanation'>,
): CallbackEntry {
  const shown = [...parameters]
    .slice(0, maxParameters)
    .map(([name, value]) => [cut(name), shownNames.has(name) ? cut(value) : '***'] as const)
  return { kind: 'callback', ...callback, parameters: shown }
}

/**
 * Adds an entry to the log of an order. Once it is full the entry that matters least goes: first the oldest refused
 * callback or question of status, so that no sender can push out what moved money.
 */
function withEntry(before: readonly WireEntry[], entry: WireEntry): readonly WireEntry[] {
  const wire = [...before, entry]
  return wire.length > maxEntries ? wire.toSpliced(leastNeeded(wire), 1) : wire
}

function leastNeeded(wire: readonly WireEntry[]): number {
  const noise = wire.findIndex(isNoise)
  return noise >= 0
    ? noise
    : Math.max(
        0,
        wire.findIndex(({ kind }) => kind === 'callback'),
      )
}

const isNoise = (entry: WireEntry): boolean =>
  entry.kind === 'exchange' ? entry.exchange.operation === 'status' : entry.verdict === 'refused'

const cut = (text: string): string => (text.length > maxLength ? `${text.slice(0, maxLength)}…` : text)
