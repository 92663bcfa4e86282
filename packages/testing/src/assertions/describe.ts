import { wireNames } from '@tillkit/protocol'
import type { FakeGateway } from '../fake/fake-gateway.js'
import type { Call } from '../log/call-log.js'
import type { OrderView } from '../state/order-view.js'

/** Writes the seed, the calls, the orders and the callbacks of a gateway for a terminal, redacted. */
export function describeGateway(gateway: Pick<FakeGateway, 'seed' | 'calls' | 'orders' | 'callbacks'>): string {
  const orders = gateway.orders.list()
  return [
    `The gateway's seed is ${JSON.stringify(gateway.seed)}: createFakeGateway({ seed }) replays identifiers and chance.`,
    `Calls\n${describeCalls(gateway.calls())}`,
    ...(orders.length === 0 ? [] : [`Orders\n${describeOrders(orders)}`]),
    ...(gateway.callbacks.list().length === 0 ? [] : [`Callbacks\n${describeCallbacks(gateway)}`]),
  ].join('\n\n')
}

/** Writes orders as a table, one line a stage. */
export function describeOrders(orders: readonly OrderView[]): string {
  if (orders.length === 0) return 'There are no orders.'
  const rows = orders.flatMap(({ clientOrderId, orderId, currency = '', stages }) =>
    stages.map(({ stage, status, amount, errorMessage = '' }) => {
      const money = amount === undefined ? '' : `${amount} ${currency}`
      return [clientOrderId, orderId, stage, status, money, errorMessage]
    }),
  )
  return textTable(['order', 'gateway id', 'stage', 'status', 'amount', 'why'], rows)
}

/** Writes the deliveries of callbacks as a table, one line an attempt. */
export function describeCallbacks({ callbacks, orders }: Pick<FakeGateway, 'callbacks' | 'orders'>): string {
  const deliveries = callbacks.list()
  if (deliveries.length === 0) return 'No callbacks.'
  const rows = deliveries.map(({ at, orderId, status, attempt, httpStatus = '-', error = '' }) => {
    const order = orders.find(orderId)?.clientOrderId ?? orderId
    return [new Date(at).toISOString(), order, status, `${attempt}`, `${httpStatus}`, error]
  })
  return textTable(['time', 'order', 'told', 'attempt', 'answer', 'error'], rows)
}

/**
 * Writes calls as a table, one line a call: what was asked, of which order, and what became of it.
 *
 * @example
 * ```ts
 * console.log(describeCalls(gateway.calls()))
 * ```
 */
export function describeCalls(calls: readonly Call[]): string {
  if (calls.length === 0) return 'No calls.'
  const titles = ['#', 'time', 'operation', 'order', 'amount', 'scheme', 'verdict', 'answer', 'fault', 'explanation']
  const rows = calls.map(call => {
    const { path, operation = path, scheme = '-', verdict, httpStatus = 'hung up', fault = '', explanation = '' } = call
    const fields = new Map(call.fields)
    const order = orderNames.map(name => fields.get(name)).find(id => id !== undefined) ?? ''
    const money = [wireNames.amount, wireNames.currency].flatMap(name => fields.get(name) ?? []).join(' ')
    const time = new Date(call.at).toISOString()
    return [`${call.number}`, time, operation, order, money, scheme, verdict, `${httpStatus}`, fault, explanation]
  })
  return textTable(titles, rows)
}

/** The merchant's id of an order, in both spellings of the interface. */
const orderNames = [wireNames.clientOrderId, 'client-order-id']

/**
 * Writes rows under their titles, every column as wide as its widest cell. A column with nothing in it is left out, and
 * what would break a line or command a terminal becomes a space.
 */
export function textTable(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const columns = titles.flatMap((_, column) => (rows.some(row => (row[column] ?? '') !== '') ? [column] : []))
  const lines = [titles, ...rows].map(row => columns.map(column => plain(row[column] ?? '')))
  const widths = columns.map((_, index) => Math.max(...lines.map(line => line[index]?.length ?? 0)))
  return lines
    .map(line =>
      line
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

const plain = (cell: string): string => cell.replace(/\p{Cc}+/gu, ' ')
