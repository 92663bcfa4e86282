/** The fake gateway's books and its log, as lines of a trace. */
import { type AnyOperation, defaultProfile, operations, wireName } from '@tillkit/protocol'
import type { Call, FakeGateway } from '@tillkit/testing'
import type { BookedLine, Line, LoggedLine } from './lines.js'
import type { Writing } from './record.js'

/** Makes what writes down how each order stands, whenever one stands otherwise than before. */
export function bookedBy({ write, order }: Pick<Writing, 'write' | 'order'>): (gateway: FakeGateway) => void {
  const last = new Map<string, string>()
  return gateway => {
    for (const { orderId, clientOrderId, stages } of gateway.orders.list()) {
      const now = stages.map(({ stage, status, serialNumbers, amount }) => ({
        stage,
        status,
        serialNumbers,
        ...(amount === undefined ? {} : { amount }),
      }))
      const text = JSON.stringify(now)
      if (last.get(orderId) === text) continue
      last.set(orderId, text)
      const line: BookedLine = {
        line: 'booked',
        t: order(),
        now: gateway.clock.now(),
        orderId,
        clientOrderId,
        stages: now,
      }
      write(line)
    }
  }
}

/** The line of a request in the log. None: it belongs to no operation. */
export function loggedBy({ number, at, operation, fields, httpStatus, reply }: Call): readonly Line[] {
  if (operation === undefined) return []
  const field = (name: string): string | undefined => fields.find(([each]) => each === name)?.[1]
  const { [operation]: row }: { readonly [name: string]: AnyOperation } = operations
  const own = row && field(wireName('clientOrderId', { operation: row, profile: defaultProfile }) ?? '')
  const orderId = field('orderid')
  const clientOrderId = own ?? reply?.['merchant-order-id']
  const [amount, bySerialNumber] = [field('amount'), field('by-request-sn')]
  const line: LoggedLine = {
    line: 'logged',
    number,
    at,
    operation,
    ...(clientOrderId === undefined ? {} : { clientOrderId }),
    ...(orderId === undefined ? {} : { orderId }),
    ...(amount === undefined ? {} : { amount }),
    ...(bySerialNumber === undefined ? {} : { bySerialNumber }),
    ...(httpStatus === undefined ? {} : { httpStatus }),
    ...(reply === undefined ? {} : { reply }),
  }
  return [line]
}
