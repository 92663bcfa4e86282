import { describe, expect, it } from 'vitest'
import { openWait, outcomeOf } from './wait-state.js'

const ids = { clientOrderId: 'o-1', orderId: '77' }
const money = { amount: '3.00', currency: 'EUR' }

describe('outcomeOf', () => {
  it('asks about a return by its serial number, over its amount', () => {
    const question = outcomeOf('return', {
      request: { ...ids, ...money },
      reply: { orderId: '77', serialNumber: 'a-1' },
    })
    expect(question).toEqual({
      order: ids,
      expected: { stages: ['cancel', 'reversal'], serialNumber: 'a-1', ...money },
    })
    expect(openWait(question, 0)).toMatchObject({ asked: 0 })
  })

  it('compares no amount where the whole was asked for', () => {
    const question = outcomeOf('capture', { request: ids, reply: { serialNumber: 'a-1' } })
    expect(question).toEqual({ order: ids, expected: { stages: ['capture'], serialNumber: 'a-1' } })
  })

  it('compares none of several amounts that were to be tried', () => {
    const request = { clientOrderId: 'o-2', cardRefId: '5', ...money, enumerateAmounts: '3.00,2.00' }
    const question = outcomeOf('makeRebill', { request, reply: { orderId: '78', serialNumber: 'a-1' } })
    expect(question).toEqual({ order: { clientOrderId: 'o-2', orderId: '78' }, expected: { stages: ['sale'] } })
  })

  it('drops white space at the ends, as it is dropped when the request is sent', () => {
    const request = { clientOrderId: ' o-2 ', cardRefId: '5', amount: '3.00', currency: ' EUR ' }
    expect(outcomeOf('makeRebill', { request, reply: {} })).toEqual({
      order: { clientOrderId: 'o-2' },
      expected: { stages: ['sale'], ...money },
    })
  })

  it('needs no serial number for what an order has once', () => {
    const request = { clientOrderId: 'o-2', cardRefId: '5', ...money }
    const question = outcomeOf('makeRebill', { request, reply: { orderId: '78' } })
    expect(question.expected).toEqual({ stages: ['sale'], ...money })
  })

  it('refuses a capture whose reply has no serial number', () => {
    const asking = () => outcomeOf('capture', { request: ids, reply: {} })
    expect(asking).toThrow(TypeError)
    expect(asking).toThrow('has no "serialNumber"')
  })

  it.each([
    [undefined, '"request" is missing'],
    [{ request: ids }, '"reply" is missing'],
    [{ request: ids, reply: Promise.resolve({ serialNumber: 'a-1' }) }, '"reply" is a promise: await the call first'],
  ])('refuses what is no request with its reply: %#', (accepted, problem) => {
    const asking = () => outcomeOf('void', accepted as never)
    expect(asking).toThrow(TypeError)
    expect(asking).toThrow(problem)
  })

  it.each(['status', 'uploadCresResult', 'nonsense', 'constructor'])('refuses %s, which has no outcome', name => {
    const asking = () => outcomeOf(name as 'void', { request: ids, reply: { serialNumber: 'a-1' } })
    expect(asking).toThrow(TypeError)
    expect(asking).toThrow('is not an operation whose outcome status shows')
  })
})
