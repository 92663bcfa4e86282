/**
 * Status observations of one order, as properties draw them.
 *
 * @module
 */
import fc from 'fast-check'
import { emptyOrder, reduceOrder } from '../src/order/order.js'
import type { Order, StatusObservation } from '../src/order/types.js'
import { aboutRequest, statusReply } from './status-reply.js'

const words = ['approved', 'declined', 'filtered', 'error', 'processing', 'unknown', 'chain_declined', 'novel']
const types = ['sale', 'preauth', 'capture', 'cancel', 'reversal', 'void', 'chargeback', 'novel']

/** A reply of status about order `o-1` / `77`, or about another one, and when it was asked for. */
export const observation: fc.Arbitrary<StatusObservation> = fc
  .record({
    status: fc.constantFrom(...words),
    transactionType: fc.constantFrom(...types),
    amount: fc.constantFrom('10.00', '3.00', '3'),
    orderId: fc.constantFrom('77', '77', '77', '78'),
    askedAt: fc.integer({ min: 0, max: 20 }),
    bySerialNumber: fc.option(fc.constantFrom('a', 'b'), { nil: undefined }),
  })
  .chain(({ askedAt, bySerialNumber, ...fields }) => {
    const plain = { reply: statusReply(fields), askedAt }
    if (bySerialNumber === undefined) return fc.constant(plain)
    // Some gateways do not echo the serial number, or another one.
    return fc.constantFrom<StatusObservation>(
      aboutRequest(bySerialNumber, plain),
      aboutRequest(bySerialNumber, plain),
      { ...plain, bySerialNumber },
      { ...aboutRequest('c', plain), bySerialNumber },
    )
  })

/** The order before status was asked. */
export const start = emptyOrder({ clientOrderId: 'o-1', orderId: '77' })

/** The order before the first observation and after each. */
export function history(observations: readonly StatusObservation[]): readonly Order[] {
  const orders = [start]
  for (const each of observations) orders.push(reduceOrder(orders.at(-1) ?? start, each))
  return orders
}

/** The order after all observations. */
export const reduceAll = (observations: readonly StatusObservation[]) => history(observations).at(-1) ?? start

/** Serial numbers of returns that are equal but for these, and which of them status shows again. */
const numbersOfReturns = fc
  .uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { minLength: 1 })
  .chain(all => fc.tuple(fc.constant(all), fc.array(fc.constantFrom(...all), { maxLength: 12 })))

/** A sale and equal returns, each of which status shows once or more: how many returns, and what status says. */
export const equalReturns = fc
  .tuple(numbersOfReturns, fc.constantFrom('approved', 'processing'))
  .map(([[all, repeated], status]) => {
    const reply = statusReply({ status, transactionType: 'reversal', amount: '1.00' })
    const sale = { reply: statusReply({ status: 'approved' }), askedAt: 0 }
    const returns = [...all, ...repeated].map((serialNumber, index) =>
      aboutRequest(serialNumber, { reply, askedAt: index + 1 }),
    )
    return { count: all.length, status, observations: [sale, ...returns] }
  })
