/**
 * The call log as a table for a terminal.
 *
 * @module
 */
import { wireNames } from '@tillkit/protocol'
import type { Call } from '../log/call-log.js'
import { textTable } from '../log/text-table.js'

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
  return textTable(
    titles,
    calls.map(call => {
      const { number, at, operation, path, scheme, verdict, httpStatus, fault, explanation } = call
      const fields = new Map(call.fields)
      const order = orderNames.map(name => fields.get(name)).find(id => id !== undefined)
      const money = [fields.get(wireNames.amount), fields.get(wireNames.currency)].filter(text => text !== undefined)
      const answer = httpStatus === undefined ? 'hung up' : String(httpStatus)
      return [
        String(number),
        new Date(at).toISOString(),
        operation ?? path,
        order ?? '',
        money.join(' '),
        scheme ?? '-',
        verdict,
        answer,
        fault ?? '',
        explanation ?? '',
      ]
    }),
  )
}

/** The merchant's id of an order, in both spellings of the interface. */
const orderNames = [wireNames.clientOrderId, 'client-order-id']
