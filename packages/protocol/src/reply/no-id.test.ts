import { describe, expect, it } from 'vitest'
import { emptyOrder, readOrder } from '../order/order.js'
import { checkExpected } from '../order/settle.js'
import type { Order } from '../order/types.js'
import { isNoId } from './read-reply.js'

// What `String(value)` makes in JavaScript of a value that is missing, and what other languages write.
const written = [undefined, null, Number.NaN, {}, new Map(), true, false, 1 / 0, -1 / 0].map(String)
const words = [...written, 'None', 'nil', 'NULL', 'Undefined', '[OBJECT OBJECT]', '', ' ', '\t\n', '\u200b', '\ufeff']

describe('isNoId', () => {
  it.each([...words, ' undefined ', '\nnull\t', '\u00a0NaN\u00a0', ' [object Object]\n'])('is true of %j', text => {
    expect(isNoId(text)).toBe(true)
  })

  it.each(['0', '-', '77', 'o-1', 'nullable', 'order-undefined', 'annull', '[object', 'NaN-1', 'no', 'object Object'])(
    'is false of %j',
    text => {
      expect(isNoId(text)).toBe(false)
    },
  )
})

describe('what takes ids that were kept', () => {
  const order = (ids: object) => ({ clientOrderId: 'o-1', orderId: '77', stages: [], ...ids }) as Order
  it.each(words)('refuses %j', text => {
    expect(() => emptyOrder({ clientOrderId: text })).toThrow(TypeError)
    expect(() => emptyOrder({ clientOrderId: 'o-1', orderId: text })).toThrow('"orderId" is')
    expect(() => readOrder('order', order({ clientOrderId: text }))).toThrow('"order.clientOrderId" is')
    expect(() => readOrder('order', order({ orderId: text }))).toThrow('"order.orderId" is')
    expect(() => checkExpected({ stages: ['capture'], serialNumber: text })).toThrow('"serialNumber" is')
  })

  it('takes an order whose gateway id was never received', () => {
    const { orderId: _, ...ids } = order({})
    expect(readOrder('order', ids)).toBe(ids)
  })
})
