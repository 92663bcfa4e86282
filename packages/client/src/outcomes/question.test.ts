import { describe, expect, it } from 'vitest'
import { outcomeOf, readQuestion } from './question.js'
import type { OutcomeQuestion } from './types.js'

const ids = { clientOrderId: 'o-1', orderId: '77' }
const money = { amount: '3.00', currency: 'EUR' }

describe('outcomeOf', () => {
  it('asks about a return by its serial number, over its amount', () => {
    const question = outcomeOf('return', {
      request: { ...ids, ...money },
      reply: { orderId: '77', serialNumber: 'a-1' },
    })
    const expected = { stages: ['cancel', 'reversal'], serialNumber: 'a-1', ...money }
    expect(question).toEqual({ ...ids, ...expected })
    expect(readQuestion(question)).toEqual({ order: { ...ids, stages: [] }, expected })
  })

  it('compares no amount where the whole was asked for', () => {
    const question = outcomeOf('capture', { request: ids, reply: { serialNumber: 'a-1' } })
    expect(question).toEqual({ ...ids, stages: ['capture'], serialNumber: 'a-1' })
  })

  it('compares none of several amounts that were to be tried', () => {
    const request = { clientOrderId: 'o-2', cardRefId: '5', ...money, enumerateAmounts: '3.00,2.00' }
    const question = outcomeOf('makeRebill', { request, reply: { orderId: '78', serialNumber: 'a-1' } })
    expect(question).toEqual({ clientOrderId: 'o-2', orderId: '78', stages: ['sale'] })
  })

  it('drops white space at the ends, as it is dropped when the request is sent', () => {
    const request = { clientOrderId: ' o-2 ', cardRefId: '5', amount: '3.00', currency: ' EUR ' }
    const question = outcomeOf('makeRebill', { request, reply: {} })
    expect(question).toEqual({ clientOrderId: 'o-2', stages: ['sale'], ...money })
  })

  it('needs no serial number for what an order has once', () => {
    const request = { clientOrderId: 'o-2', cardRefId: '5', ...money }
    const question = outcomeOf('makeRebill', { request, reply: { orderId: '78' } })
    expect(question).toEqual({ clientOrderId: 'o-2', orderId: '78', stages: ['sale'], ...money })
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

describe('readQuestion', () => {
  const sale = { stages: ['sale'], amount: '10.00', currency: 'EUR' }

  it('takes an order id that a database says is null for one that is not known', () => {
    const question = { clientOrderId: 'o-1', orderId: null, ...sale } as unknown as OutcomeQuestion
    expect(readQuestion(question)).toEqual({ order: { clientOrderId: 'o-1', stages: [] }, expected: sale })
  })

  it('needs no serial number of the only one of its kind', () => {
    const question = { ...ids, stages: ['void'], onlyOneOfItsKind: true }
    expect(readQuestion(JSON.parse(JSON.stringify(question)))).toEqual({
      order: { ...ids, stages: [] },
      expected: { stages: ['void'] },
    })
  })

  it.each([
    ['no question at all', undefined, 'An outcome is asked for with'],
    ['a reply', ids, "outcomeOf('sale', { request, reply }) makes the question"],
    ['an order without an id', sale, "the merchant's order id"],
    ['a stage nobody knows', { ...ids, stages: ['sales'] }, 'Found: "sales"'],
    ['stages that are no list', { ...ids, stages: 'sale' }, '"stages" must list'],
    ['a field that nobody knows', { ...ids, ...sale, order: {} }, 'has no field "order"'],
    // It got lost in a database, and would not be compared.
    ['an amount that is null', { ...ids, stages: ['sale'], amount: null, currency: null }, '"amount" is null'],
    ['a return without its serial number', { ...ids, stages: ['cancel', 'reversal'] }, '"serialNumber" is missing'],
  ])('refuses %s', (_, wrong, text) => {
    const read = () => readQuestion(wrong as unknown as OutcomeQuestion)
    expect(read).toThrow(TypeError)
    expect(read).toThrow(text)
  })
})
