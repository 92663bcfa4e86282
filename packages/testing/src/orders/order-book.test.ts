import { describe, expect, it } from 'vitest'
import type { Order } from './order.js'
import { createOrderBook } from './order-book.js'
import { approved } from './outcomes.js'

const order = (id: number, ended: boolean): Order => ({
  orderId: String(id),
  clientOrderId: `o-${id}`,
  login: 'merchant',
  endpointId: '39',
  currency: 'EUR',
  stages: [
    {
      stage: 'sale',
      serialNumbers: [],
      amount: 1n,
      createdAt: 0,
      ...(ended ? { verdict: approved, finalAt: 0 } : {}),
    },
  ],
})

const idsOf = (book: ReturnType<typeof createOrderBook>) => book.orders().map(({ orderId }) => orderId)

describe('createOrderBook', () => {
  it('drops the oldest that have ended, with everything that names them, and keeps what has not', () => {
    const book = createOrderBook({ size: 3, now: () => 1 })
    for (const [id, ended] of [
      [1, false],
      [2, true],
      [3, true],
      [4, true],
    ] as const)
      book.put(order(id, ended))
    expect(idsOf(book)).toEqual(['1', '3', '4'])
    expect(book.byClientOrderId('o-2')).toBeUndefined()
    expect(book.isTaken('o-2', 'merchant')).toBe(false)
    expect(book.byClientOrderId('o-3', 'merchant')?.orderId).toBe('3')
  })

  it('drops the oldest of all where none has ended, so that memory stays bounded', () => {
    const book = createOrderBook({ size: 3, now: () => 1 })
    for (const id of [1, 2, 3, 4, 5]) book.put(order(id, false))
    expect(idsOf(book)).toEqual(['3', '4', '5'])
  })

  it("finds the latest order under a merchant's order id, whatever was changed or dropped since", () => {
    const book = createOrderBook({ size: 2, now: () => 1 })
    const again = (id: number) => ({ ...order(id, true), clientOrderId: 'o-1' })
    for (const id of [1, 2]) book.put(again(id))
    book.put({ ...again(1), description: 'changed' })
    expect(book.byClientOrderId('o-1')?.orderId).toBe('2')
    book.put(order(3, true))
    expect(idsOf(book)).toEqual(['2', '3'])
    expect(book.byClientOrderId('o-1')?.orderId).toBe('2')
  })

  it('keeps an order that is put again where it was', () => {
    const book = createOrderBook({ size: 2, now: () => 1 })
    for (const id of [1, 2]) book.put(order(id, true))
    book.put({ ...order(1, true), description: 'changed' })
    expect(book.orders().map(({ description }) => description)).toEqual(['changed', undefined])
  })

  it('bounds cards, subscriptions and pages too', () => {
    const book = createOrderBook({ size: 2, now: () => 1 })
    const card = {
      bin: '',
      lastFourDigits: '',
      brand: '',
      holder: '',
      expireMonth: '',
      expireYear: '',
      fingerprint: '',
    }
    for (const id of ['a', 'b', 'c']) {
      book.storeCard('cardRef', id, card)
      book.storeCard('recurringPayment', id, card)
      book.putForm({ token: id, orderId: '1', kind: 'card', step: 'input', endsAt: Number.POSITIVE_INFINITY })
    }
    expect(book.cardIds('cardRef')).toEqual(['b', 'c'])
    expect([book.card('recurringPayment', 'a'), book.form('a')]).toEqual([undefined, undefined])
    expect(book.form('c')?.token).toBe('c')
  })
})
