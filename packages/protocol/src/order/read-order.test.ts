import { describe, expect, it } from 'vitest'
import type { StatusResponse } from '../operations/records/replies.js'
import { askAndSettle } from '../outcome/ask-and-settle.js'
import { openWait } from '../outcome/wait-state.js'
import { emptyOrder, reduceOrder } from './order.js'
import { readOrder } from './read-order.js'
import { settle } from './settle.js'
import { allowedNow, orderTotals } from './totals.js'
import type { Order, Stage } from './types.js'

/** A row of a database: null where nothing was kept. */
const row = (fields: object): Stage =>
  ({
    stage: 'reversal',
    word: null,
    serialNumber: null,
    status: 'approved',
    outcome: 'approved',
    amount: '3.00',
    currency: 'EUR',
    errorCode: null,
    errorMessage: null,
    askedAt: 1,
    corrections: [],
    ...fields,
  }) as unknown as Stage
const sale = row({ stage: 'sale', serialNumber: 'a', amount: '10.00' })
const kept = (...stages: readonly Stage[]): Order => ({ clientOrderId: 'o-1', orderId: '77', stages })
const reply = (fields: object): StatusResponse =>
  ({ status: 'approved', clientOrderId: 'o-1', orderId: '77', transactionType: 'sale', ...fields }) as StatusResponse

describe('readOrder', () => {
  it('leaves out what is null, in the order and in its stages', () => {
    const read = readOrder('order', { ...kept(row({})), orderId: null } as unknown as Order)
    expect(JSON.parse(JSON.stringify(read))).toEqual({
      clientOrderId: 'o-1',
      stages: [
        {
          stage: 'reversal',
          status: 'approved',
          outcome: 'approved',
          amount: '3.00',
          currency: 'EUR',
          askedAt: 1,
          corrections: [],
        },
      ],
    })
    expect(Object.values(read.stages[0]!)).not.toContain(null)
  })

  it('is the very order where nothing is null', () => {
    const order = readOrder('order', kept(sale))
    expect(readOrder('order', order)).toBe(order)
  })

  it.each([
    ['no order', null, '"known" is not an order'],
    ['no stages', { clientOrderId: 'o-1' }, '"known.stages" is not a list'],
    ['a stage that is null', kept(null as unknown as Stage), '"known.stages[0]" is not a stage'],
    ['a stage without corrections', kept(sale, row({ corrections: null })), '"known.stages[1]" is not a stage'],
    ['an amount that is a number', kept(row({ amount: 3 })), '"known.stages[0].amount" is a number'],
    ['an outcome that is a list', kept(row({ outcome: [] })), '"known.stages[0].outcome" is an object'],
  ])('refuses %s', (_, wrong, text) => {
    const read = () => readOrder('known', wrong as unknown as Order)
    expect(read).toThrow(TypeError)
    expect(read).toThrow(text)
  })
})

describe('an order that came back with nulls', () => {
  it('has no totals where a stage has no number, nor where one has no amount', () => {
    expect(orderTotals(kept(sale, row({})))).toBeUndefined()
    expect(orderTotals(kept(sale, row({ serialNumber: 'b', amount: null })))).toBeUndefined()
    expect(orderTotals(kept(sale, row({ serialNumber: 'b', currency: null })))).toMatchObject({ returned: '3.00' })
  })

  it('allows nothing while a stage is under way', () => {
    const underWay = row({ serialNumber: 'b', status: 'processing', outcome: null })
    expect(allowedNow(kept(sale, underWay))).toEqual({ capture: false, void: false, return: undefined })
  })

  it('moves a stage on that was under way, and appends no correction', () => {
    const order = kept(row({ stage: 'sale', status: 'processing', outcome: null, amount: null, currency: null }))
    const next = reduceOrder(order, { reply: reply({ amount: '10.00', currency: 'EUR' }), askedAt: 2 })
    expect(next.stages).toMatchObject([{ outcome: 'approved', amount: '10.00', corrections: [] }])
  })

  it('takes the amount that it did not know', () => {
    const next = reduceOrder(kept(row({ stage: 'sale', amount: null, currency: null })), {
      reply: reply({ amount: '10.00', currency: 'EUR' }),
      askedAt: 2,
    })
    expect(next.stages).toMatchObject([{ amount: '10.00', currency: 'EUR' }])
  })

  it('learns its order id', () => {
    const order = { clientOrderId: 'o-1', orderId: null, stages: [] } as unknown as Order
    const settled = settle({ order, expected: { stages: ['sale'] }, observation: { reply: reply({}), askedAt: 2 } })
    expect(settled).toMatchObject({ kind: 'approved', order: { orderId: '77' } })
    expect(emptyOrder(order)).toEqual({ clientOrderId: 'o-1', stages: [] })
  })

  it('is asked about without an order id', async () => {
    const order = { clientOrderId: 'o-1', orderId: null, stages: [] } as unknown as Order
    const asked: object[] = []
    const client = {
      status: async (request: object) => {
        asked.push(request)
        return reply({})
      },
    }
    const settled = await askAndSettle({ client, order, expected: { stages: ['sale'] }, clock: () => 2 })
    expect(asked).toEqual([{ clientOrderId: 'o-1' }])
    expect(settled).toMatchObject({ kind: 'approved' })
  })

  it('is waited for', () => {
    const order = { clientOrderId: 'o-1', orderId: null, stages: [row({ outcome: null })] } as unknown as Order
    const { order: read } = openWait({ order, expected: { stages: ['sale'] } }, 0)
    expect(read).not.toHaveProperty('orderId')
    expect(read.stages[0]).not.toHaveProperty('outcome')
    const bare = { clientOrderId: 'o-1', stages: null } as unknown as Order
    expect(openWait({ order: bare, expected: { stages: ['sale'] } }, 0).order.stages).toEqual([])
  })
})

describe('an expectation that came back with nulls', () => {
  it('is refused: an amount that got lost would not be compared', () => {
    const expected = { stages: ['sale'], amount: null, currency: null } as never
    expect(() => openWait({ order: { clientOrderId: 'o-1' }, expected }, 0)).toThrow('"expected.amount" is null')
  })
})
